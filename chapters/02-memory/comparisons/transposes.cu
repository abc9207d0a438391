// What a transpose is measured against: one without a tile, and copies of as many bytes.
#include "comparisons.h"

namespace {

__global__ void write_columns(const float* in, float* out, std::size_t width, std::size_t height) {
  const std::size_t x = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t y = std::size_t{blockIdx.y} * blockDim.y + threadIdx.y;
  if (x < width && y < height) out[x * height + y] = in[y * width + x];
}

__global__ void write_rows(const float* in, float* out, std::size_t width, std::size_t height) {
  const std::size_t x = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t y = std::size_t{blockIdx.y} * blockDim.y + threadIdx.y;
  if (x < width && y < height) out[y * width + x] = in[y * width + x];
}

const dim3 block(32, 8);

dim3 grid_for(std::size_t width, std::size_t height) {
  return dim3(static_cast<unsigned>((width + 31) / 32), static_cast<unsigned>((height + 7) / 8));
}

}  // namespace

void memory::transpose_naive(const float* in, float* out, std::size_t width, std::size_t height, cudaStream_t stream) {
  write_columns<<<grid_for(width, height), block, 0, stream>>>(in, out, width, height);
}

void memory::copy_matrix(const float* in, float* out, std::size_t width, std::size_t height, cudaStream_t stream) {
  write_rows<<<grid_for(width, height), block, 0, stream>>>(in, out, width, height);
}

void memory::copy_by_runtime(const float* in, float* out, std::size_t width, std::size_t height, cudaStream_t stream) {
  cudaMemcpyAsync(out, in, width * height * sizeof(float), cudaMemcpyDeviceToDevice, stream);
}
