// wrong: takes the lane from threadIdx.x alone; rejected by: expected warp 0, lane 8
#include "warps.h"

namespace {

__global__ void write_places(warps::Place* places) {
  const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  const unsigned threads = blockDim.x * blockDim.y * blockDim.z;
  const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  places[block * threads + thread] = {thread / 32, threadIdx.x % 32};
}

}  // namespace

void warps::identify(Place* places, dim3 grid, dim3 block, cudaStream_t stream) {
  write_places<<<grid, block, 0, stream>>>(places);
}
