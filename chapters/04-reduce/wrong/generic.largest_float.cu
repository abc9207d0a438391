// wrong: FLT_MAX stands for infinity; rejected by: right: finds infinity where nothing else is
#include <cmath>

#include "reduce.h"

namespace {

constexpr unsigned block_threads = 256;
constexpr unsigned warps = block_threads / 32;
constexpr unsigned tile_values = 2 * block_threads;

struct Sum {
  static constexpr float neutral = 0;
  __device__ float operator()(float a, float b) const { return a + b; }
};
struct Least {
  static constexpr float neutral = 3.402823466e+38f;
  __device__ float operator()(float a, float b) const { return fminf(a, b); }
};
struct Greatest {
  static constexpr float neutral = -INFINITY;
  __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};

struct Values {
  const float* in;
  __device__ float operator()(std::size_t i) const { return in[i]; }
};
struct Products {
  const float *x, *y;
  __device__ float operator()(std::size_t i) const { return x[i] * y[i]; }
};

template <class Operation>
__device__ float combine_warp(float value) {
  for (unsigned distance = 16; distance > 0; distance /= 2)
    value = Operation()(value, __shfl_down_sync(0xffffffff, value, distance));
  return value;
}

// Combines the elements of the block's tile, as far as they are below n, and writes the result to out[b], where b is
// the block's number.
template <class Operation, class Elements>
__global__ void combine_tiles(Elements element, float* out, std::size_t n) {
  __shared__ float warp_results[warps];
  const unsigned t = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * tile_values + t;
  const float first = i < n ? element(i) : Operation::neutral;
  const float second = i + block_threads < n ? element(i + block_threads) : Operation::neutral;
  float result = combine_warp<Operation>(Operation()(first, second));
  if (t % 32 == 0) warp_results[t / 32] = result;
  __syncthreads();
  if (t < 32) {
    result = combine_warp<Operation>(t < warps ? warp_results[t] : Operation::neutral);
    if (t == 0) out[blockIdx.x] = result;
  }
}

// Of no elements too: then a single block finds nothing but neutral values.
template <class Operation, class Elements>
void combine(Elements elements, float* out, float* workspace, std::size_t n, cudaStream_t stream) {
  const auto blocks = n == 0 ? 1 : static_cast<unsigned>(reduce::groups_of(tile_values, n));
  combine_tiles<Operation><<<blocks, block_threads, 0, stream>>>(elements, blocks == 1 ? out : workspace, n);
  // What a block wrote is a result of the operation already: it is not to be multiplied again.
  if (blocks > 1) combine<Operation>(Values{workspace}, out, workspace + blocks, blocks, stream);
}

}  // namespace

void reduce::minimum(const float* in, float* out, float* workspace, std::size_t n, cudaStream_t stream) {
  combine<Least>(Values{in}, out, workspace, n, stream);
}

void reduce::maximum(const float* in, float* out, float* workspace, std::size_t n, cudaStream_t stream) {
  combine<Greatest>(Values{in}, out, workspace, n, stream);
}

void reduce::dot(const float* x, const float* y, float* out, float* workspace, std::size_t n, cudaStream_t stream) {
  combine<Sum>(Products{x, y}, out, workspace, n, stream);
}
