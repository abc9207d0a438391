// What nvcc's host code calls before main, at a launch written <<<...>>>, and when its object goes away. None of it
// reads device code (modules.h).
#include <cuda_runtime_api.h>

#include <vector>

#include "cudart/launch.h"
#include "cudart/per_thread.h"
#include "cudart/runtime.h"

using namespace warpwright::cudart;

namespace {

// The argument of <<<...>>> waits here between the two halves of a launch. A stack, because evaluating the arguments of
// one launch may make another.
std::vector<Configuration>& pushed_configurations() {
  thread_local std::vector<Configuration> stack;
  return stack;
}

Module& module_of(void** handle) { return *reinterpret_cast<Module*>(handle); }

}  // namespace

extern "C" {

void** __cudaRegisterFatBinary(void* wrapper) {
  const std::lock_guard lock(runtime().mutex);
  return reinterpret_cast<void**>(&runtime().modules.add(wrapper));
}

void __cudaRegisterFatBinaryEnd(void**) {}

void __cudaUnregisterFatBinary(void** handle) {
  const std::lock_guard lock(runtime().mutex);
  runtime().modules.remove(module_of(handle));
}

void __cudaRegisterFunction(void** handle, const char* stub, char*, const char* name, int, uint3*, uint3*, dim3*, dim3*,
                            int*) {
  const std::lock_guard lock(runtime().mutex);
  runtime().modules.add_kernel(module_of(handle), stub, name);
}

void __cudaRegisterVar(void** handle, char* shadow, char*, const char* name, int, std::size_t bytes, int, int) {
  const std::lock_guard lock(runtime().mutex);
  runtime().modules.add_variable(module_of(handle), shadow, {name, bytes, false, nullptr});
}

void __cudaRegisterManagedVar(void** handle, void** host_pointer, char*, const char* name, int, std::size_t bytes, int,
                              int) {
  const std::lock_guard lock(runtime().mutex);
  runtime().modules.add_variable(module_of(handle), host_pointer, {name, bytes, true, host_pointer});
}

/// Host code is about to use a managed variable of this module.
char __cudaInitModule(void** handle) {
  return call("__cudaInitModule", [&] { module_of(handle).load(); }) == cudaSuccess ? 1 : 0;
}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared_bytes, CUstream_st* stream) {
  pushed_configurations().push_back({grid, block, shared_bytes, stream});
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared_bytes, void* stream) {
  std::vector<Configuration>& stack = pushed_configurations();
  if (stack.empty()) return last_error() = cudaErrorMissingConfiguration;
  const Configuration configuration = stack.back();
  stack.pop_back();
  *grid = configuration.grid;
  *block = configuration.block;
  *shared_bytes = configuration.dynamic_shared_bytes;
  *static_cast<cudaStream_t*>(stream) = configuration.stream;
  in_brackets() = true;  // until the launch that comes next (kernel_api.cpp)
  return cudaSuccess;
}

cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* stub) { return cudaGetKernel(kernel, stub); }

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared_bytes,
                               cudaStream_t stream) {
  return cudaLaunchKernel(kernel, grid, block, arguments, shared_bytes, stream);
}

// A host variable that a kernel could reach on other systems, and tables of device code linked elsewhere: of no use
// here.
void __cudaRegisterHostVar(void**, const char*, char*, std::size_t) {}
void __cudaRegisterUnifiedTable(void**, void*) {}

}  // extern "C"

PER_THREAD_STREAM(__cudaLaunchKernel, ptsz, 6);
