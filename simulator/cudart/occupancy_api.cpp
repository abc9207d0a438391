// How many blocks fit a multiprocessor, for a program's own kernels. (cudaOccupancyMaxPotentialBlockSize is the
// header's, and asks these.)
#include <cuda_runtime_api.h>
#include <fmt/core.h>

#include "cudart/launch.h"
#include "cudart/occupancy.h"
#include "cudart/runtime.h"

using namespace warpwright::cudart;
using warpwright::machine::Program;

namespace {

void require_block_size(int block_size) {
  if (block_size <= 0)
    fail(cudaErrorInvalidValue, "bad argument", fmt::format("a block of {} threads", block_size),
         "Ask about a block of 1 to 1024 threads.");
}

}  // namespace

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
    require_block_size(block_size);
    const Program& program = runtime().modules.decode(kernel_of(function));
    *blocks = blocks_per_multiprocessor(runtime().device, needs_of(program, block_size, dynamic_shared_bytes));
  });
}

extern "C" cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, const void* function, int blocks,
                                                                 int block_size) {
  return call("cudaOccupancyAvailableDynamicSMemPerBlock", [&] {
    require_result(bytes, "dynamicSmemSize");
    const Program& program = runtime().modules.decode(kernel_of(function));
    require_block_size(block_size);
    const auto share = shared_bytes_for(runtime().device, needs_of(program, block_size, 0), blocks);
    if (!share)
      fail(cudaErrorInvalidValue, "bad argument",
           fmt::format("{} blocks of {} threads do not fit a multiprocessor", blocks, block_size), "Ask about fewer.");
    *bytes = *share - program.static_shared_bytes;
  });
}

extern "C" cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, const void* function, const cudaLaunchConfig_t*) {
  return call("cudaOccupancyMaxActiveClusters", [&] {
    require_result(clusters, "numClusters");
    kernel_of(function);
    *clusters = 0;
    fail(cudaErrorNotSupported, "unsupported feature", "clusters of blocks are not supported",
         "Launch without a cluster dimension.");
  });
}
