// vectors.any_type: the widest load that two pointers allow.
//
// A copy does not care what it copies. Pixels of 3 bytes may be moved 16 bytes at a time, if they lie so; an array of
// doubles that begins 4 bytes off may not. What is possible depends on the addresses alone.
//
// fails now: contract: the widest unit is used

#include <cstdint>

#include "vectors.h"

namespace {

constexpr unsigned block_threads = 256;

// Each thread copies one unit; the first ones also copy a byte of what is left.
template <class Unit>
__global__ void copy(const unsigned char* in, unsigned char* out, std::size_t bytes) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t units = bytes / sizeof(Unit), rest = bytes % sizeof(Unit);
  if (i < units) reinterpret_cast<Unit*>(out)[i] = reinterpret_cast<const Unit*>(in)[i];
  if (i < rest) out[units * sizeof(Unit) + i] = in[units * sizeof(Unit) + i];
}

template <class Unit>
void copy_in_units(const void* in, void* out, std::size_t bytes, cudaStream_t stream) {
  // More threads than units, and a block at least, which has more threads than a unit has bytes.
  const auto blocks = static_cast<unsigned>(bytes / sizeof(Unit) / block_threads + 1);
  copy<Unit><<<blocks, block_threads, 0, stream>>>(static_cast<const unsigned char*>(in),
                                                   static_cast<unsigned char*>(out), bytes);
}

}  // namespace

void vectors::any_type(const void* in, void* out, std::size_t size, std::size_t n, cudaStream_t stream) {
  const std::size_t bytes = size * n;
  // TODO: choose the widest unit of 16, 8, 4, 2 or 1 bytes that both pointers are multiples of.
  copy_in_units<unsigned char>(in, out, bytes, stream);
  // END
}
