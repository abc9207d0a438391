// A sum by atomics starts from what the allocation happens to hold, and goes on from there at the next launch.
// expect: uninitialised at [addition], thread (0,0,0), block (0,0,0), allocated at [allocation]
#include <cuda_runtime.h>

namespace {

__global__ void add_up(const int* values, int* total) {
  atomicAdd(total, values[blockIdx.x * blockDim.x + threadIdx.x]);  // [addition]
}

}  // namespace

extern "C" void sum_not_reset(bool mended) {
  constexpr int n = 512;
  int* values = nullptr;
  int* total = nullptr;
  cudaMalloc(&values, n * sizeof(int));
  cudaMalloc(&total, sizeof(int));  // [allocation]
  cudaMemset(values, 1, n * sizeof(int));
  for (int run = 0; run < 2; ++run) {
    if (mended) cudaMemset(total, 0, sizeof(int));
    add_up<<<n / 128, 128>>>(values, total);
  }
  cudaFree(values);
  cudaFree(total);
}
