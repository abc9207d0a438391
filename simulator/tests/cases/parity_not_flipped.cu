// Every round ends at one mbarrier, and every round waits for parity 0. That is the first phase, so the second round
// goes on at once, before the others have written.
// expect: race at [read of the neighbour] with [write of its own], saying "parity"
// expect: livelock at [wait], saying "parity"
#include <cuda_awbarrier_primitives.h>
#include <cuda_runtime.h>

namespace {

constexpr int block_size = 64;

template <bool mended>
__global__ void smooth(const int* values, int* smoothed, int rounds) {
  __shared__ int tile[2][block_size];
  __shared__ __mbarrier_t barrier;
  const int t = threadIdx.x;
  if (t == 0) __mbarrier_init(&barrier, block_size);
  __syncthreads();
  int mine = values[t];
  for (int round = 0; round < rounds; ++round) {
    tile[round % 2][t] = mine;  // [write of its own]
    __mbarrier_arrive(&barrier);
    while (!__mbarrier_test_wait_parity(&barrier, mended ? round % 2 : 0)) {  // [wait]
    }
    mine += tile[round % 2][t ^ 32];  // [read of the neighbour]
  }
  smoothed[t] = mine;
}

}  // namespace

extern "C" void parity_not_flipped(bool mended) {
  int* values = nullptr;
  int* smoothed = nullptr;
  cudaMalloc(&values, block_size * sizeof(int));
  cudaMalloc(&smoothed, block_size * sizeof(int));
  cudaMemset(values, 0, block_size * sizeof(int));
  const auto kernel = mended ? smooth<true> : smooth<false>;
  kernel<<<1, block_size>>>(values, smoothed, 2);
  cudaFree(values);
  cudaFree(smoothed);
}
