// Copies that differ in how wide a load is, and in how many of them a thread has under way: what counts in the end is
// their product, the bytes in flight.
#include "comparisons.h"

namespace {

constexpr unsigned block_threads = 256;

// A thread copies `loads` units at a time, a grid's width apart, and then goes on by as many grids.
template <class Unit, unsigned loads>
__global__ void copy_units(const Unit* __restrict__ in, Unit* __restrict__ out, std::size_t units) {
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
#pragma unroll 1
  for (; i + (loads - 1) * threads < units; i += loads * threads) {
    Unit values[loads];
    for (unsigned k = 0; k < loads; ++k) values[k] = in[i + k * threads];
    for (unsigned k = 0; k < loads; ++k) out[i + k * threads] = values[k];
  }
#pragma unroll 1
  for (; i < units; i += threads) out[i] = in[i];
}

template <class Unit>
void copy(const float* in, float* out, std::size_t n, unsigned loads, unsigned blocks, cudaStream_t stream) {
  const auto* const from = reinterpret_cast<const Unit*>(in);
  auto* const to = reinterpret_cast<Unit*>(out);
  const std::size_t units = n * sizeof(float) / sizeof(Unit);
  if (loads == 1) copy_units<Unit, 1><<<blocks, block_threads, 0, stream>>>(from, to, units);
  if (loads == 2) copy_units<Unit, 2><<<blocks, block_threads, 0, stream>>>(from, to, units);
  if (loads == 4) copy_units<Unit, 4><<<blocks, block_threads, 0, stream>>>(from, to, units);
}

}  // namespace

void vectors::copy_wide(const float* in, float* out, std::size_t n, unsigned bytes, unsigned loads, unsigned blocks,
                        cudaStream_t stream) {
  if (bytes == 4) copy<float>(in, out, n, loads, blocks, stream);
  if (bytes == 8) copy<float2>(in, out, n, loads, blocks, stream);
  if (bytes == 16) copy<float4>(in, out, n, loads, blocks, stream);
}
