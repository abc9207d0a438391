// wrong: lets the length narrow the unit, instead of copying a rest; rejected by: contract: the widest unit is used
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
  const std::size_t threads = bytes / sizeof(Unit) + sizeof(Unit);
  const auto blocks = static_cast<unsigned>((threads + block_threads - 1) / block_threads);
  copy<Unit><<<blocks, block_threads, 0, stream>>>(static_cast<const unsigned char*>(in),
                                                   static_cast<unsigned char*>(out), bytes);
}

}  // namespace

void vectors::any_type(const void* in, void* out, std::size_t size, std::size_t n, cudaStream_t stream) {
  const std::size_t bytes = size * n;
  if (bytes == 0) return;
  const std::uintptr_t either = reinterpret_cast<std::uintptr_t>(in) | reinterpret_cast<std::uintptr_t>(out) | bytes;
  if (either % 16 == 0) {
    copy_in_units<uint4>(in, out, bytes, stream);
  } else if (either % 8 == 0) {
    copy_in_units<uint2>(in, out, bytes, stream);
  } else if (either % 4 == 0) {
    copy_in_units<unsigned>(in, out, bytes, stream);
  } else if (either % 2 == 0) {
    copy_in_units<unsigned short>(in, out, bytes, stream);
  } else {
    copy_in_units<unsigned char>(in, out, bytes, stream);
  }
}
