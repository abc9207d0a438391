// The lanes that keep their value add them up with one atomic, by a leader who tells the others where to write. The
// leader is always lane 0, who may be none of them.
// expect: shuffle source at [shuffle], thread (1,0,0), block (0,0,0), saying "the value of lane 0, which does not"
#include <cuda_runtime.h>

namespace {

template <bool mended>
__global__ void keep_odd(const int* values, int* kept, int* count) {
  const int value = values[threadIdx.x], lane = threadIdx.x % 32;
  const bool keeps = value % 2 != 0;
  const unsigned mask = __ballot_sync(0xffffffff, keeps);
  if (!keeps) return;
  const int leader = mended ? __ffs(mask) - 1 : 0;
  int first;
  if (lane == leader) first = atomicAdd(count, __popc(mask));
  first = __shfl_sync(mask, first, leader);  // [shuffle]
  kept[(first + __popc(mask & ((1u << lane) - 1))) % 32] = value;
}

}  // namespace

extern "C" void wrong_leader(bool mended) {
  constexpr int n = 32;
  int numbers[n];
  for (int i = 0; i < n; ++i) numbers[i] = i;
  int* values = nullptr;
  int* kept = nullptr;
  int* count = nullptr;
  cudaMalloc(&values, n * sizeof(int));
  cudaMalloc(&count, sizeof(int));
  cudaMalloc(&kept, n * sizeof(int));
  cudaMemcpy(values, numbers, n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(count, 0, sizeof(int));
  cudaMemset(kept, 0, n * sizeof(int));
  const auto kernel = mended ? keep_odd<true> : keep_odd<false>;
  kernel<<<1, n>>>(values, kept, count);
  cudaFree(values);
  cudaFree(count);
  cudaFree(kept);
}
