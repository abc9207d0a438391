// The flag is read through a plain pointer. The compiler reads it once, before the loop, which then has no end.
// expect: livelock at [wait for the flag], thread (0,0,0), block (0,0,0), saying "a loop at"
#include <cuda_runtime.h>

namespace {

template <class Flag>
__global__ void pass_on(Flag* flag, int* value) {
  if (threadIdx.x == 0) {
    while (*flag == 0) {  // [wait for the flag]
    }
    __threadfence();
    value[1] = value[0];
  }
  if (threadIdx.x == 32) {
    value[0] = 42;
    __threadfence();
    *flag = 1;
  }
}

}  // namespace

extern "C" void flag_read_once(bool mended) {
  int* flag = nullptr;
  int* value = nullptr;
  cudaMalloc(&flag, sizeof(int));
  cudaMalloc(&value, 2 * sizeof(int));
  cudaMemset(flag, 0, sizeof(int));
  cudaMemset(value, 0, 2 * sizeof(int));
  if (mended)
    pass_on<volatile int><<<1, 64>>>(flag, value);
  else
    pass_on<int><<<1, 64>>>(flag, value);
  cudaFree(flag);
  cudaFree(value);
}
