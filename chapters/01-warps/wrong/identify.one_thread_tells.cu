// wrong: one thread stores the places of all; rejected by: contract: every thread stores its own place once
#include "warps.h"

namespace {

__global__ void write_places(warps::Place* places) {
  const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  const unsigned threads = blockDim.x * blockDim.y * blockDim.z;
  if (threadIdx.x + threadIdx.y + threadIdx.z != 0) return;
  for (unsigned thread = 0; thread < threads; ++thread) places[block * threads + thread] = {thread / 32, thread % 32};
}

}  // namespace

void warps::identify(Place* places, dim3 grid, dim3 block, cudaStream_t stream) {
  write_places<<<grid, block, 0, stream>>>(places);
}
