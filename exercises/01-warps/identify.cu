// warps.identify: which warp and which lane a thread is.
//
// The hardware knows no two- or three-dimensional blocks. It counts a block's threads, x running fastest, then y, then
// z, and cuts the count into pieces of 32: those are the warps.
//
// fails now: right: counts x first then y then z

#include "warps.h"

namespace {

__global__ void write_places(warps::Place* places) {
  const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  const unsigned threads = blockDim.x * blockDim.y * blockDim.z;
  // TODO: count the threads of a block that has y and z as well.
  const unsigned thread = threadIdx.x;
  // END
  places[block * threads + thread] = {thread / 32, thread % 32};
}

}  // namespace

void warps::identify(Place* places, dim3 grid, dim3 block, cudaStream_t stream) {
  write_places<<<grid, block, 0, stream>>>(places);
}
