// An image lies on the device at a pitch, and is copied there as if its rows lay side by side.
// expect: uninitialised at [read of the pixel], saying "cudaMemcpy2D", alone
#include <cuda_runtime.h>

namespace {

constexpr int width = 100;
constexpr int height = 16;

__global__ void brighten(const char* image, size_t pitch, float* out) {
  const int x = threadIdx.x;
  const int y = blockIdx.x;
  if (x >= width) return;
  const float* row = reinterpret_cast<const float*>(image + y * pitch);
  out[y * width + x] = 2 * row[x];  // [read of the pixel]
}

}  // namespace

extern "C" void pitch_not_copied(bool mended) {
  static float host[height * width];
  char* image = nullptr;
  float* out = nullptr;
  size_t pitch = 0;
  cudaMallocPitch(&image, &pitch, width * sizeof(float), height);
  cudaMalloc(&out, sizeof host);
  if (mended)
    cudaMemcpy2D(image, pitch, host, width * sizeof(float), width * sizeof(float), height, cudaMemcpyHostToDevice);
  else
    cudaMemcpy(image, host, sizeof host, cudaMemcpyHostToDevice);
  brighten<<<height, 128>>>(image, pitch, out);
  cudaFree(image);
  cudaFree(out);
}
