// The input is freed behind the copy that filled it, and the kernel still uses it.
// expect: use after free at [use], thread (0,0,0), block (0,0,0), allocated at [allocation], saying "was freed at"
#include <cuda_runtime.h>

namespace {

__global__ void twice(const int* values, int* doubled) {
  doubled[threadIdx.x] = 2 * values[threadIdx.x];  // [use]
}

}  // namespace

extern "C" void freed_too_early(bool mended) {
  constexpr int n = 64;
  int numbers[n] = {};
  int* values = nullptr;
  int* doubled = nullptr;
  cudaMalloc(&values, n * sizeof(int));  // [allocation]
  cudaMalloc(&doubled, n * sizeof(int));
  cudaMemcpy(values, numbers, n * sizeof(int), cudaMemcpyHostToDevice);
  if (!mended) cudaFree(values);
  twice<<<1, n>>>(values, doubled);
  if (mended) cudaFree(values);
  cudaFree(doubled);
}
