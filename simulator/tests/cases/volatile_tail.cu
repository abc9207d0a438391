// The last warp of a sum adds through a volatile pointer and no barrier: lanes need not run in step, whatever a pointer
// is.
// expect: race at [second addition] with [first addition], block (0,0,0), saying "__syncwarp"
#include <cuda_runtime.h>

namespace {

constexpr int block_size = 64;

template <bool mended>
__global__ void warp_sum(const int* values, int* sums) {
  __shared__ int tile[block_size];
  const int t = threadIdx.x;
  tile[t] = values[t];
  __syncthreads();
  if (t >= 32) return;
  if constexpr (mended) {
    int sum = tile[t] + tile[t + 32];
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, distance);
    if (t == 0) sums[0] = sum;
  } else {
    volatile int* slot = tile + t;
    slot[0] += slot[32];  // [first addition]
    slot[0] += slot[16];  // [second addition]
    slot[0] += slot[8];
    slot[0] += slot[4];
    slot[0] += slot[2];
    slot[0] += slot[1];
    if (t == 0) sums[0] = slot[0];
  }
}

}  // namespace

extern "C" void volatile_tail(bool mended) {
  int* values = nullptr;
  int* sums = nullptr;
  cudaMalloc(&values, block_size * sizeof(int));
  cudaMalloc(&sums, sizeof(int));
  cudaMemset(values, 1, block_size * sizeof(int));
  const auto kernel = mended ? warp_sum<true> : warp_sum<false>;
  kernel<<<1, block_size>>>(values, sums);
  cudaFree(values);
  cudaFree(sums);
}
