// Launches, and what is known of kernels.
#include <cuda_runtime_api.h>
#include <fmt/core.h>

#include <algorithm>

#include "cudart/launch.h"
#include "cudart/occupancy.h"
#include "cudart/passed.h"
#include "cudart/per_thread.h"
#include "cudart/runtime.h"

using namespace warpwright::cudart;
using warpwright::machine::Program;

namespace {

/// Launch attributes change when and where a kernel runs, never what it computes, except those named here.
Configuration configuration_of(const cudaLaunchConfig_t& config) {
  Configuration configuration{config.gridDim, config.blockDim, config.dynamicSmemBytes, config.stream};
  if (config.numAttrs > 0) require_result(config.attrs, "config->attrs");
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    const cudaLaunchAttribute& attribute = config.attrs[i];
    if (attribute.id == cudaLaunchAttributeCooperative) configuration.cooperative = attribute.val.cooperative != 0;
    const auto& cluster = attribute.val.clusterDim;
    if (attribute.id == cudaLaunchAttributeClusterDimension && (cluster.x > 1 || cluster.y > 1 || cluster.z > 1))
      fail(cudaErrorNotSupported, "unsupported feature", "clusters of blocks are not supported",
           "Launch without a cluster dimension.");
  }
  return configuration;
}

}  // namespace

Kernel& warpwright::cudart::kernel_of(const void* function) {
  Kernel* kernel = runtime().modules.kernel(function);
  if (kernel == nullptr) {
    const bool is_null = function == nullptr;
    fail(is_null ? cudaErrorInvalidDeviceFunction : cudaErrorInvalidResourceHandle, "no such kernel",
         fmt::format("the function is no kernel of this program: it is {}",
                     is_null ? "a null pointer" : "an unknown address"),
         "Pass the __global__ function itself, compiled by nvcc into this program.");
  }
  return *kernel;
}

extern "C" cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                                        std::size_t shared_bytes, cudaStream_t stream) {
  const cudaError_t result = call("cudaLaunchKernel", [&] {
    launch(kernel_of(function), {grid, block, shared_bytes, stream}, arguments);
  });
  in_brackets() = false;
  return result;
}

extern "C" cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function, void** arguments) {
  return call("cudaLaunchKernelExC", [&] {
    require_result(config, "config");
    launch(kernel_of(function), configuration_of(*config), arguments);
  });
}

extern "C" cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                                                   std::size_t shared_bytes, cudaStream_t stream) {
  return call("cudaLaunchCooperativeKernel", [&] {
    launch(kernel_of(function), {grid, block, shared_bytes, stream, true}, arguments);
  });
}

extern "C" cudaError_t cudaGetKernel(cudaKernel_t* handle, const void* stub) {
  return call("cudaGetKernel", [&] {
    require_result(handle, "kernelPtr");
    *handle = reinterpret_cast<cudaKernel_t>(&kernel_of(stub));
  });
}

extern "C" cudaError_t cudaFuncGetName(const char** name, const void* function) {
  return call("cudaFuncGetName", [&] {
    require_result(name, "name");
    *name = kernel_of(function).mangled.c_str();
  });
}

extern "C" cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  return call("cudaFuncGetAttributes", [&] {
    require_result(attributes, "attr");
    Kernel& kernel = kernel_of(function);
    const Program& program = runtime().modules.decode(kernel);
    const Device& device = runtime().device;
    *attributes = {};
    attributes->sharedSizeBytes = program.static_shared_bytes;
    attributes->constSizeBytes = kernel.module->constant_bytes();
    attributes->localSizeBytes = program.local_bytes;
    attributes->maxThreadsPerBlock = std::min<int>(device.max_threads_per_block, static_cast<int>(program.max_threads));
    attributes->numRegs = assumed_registers;
    attributes->ptxVersion = attributes->binaryVersion = device.major * 10 + device.minor;
    attributes->maxDynamicSharedSizeBytes = static_cast<int>(dynamic_shared_limit(kernel, program));
    attributes->preferredShmemCarveout = kernel.shared_carveout;
  });
}

extern "C" cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
  return call("cudaFuncSetAttribute", [&] {
    Kernel& kernel = kernel_of(function);
    const int number = Passed(attribute).number;
    switch (number) {
      case cudaFuncAttributeMaxDynamicSharedMemorySize: {
        const Program& program = runtime().modules.decode(kernel);
        const int most = runtime().device.shared_bytes_per_block_optin - static_cast<int>(program.static_shared_bytes);
        if (value < 0 || value > most)
          fail(cudaErrorInvalidValue, "bad argument",
               fmt::format("{} bytes of dynamic shared memory for {}, and the {} allows {} beside its static arrays",
                           value, kernel.name(), runtime().device.name, most),
               "Use a smaller tile.");
        kernel.dynamic_shared_limit = static_cast<std::size_t>(value);
        return;
      }
      case cudaFuncAttributePreferredSharedMemoryCarveout:
        if (value < -1 || value > 100)
          fail(cudaErrorInvalidValue, "bad argument", fmt::format("a carve-out of {} per cent", value),
               "Pass 0 to 100, or -1 for the default.");
        kernel.shared_carveout = value;
        return;
      default:
        fail(cudaErrorNotSupported, "unsupported feature",
             fmt::format("function attribute {} is not supported", number), "Clusters of blocks are not simulated.");
    }
  });
}

extern "C" cudaError_t cudaFuncSetCacheConfig(const void* function, cudaFuncCache) {
  return call("cudaFuncSetCacheConfig", [&] { kernel_of(function); });  // a preference; the simulated GPU has no caches
}

extern "C" cudaError_t cudaFuncGetParamInfo(const void* function, std::size_t index, std::size_t* offset,
                                            std::size_t* bytes) {
  return call("cudaFuncGetParamInfo", [&] {
    require_result(offset, "paramOffset");
    const Program& program = runtime().modules.decode(kernel_of(function));
    if (index >= program.parameters.size())
      fail(cudaErrorInvalidValue, "bad argument",
           fmt::format("there is no parameter {}: the kernel has {}", index, program.parameters.size()),
           "Parameters are counted from 0.");
    *offset = program.parameters[index].offset;
    if (bytes != nullptr) *bytes = program.parameters[index].bytes;
  });
}

extern "C" cudaError_t cudaGetFuncBySymbol(cudaFunction_t* handle, const void* stub) {
  return call("cudaGetFuncBySymbol", [&] {
    require_result(handle, "functionPtr");
    *handle = reinterpret_cast<cudaFunction_t>(&kernel_of(stub));
  });
}

extern "C" cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, cudaFuncAttribute attribute, int value,
                                                       int device) {
  const cudaError_t selected = cudaSetDevice(device);
  return selected != cudaSuccess ? selected : cudaFuncSetAttribute(kernel, attribute, value);
}

PER_THREAD_STREAM(cudaLaunchKernel, ptsz, 6);
PER_THREAD_STREAM(cudaLaunchKernelExC, ptsz, 3);
PER_THREAD_STREAM(cudaLaunchCooperativeKernel, ptsz, 6);
