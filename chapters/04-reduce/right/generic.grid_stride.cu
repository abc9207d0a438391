// Grid-stride; an operation that takes care of NaN by itself, and its neutral value as an argument at run time.
#include <cmath>

#include "reduce.h"

namespace {

struct Minimum {
  __device__ static float combine(float a, float b) { return a < b || isnan(b) ? a : b; }
};
struct Maximum {
  __device__ static float combine(float a, float b) { return a > b || isnan(b) ? a : b; }
};
struct Addition {
  __device__ static float combine(float a, float b) { return b + a; }
};

// x[i], or x[i] * y[i] if there is a y.
template <class Operation, bool products>
__global__ void reduce_all(const float* x, const float* y, float start, float* out, std::size_t n) {
  __shared__ float parts[32];
  float result = start;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n;
       i += std::size_t{gridDim.x} * blockDim.x) {
    float value = x[i];
    if (products) value *= y[i];
    result = Operation::combine(result, value);
  }
  for (int round = 0; round < 2; ++round) {
    for (int distance = 16; distance > 0; distance /= 2)
      result = Operation::combine(result, __shfl_down_sync(~0u, result, distance));
    if (round == 1) break;
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = result;
    __syncthreads();
    if (threadIdx.x >= 32) return;
    result = threadIdx.x < blockDim.x / 32 ? parts[threadIdx.x] : start;
  }
  if (threadIdx.x == 0) out[blockIdx.x] = result;
}

template <class Operation, bool products>
void run(const float* x, const float* y, float start, float* out, float* workspace, std::size_t n,
         cudaStream_t stream) {
  constexpr unsigned threads = 1024;
  const std::size_t needed = reduce::groups_of(threads, n);
  const unsigned blocks = needed < 1 ? 1 : needed > 264 ? 264 : static_cast<unsigned>(needed);
  reduce_all<Operation, products><<<blocks, threads, 0, stream>>>(x, y, start, blocks > 1 ? workspace : out, n);
  if (blocks > 1) reduce_all<Operation, false><<<1, threads, 0, stream>>>(workspace, nullptr, start, out, blocks);
}

}  // namespace

void reduce::minimum(const float* in, float* out, float* workspace, std::size_t n, cudaStream_t stream) {
  run<Minimum, false>(in, nullptr, INFINITY, out, workspace, n, stream);
}

void reduce::maximum(const float* in, float* out, float* workspace, std::size_t n, cudaStream_t stream) {
  run<Maximum, false>(in, nullptr, -INFINITY, out, workspace, n, stream);
}

void reduce::dot(const float* x, const float* y, float* out, float* workspace, std::size_t n, cudaStream_t stream) {
  run<Addition, true>(x, y, 0, out, workspace, n, stream);
}
