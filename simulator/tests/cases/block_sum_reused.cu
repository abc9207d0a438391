// A helper that keeps one partial sum a warp in shared memory, called twice: the second call's writes can overtake
// warps that still read the first call's partials.
// expect: race at [write] with [read], block (0,0,0), through [second call] and [first call], saying "partial["
#include <cuda_runtime.h>

namespace {

constexpr int block_size = 256;
constexpr int warps = block_size / 32;

template <bool mended>
__device__ int block_sum(int value) {
  __shared__ int partial[warps];
  for (int distance = 16; distance > 0; distance /= 2) value += __shfl_down_sync(0xffffffffu, value, distance);
  if constexpr (mended) __syncthreads();
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = value;  // [write]
  __syncthreads();
  int sum = 0;
  for (int warp = 0; warp < warps; ++warp) sum += partial[warp];  // [read]
  return sum;
}

template <bool mended>
__global__ void two_sums(const int* values, int2* sums) {
  const int value = values[threadIdx.x];
  const int first = block_sum<mended>(value);    // [first call]
  const int second = block_sum<mended>(-value);  // [second call]
  sums[threadIdx.x] = make_int2(first, second);
}

}  // namespace

extern "C" void block_sum_reused(bool mended) {
  int* values = nullptr;
  int2* sums = nullptr;
  cudaMalloc(&values, block_size * sizeof(int));
  cudaMalloc(&sums, block_size * sizeof(int2));
  cudaMemset(values, 1, block_size * sizeof(int));
  const auto kernel = mended ? two_sums<true> : two_sums<false>;
  kernel<<<1, block_size>>>(values, sums);
  cudaFree(values);
  cudaFree(sums);
}
