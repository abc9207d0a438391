// wrong: takes each row of the block for a warp; rejected by: right: counts along x
#include "warps.h"

namespace {

__global__ void write_places(warps::Place* places) {
  const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  const unsigned threads = blockDim.x * blockDim.y * blockDim.z;
  const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  places[block * threads + thread] = {threadIdx.y + blockDim.y * threadIdx.z, threadIdx.x};
}

}  // namespace

void warps::identify(Place* places, dim3 grid, dim3 block, cudaStream_t stream) {
  write_places<<<grid, block, 0, stream>>>(places);
}
