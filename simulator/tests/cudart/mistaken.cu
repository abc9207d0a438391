#include "mistaken.h"

#include <cassert>

namespace warpwright::cudart::kernels {
namespace {

constexpr int threads = 64;

__global__ void race_between_blocks_kernel(int* out) { out[threadIdx.x] = static_cast<int>(blockIdx.x); }

__global__ void add_unwritten_kernel(const float* in, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (in[i] > 0.0f) out[i] = in[i];
}

__global__ void part_at_barriers_kernel(int* out) {
  if (threadIdx.x < threads / 2) {
    out[blockIdx.x] = 1;
    asm volatile("barrier.sync 0;" ::: "memory");
  } else {
    asm volatile("barrier.sync 0;" ::: "memory");
    out[gridDim.x + blockIdx.x] = 2;
  }
}

__global__ void shuffle_from_nobody_kernel(int* out) {
  if (threadIdx.x % 32 >= 16) return;
  out[blockIdx.x * blockDim.x + threadIdx.x] = __shfl_sync(0xffff, static_cast<int>(threadIdx.x), 20);
}

__global__ void read_unwritten_tile_kernel(float* out) {
  __shared__ float tile[threads];
  if (threadIdx.x == 0) tile[0] = 1.0f;
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = tile[threadIdx.x] + 1.0f;
}

__global__ void race_in_blocks_kernel(int* out) {
  __shared__ int tile[threads];
  tile[threadIdx.x] = static_cast<int>(threadIdx.x);
  out[blockIdx.x * blockDim.x + threadIdx.x] = tile[threads - 1 - threadIdx.x];
}

__global__ void insist_on_early_blocks_kernel() { assert(blockIdx.x < gridDim.x / 2); }

}  // namespace

void race_between_blocks(int blocks, int* out) { race_between_blocks_kernel<<<blocks, threads>>>(out); }
void add_unwritten(int blocks, const float* in, float* out) { add_unwritten_kernel<<<blocks, threads>>>(in, out); }
void part_at_barriers(int blocks, int* out) { part_at_barriers_kernel<<<blocks, threads>>>(out); }
void shuffle_from_nobody(int blocks, int* out) { shuffle_from_nobody_kernel<<<blocks, threads>>>(out); }
void read_unwritten_tile(int blocks, float* out) { read_unwritten_tile_kernel<<<blocks, threads>>>(out); }
void insist_on_early_blocks(int blocks) { insist_on_early_blocks_kernel<<<blocks, threads>>>(); }
void race_in_blocks(int blocks, int* out) { race_in_blocks_kernel<<<blocks, threads>>>(out); }

}  // namespace warpwright::cudart::kernels
