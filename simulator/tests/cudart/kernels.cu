#include "kernels.h"

#include <cassert>

namespace warpwright::cudart::kernels {
namespace {

__global__ void set_word_kernel(int* out, int value) { *out = value; }

__global__ void set_and_tell_kernel(int* out, int value, volatile int* flag) {
  *out = value;
  __threadfence_system();
  *flag = 1;
}

__global__ void scale_kernel(float* data, float factor, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= factor;
}

// The bytes of a line of 128 are copied by threads that are far apart.
__global__ void copy_scattered_kernel(const char* in, char* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lines = n / 128;
  const int byte = i % lines * 128 + i / lines;
  if (i < n) out[byte] = in[byte];
}

__global__ void __launch_bounds__(64) bounded_kernel() {}

__global__ void static_tile_kernel(float* out) {
  __shared__ float tile[10240];
  extern __shared__ float more[];
  tile[threadIdx.x] = static_cast<float>(threadIdx.x);
  more[threadIdx.x] = 1.0f;
  __syncthreads();
  out[threadIdx.x] = tile[31 - threadIdx.x] + more[31 - threadIdx.x];
}

__global__ void too_large_tile_kernel() {
  __shared__ volatile char tile[50000];
  tile[threadIdx.x] = 0;
}

__global__ void store_arguments_kernel(char letter, Mixed mixed, short half, double number, double* out) {
  out[0] = letter;
  out[1] = mixed.letter;
  out[2] = mixed.number;
  out[3] = mixed.half[2];
  out[4] = half;
  out[5] = number;
}

__global__ void read_word_kernel(const int* address, int* out) { *out = *address; }

__global__ void copy_between_kernel(const int* even, const int* odd, int* even_out, int* odd_out, int* even_count,
                                    int* odd_count) {
  const int lane = threadIdx.x;
  const bool is_odd = lane % 2 != 0;
  atomicAdd(is_odd ? odd_count : even_count, 1);
  int* out = is_odd ? odd_out : even_out;
  const int* in = is_odd ? odd : even;
  out[lane] = in[lane];
}

__global__ void wait_kernel(const volatile int* flag) {
  while (*flag == 0) {
  }
}

__global__ void wait_in_vain_kernel() {
  if (threadIdx.x < 32)
    asm volatile("barrier.sync 1, 64;");
  else
    asm volatile("barrier.sync 2, 64;");
}

__global__ void insist_kernel(int n) { assert(n < 5 || blockIdx.x == 0 || threadIdx.x != 3); }

__global__ void give_up_kernel() { __trap(); }

__global__ void last_block_kernel(volatile int* out) { *out = static_cast<int>(blockIdx.x); }

__global__ void count_kernel(int* counter) { atomicAdd(counter, 1); }

__global__ void meet_kernel(int* counter) {
  if (threadIdx.x != 0) return;
  atomicAdd(counter, 1);
  while (atomicAdd(counter, 0) < static_cast<int>(gridDim.x)) {
  }
}

}  // namespace

void scale(dim3 grid, dim3 block, std::size_t shared_bytes, float* data, float factor, int n, cudaStream_t stream) {
  scale_kernel<<<grid, block, shared_bytes, stream>>>(data, factor, n);
}
void set_word(int* out, int value, cudaStream_t stream) { set_word_kernel<<<1, 1, 0, stream>>>(out, value); }
const void* scale_function() { return reinterpret_cast<const void*>(scale_kernel); }

void copy_scattered(const char* in, char* out, int n) { copy_scattered_kernel<<<n / 256, 256>>>(in, out, n); }

void bounded(int threads) { bounded_kernel<<<1, threads>>>(); }

void with_static_tile(std::size_t dynamic_bytes, float* out) { static_tile_kernel<<<1, 32, dynamic_bytes>>>(out); }
const void* with_static_tile_function() { return reinterpret_cast<const void*>(static_tile_kernel); }

void with_too_large_tile() { too_large_tile_kernel<<<1, 1>>>(); }

void store_arguments(char letter, Mixed mixed, short half, double number, double* out) {
  store_arguments_kernel<<<1, 1>>>(letter, mixed, half, number, out);
}

void read_word(const void* address, int* out) { read_word_kernel<<<1, 1>>>(static_cast<const int*>(address), out); }

void copy_between(int blocks, const int* even, const int* odd, int* even_out, int* odd_out, int* even_count,
                  int* odd_count) {
  copy_between_kernel<<<blocks, 32>>>(even, odd, even_out, odd_out, even_count, odd_count);
}

void set_and_tell(int* out, int value, volatile int* flag) { set_and_tell_kernel<<<1, 1>>>(out, value, flag); }

void wait_for(const volatile int* flag) { wait_kernel<<<1, 32>>>(flag); }

void wait_in_vain() { wait_in_vain_kernel<<<1, 64>>>(); }

void insist(int n) { insist_kernel<<<2, 32>>>(n); }

void give_up() { give_up_kernel<<<1, 1>>>(); }

void last_block(int blocks, int* out) { last_block_kernel<<<blocks, 1>>>(out); }

void count(int blocks, int* counter, cudaStream_t stream) { count_kernel<<<blocks, 32, 0, stream>>>(counter); }

void meet(int blocks, int* counter) { meet_kernel<<<blocks, 1024>>>(counter); }

}  // namespace warpwright::cudart::kernels
