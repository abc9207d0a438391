// warps.identify: which warp and which lane a thread is.
//
// The hardware knows no two- or three-dimensional blocks. It counts a block's threads, x running fastest, then y, then
// z, and cuts the count into pieces of 32: those are the warps.

#include "warps.h"

namespace {

__global__ void write_places(warps::Place* places) {
  const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  const unsigned threads = blockDim.x * blockDim.y * blockDim.z;
  // SOLUTION: the same count for threads as for blocks above. Neighbours in x are neighbouring lanes, which store side
  // by side: 32 places of 8 bytes are 8 sectors, one request.
  const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  // END
  places[block * threads + thread] = {thread / 32, thread % 32};
}

}  // namespace

void warps::identify(Place* places, dim3 grid, dim3 block, cudaStream_t stream) {
  write_places<<<grid, block, 0, stream>>>(places);
}
