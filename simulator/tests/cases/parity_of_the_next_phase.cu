// One thread fills a slot when it is empty, another one empties it. The slot is empty at first, but the one that fills
// it waits for the phase that has yet to come: both wait for ever.
// expect: livelock at [wait until it is empty] with [wait until it is full], saying "parity", alone
#include <cuda_awbarrier_primitives.h>
#include <cuda_runtime.h>

namespace {

template <bool mended>
__global__ void pass_on(const int* values, int* sum, int rounds) {
  __shared__ __mbarrier_t full, empty;
  __shared__ int slot;
  if (threadIdx.x == 0) {
    __mbarrier_init(&full, 1);
    __mbarrier_init(&empty, 1);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int round = 0; round < rounds; ++round) {
      while (!__mbarrier_test_wait_parity(&empty, mended ? (round + 1) % 2 : round % 2)) {  // [wait until it is empty]
      }
      slot = values[round];
      __mbarrier_arrive(&full);
    }
  } else if (threadIdx.x == 32) {
    int all = 0;
    for (int round = 0; round < rounds; ++round) {
      while (!__mbarrier_test_wait_parity(&full, round % 2)) {  // [wait until it is full]
      }
      all += slot;
      __mbarrier_arrive(&empty);
    }
    *sum = all;
  }
}

}  // namespace

extern "C" void parity_of_the_next_phase(bool mended) {
  constexpr int rounds = 4;
  int* values = nullptr;
  int* sum = nullptr;
  cudaMalloc(&values, rounds * sizeof(int));
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(values, 0, rounds * sizeof(int));
  const auto kernel = mended ? pass_on<true> : pass_on<false>;
  kernel<<<1, 64>>>(values, sum, rounds);
  cudaFree(values);
  cudaFree(sum);
}
