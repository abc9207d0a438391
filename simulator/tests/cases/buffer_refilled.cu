// Two buffers take turns: while a kernel works on one, the other one is filled with the next part of the input. Nobody
// waits until the kernel is done with a buffer before that is filled again.
// expect: race at [refill] with [use], saying "may still be reading it"
#include <cuda_runtime.h>

namespace {

__global__ void add_up(const int* part, int n, int* total) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(total, part[i]);
}

}  // namespace

extern "C" void buffer_refilled(bool mended) {
  constexpr int parts = 6, n = 1 << 10;
  int* input = nullptr;
  int* buffers[2] = {};
  int* total = nullptr;
  cudaMallocHost(&input, parts * n * sizeof(int));
  for (int i = 0; i < parts * n; ++i) input[i] = i;
  for (int*& buffer : buffers) cudaMalloc(&buffer, n * sizeof(int));
  cudaMalloc(&total, sizeof(int));
  cudaMemset(total, 0, sizeof(int));
  cudaStream_t copies, kernels;
  cudaStreamCreate(&copies);
  cudaStreamCreate(&kernels);
  cudaEvent_t filled[2], used[2];
  for (cudaEvent_t& event : filled) cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  for (cudaEvent_t& event : used) cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  for (int part = 0; part < parts; ++part) {
    const int turn = part % 2;
    if (mended) cudaStreamWaitEvent(copies, used[turn], 0);
    cudaMemcpyAsync(buffers[turn], input + part * n, n * sizeof(int), cudaMemcpyHostToDevice, copies);  // [refill]
    cudaEventRecord(filled[turn], copies);
    cudaStreamWaitEvent(kernels, filled[turn], 0);
    add_up<<<1, 256, 0, kernels>>>(buffers[turn], n, total);  // [use]
    cudaEventRecord(used[turn], kernels);
  }
  cudaDeviceSynchronize();
  for (cudaEvent_t event : filled) cudaEventDestroy(event);
  for (cudaEvent_t event : used) cudaEventDestroy(event);
  cudaStreamDestroy(copies);
  cudaStreamDestroy(kernels);
  cudaFreeHost(input);
  for (int* buffer : buffers) cudaFree(buffer);
  cudaFree(total);
}
