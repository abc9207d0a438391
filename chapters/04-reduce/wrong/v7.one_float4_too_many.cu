// wrong: the tail read as a whole float4, behind the end; rejected by: safely: out of bounds
#include "reduce.h"

namespace {

// The sum of a value from each lane, in lane 0.
__device__ float sum_of_warp(float value) {
  for (unsigned distance = 16; distance > 0; distance /= 2) value += __shfl_down_sync(0xffffffff, value, distance);
  return value;
}

// The sum of a value from each thread, in thread 0. The block is a multiple of 32 threads.
__device__ float sum_of_block(float value) {
  __shared__ float warp_sums[32];
  const unsigned t = threadIdx.x;
  value = sum_of_warp(value);
  if (t % 32 == 0) warp_sums[t / 32] = value;
  __syncthreads();
  if (t < 32) value = sum_of_warp(t < blockDim.x / 32 ? warp_sums[t] : 0.0f);
  return value;
}

// Writes sums to out[0] to out[blocks - 1] that add up to the sum of in[0] to in[n - 1].
__global__ void sum_all(const float* in, float* out, std::size_t n) {
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  float sum = 0;
  const auto* in4 = reinterpret_cast<const float4*>(in);
  for (std::size_t i = thread; i < (n + 3) / 4; i += threads) {
    const float4 four = in4[i];
    sum += (four.x + four.y) + (four.z + four.w);
  }
  sum = sum_of_block(sum);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

// How many blocks a grid has that sums n values.
std::size_t blocks_for(std::size_t n, unsigned block_threads) {
  int device{}, multiprocessors{}, resident{};
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, sum_all, static_cast<int>(block_threads), 0);
  const std::size_t full = static_cast<std::size_t>(multiprocessors) * static_cast<std::size_t>(resident);
  const std::size_t needed = reduce::groups_of(4 * block_threads, n);
  return needed < full ? needed : full;
}

}  // namespace

void reduce::v7(const float* in, float* out, float* workspace, std::size_t n, unsigned block_threads,
                cudaStream_t stream) {
  if (n == 0) {
    cudaMemsetAsync(out, 0, sizeof *out, stream);  // a grid of 0 blocks is not a legal launch
    return;
  }
  const std::size_t blocks = blocks_for(n, block_threads);
  sum_all<<<static_cast<unsigned>(blocks), block_threads, 0, stream>>>(in, blocks == 1 ? out : workspace, n);
  if (blocks > 1) sum_all<<<1, block_threads, 0, stream>>>(workspace, out, blocks);
}
