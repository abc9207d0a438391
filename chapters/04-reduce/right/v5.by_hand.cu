// The rounds written out by hand, each if the block is large enough for it: the compiler drops the others.
#include "passes.h"

namespace {

template <unsigned size>
__global__ void sum_tiles(const float* in, float* out, std::size_t n) {
  static_assert(size >= 64 && size <= 1024 && (size & (size - 1)) == 0, "a power of two, from two warps on");
  __shared__ float tile[size];
  const unsigned t = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * (2 * size) + t;
  const float first = i < n ? in[i] : 0.0f;
  const float second = i + size < n ? in[i + size] : 0.0f;
  tile[t] = first + second;
  __syncthreads();
  if (size >= 1024) {
    if (t < 512) tile[t] += tile[t + 512];
    __syncthreads();
  }
  if (size >= 512) {
    if (t < 256) tile[t] += tile[t + 256];
    __syncthreads();
  }
  if (size >= 256) {
    if (t < 128) tile[t] += tile[t + 128];
    __syncthreads();
  }
  if (size >= 128) {
    if (t < 64) tile[t] += tile[t + 64];
    __syncthreads();
  }
  if (t < 32) {
    tile[t] += tile[t + 32];
    __syncwarp();
    if (t < 16) tile[t] += tile[t + 16];
    __syncwarp();
    if (t < 8) tile[t] += tile[t + 8];
    __syncwarp();
    if (t < 4) tile[t] += tile[t + 4];
    __syncwarp();
    if (t < 2) tile[t] += tile[t + 2];
    __syncwarp();
    if (t == 0) out[blockIdx.x] = tile[0] + tile[1];
  }
}

template <unsigned size>
void launch(const float* in, float* out, float* workspace, std::size_t n, cudaStream_t stream) {
  reduce::in_passes(in, out, workspace, n, 2 * size, stream,
                    [=](const float* from, float* to, std::size_t count, unsigned blocks) {
                      sum_tiles<size><<<blocks, size, 0, stream>>>(from, to, count);
                    });
}

}  // namespace

void reduce::v5(const float* in, float* out, float* workspace, std::size_t n, cudaStream_t stream) {
  if (n < 4096) {  // few values: rather more blocks than larger ones
    launch<64>(in, out, workspace, n, stream);
  } else {
    launch<512>(in, out, workspace, n, stream);
  }
}
