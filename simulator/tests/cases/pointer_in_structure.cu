// A structure is copied to the device, and the pointer in it still leads to the host's array.
// expect: host pointer at [use], thread (0,0,0), block (0,0,0), saying "read from memory"
#include <cuda_runtime.h>

namespace {

struct Picture {
  int size;
  int* pixels;
};

__global__ void brighten(Picture* picture) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < picture->size) ++picture->pixels[i];  // [use]
}

}  // namespace

extern "C" void pointer_in_structure(bool mended) {
  constexpr int n = 64;
  int numbers[n] = {};
  Picture picture = {n, numbers};
  Picture* on_device = nullptr;
  int* pixels = nullptr;
  cudaMalloc(&on_device, sizeof(Picture));
  cudaMalloc(&pixels, sizeof(numbers));
  cudaMemcpy(pixels, numbers, sizeof(numbers), cudaMemcpyHostToDevice);
  if (mended) picture.pixels = pixels;
  cudaMemcpy(on_device, &picture, sizeof(Picture), cudaMemcpyHostToDevice);
  brighten<<<1, n>>>(on_device);
  cudaFree(on_device);
  cudaFree(pixels);
}
