// The time between two events is asked for as soon as the work is issued: the second event has not happened yet.
// expect: not waited for at [time], saying "the end event may not have happened yet"
#include <cuda_runtime.h>

namespace {

__global__ void add_one(int* values) { ++values[blockIdx.x * blockDim.x + threadIdx.x]; }

}  // namespace

extern "C" void time_not_waited(bool mended) {
  constexpr int n = 1 << 12;
  int* values = nullptr;
  cudaMalloc(&values, n * sizeof(int));
  cudaMemset(values, 0, n * sizeof(int));
  cudaDeviceSynchronize();
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  cudaEventRecord(begin);
  add_one<<<n / 256, 256>>>(values);
  cudaEventRecord(end);
  if (mended) cudaEventSynchronize(end);
  float milliseconds = 0;
  cudaEventElapsedTime(&milliseconds, begin, end);  // [time]
  const int is_known = milliseconds > 0 ? 1 : 0;
  cudaMemcpy(values, &is_known, sizeof(int), cudaMemcpyHostToDevice);
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  cudaFree(values);
}
