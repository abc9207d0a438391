// A pitch is in bytes, and is added to a pointer to floats: the rows lie four times too far apart.
// expect: out of bounds at [write of the pixel], block (4,0,0), saying "(char*)pointer + y * pitch", alone
#include <cuda_runtime.h>

namespace {

constexpr int width = 100;
constexpr int height = 16;

template <bool mended>
__global__ void blacken(float* image, size_t pitch) {
  const int x = threadIdx.x;
  const int y = blockIdx.x;
  if (x >= width) return;
  float* row = mended ? reinterpret_cast<float*>(reinterpret_cast<char*>(image) + y * pitch) : image + y * pitch;
  row[x] = 0;  // [write of the pixel]
}

}  // namespace

extern "C" void pitch_in_elements(bool mended) {
  float* image = nullptr;
  size_t pitch = 0;
  cudaMallocPitch(&image, &pitch, width * sizeof(float), height);
  cudaMemset2D(image, pitch, 0, width * sizeof(float), height);
  const auto kernel = mended ? blacken<true> : blacken<false>;
  kernel<<<height, 128>>>(image, pitch);
  cudaFree(image);
}
