// In its last round over an array, a warp has work for some lanes only. The others have left the loop, and with it the
// shuffle.
// expect: shuffle source at [shuffle], thread (0,0,0), block (0,0,0), saying "lane 16, which has exited"
#include <cuda_runtime.h>

namespace {

template <bool mended>
__global__ void sum_of(const int* values, int* sum, int n) {
  const int lane = threadIdx.x;
  int total = 0;
  for (int i = lane; mended ? i - lane < n : i < n; i += 32) {
    int value = i < n ? values[i] : 0;
    for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(0xffffffff, value, step);  // [shuffle]
    total += value;
  }
  if (lane == 0) *sum = total;
}

}  // namespace

extern "C" void uneven_rounds(bool mended) {
  constexpr int n = 80;
  int* values = nullptr;
  int* sum = nullptr;
  cudaMalloc(&values, n * sizeof(int));
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(values, 1, n * sizeof(int));
  const auto kernel = mended ? sum_of<true> : sum_of<false>;
  kernel<<<1, 32>>>(values, sum, n);
  cudaFree(values);
  cudaFree(sum);
}
