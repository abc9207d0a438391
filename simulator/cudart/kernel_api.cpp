// Launches, and questions about kernels: attributes and occupancy.
#include <cuda_runtime_api.h>
#include <fmt/core.h>

#include <algorithm>

#include "cudart/launch.h"
#include "cudart/runtime.h"

using namespace warpwright::cudart;
using warpwright::machine::Program;

namespace {

constexpr int warp_size = 32;
// ptxas decides how many registers a thread gets, and the simulated GPU has no ptxas. This is the largest number at
// which registers never limit occupancy: 2048 threads of 32 registers fill a multiprocessor's 65536.
constexpr int assumed_registers = 32;
// Shared memory is handed out in units of this many bytes (compute capability 8.0 and later).
constexpr int shared_granule = 128;

Kernel& kernel_of(const void* function) {
  Kernel* kernel = runtime().modules.kernel(function);
  if (kernel == nullptr)
    fail(cudaErrorInvalidDeviceFunction, "no such kernel",
         fmt::format("the function is no kernel of this program: it is {}",
                     function == nullptr ? "a null pointer" : "an unknown address"),
         "Pass the __global__ function itself, compiled by nvcc into this program.");
  return *kernel;
}

int blocks_per_multiprocessor(const Program& program, int block_size, std::size_t dynamic_shared_bytes) {
  const Device& device = runtime().device;
  if (block_size <= 0)
    fail(cudaErrorInvalidValue, "bad argument", fmt::format("a block of {} threads", block_size),
         "Ask about a block of 1 to 1024 threads.");
  if (block_size > std::min<int>(device.max_threads_per_block, static_cast<int>(program.max_threads))) return 0;
  const int warps = (block_size + warp_size - 1) / warp_size;
  const int by_threads = device.max_threads_per_multiprocessor / warp_size / warps;
  const std::size_t used = program.static_shared_bytes + dynamic_shared_bytes;
  if (used > static_cast<std::size_t>(device.shared_bytes_per_block_optin)) return 0;
  const std::size_t shared = (used + shared_granule - 1) / shared_granule * shared_granule +
                             static_cast<std::size_t>(device.shared_bytes_reserved_per_block);
  const auto by_shared = static_cast<int>(static_cast<std::size_t>(device.shared_bytes_per_multiprocessor) / shared);
  return std::min({device.max_blocks_per_multiprocessor, by_threads, by_shared});
}

/// Launch attributes change when and where a kernel runs, never what it computes, except those refused here.
void check_attributes(const cudaLaunchConfig_t& config) {
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    const cudaLaunchAttribute& attribute = config.attrs[i];
    if (attribute.id == cudaLaunchAttributeCooperative && attribute.val.cooperative != 0)
      fail(cudaErrorNotSupported, "unsupported feature", "cooperative launches are not supported yet",
           "Split the kernel at its grid-wide synchronisation.");
    const auto& cluster = attribute.val.clusterDim;
    if (attribute.id == cudaLaunchAttributeClusterDimension && (cluster.x > 1 || cluster.y > 1 || cluster.z > 1))
      fail(cudaErrorNotSupported, "unsupported feature", "clusters of blocks are not supported",
           "Launch without a cluster dimension.");
  }
}

}  // namespace

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
    check_attributes(*config);
    launch(kernel_of(function), {config->gridDim, config->blockDim, config->dynamicSmemBytes, config->stream},
           arguments);
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
    switch (attribute) {
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
             fmt::format("function attribute {} is not supported", static_cast<int>(attribute)),
             "Clusters of blocks are not simulated.");
    }
  });
}

extern "C" cudaError_t cudaFuncSetCacheConfig(const void* function, cudaFuncCache) {
  return call("cudaFuncSetCacheConfig", [&] { kernel_of(function); });  // a preference; the simulated GPU has no caches
}

extern "C" cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function, int block_size,
                                                                     std::size_t dynamic_shared_bytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, block_size, dynamic_shared_bytes,
                                                                cudaOccupancyDefault);
}

extern "C" cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function,
                                                                              int block_size,
                                                                              std::size_t dynamic_shared_bytes,
                                                                              unsigned) {
  return call("cudaOccupancyMaxActiveBlocksPerMultiprocessor", [&] {
    require_result(blocks, "numBlocks");
    const Program& program = runtime().modules.decode(kernel_of(function));
    *blocks = blocks_per_multiprocessor(program, block_size, dynamic_shared_bytes);
  });
}

extern "C" cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, const void* function, int blocks,
                                                                 int block_size) {
  return call("cudaOccupancyAvailableDynamicSMemPerBlock", [&] {
    require_result(bytes, "dynamicSmemSize");
    const Program& program = runtime().modules.decode(kernel_of(function));
    if (blocks <= 0 || blocks > blocks_per_multiprocessor(program, block_size, 0))
      fail(cudaErrorInvalidValue, "bad argument",
           fmt::format("{} blocks of {} threads do not fit a multiprocessor", blocks, block_size), "Ask about fewer.");
    const Device& device = runtime().device;
    const int share = device.shared_bytes_per_multiprocessor / blocks / shared_granule * shared_granule -
                      device.shared_bytes_reserved_per_block;
    *bytes =
        static_cast<std::size_t>(std::min(share, device.shared_bytes_per_block_optin)) - program.static_shared_bytes;
  });
}
