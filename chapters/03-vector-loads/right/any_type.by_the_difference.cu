// Counts trailing zero bits, and chooses from a table of launchers.
#include <cstdint>

#include "vectors.h"

namespace {

struct alignas(16) Sixteen {
  std::uint64_t low, high;
};

// Walks over the units with a fixed grid; thread 0 copies what is left.
template <class Unit>
__global__ void copy(const void* in, void* out, std::size_t bytes) {
  const std::size_t units = bytes / sizeof(Unit), threads = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (std::size_t i = first; i < units; i += threads) static_cast<Unit*>(out)[i] = static_cast<const Unit*>(in)[i];
  if (first != 0) return;
  for (std::size_t i = units * sizeof(Unit); i < bytes; ++i)
    static_cast<char*>(out)[i] = static_cast<const char*>(in)[i];
}

}  // namespace

void vectors::any_type(const void* in, void* out, std::size_t size, std::size_t n, cudaStream_t stream) {
  constexpr unsigned widest = 16;
  const auto bits = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(in) | reinterpret_cast<std::uintptr_t>(out));
  using Kernel = void (*)(const void*, void*, std::size_t);
  const Kernel kernels[] = {copy<std::uint8_t>, copy<std::uint16_t>, copy<std::uint32_t>, copy<std::uint64_t>,
                            copy<Sixteen>};
  kernels[__builtin_ctz(bits | widest)]<<<64, 128, 0, stream>>>(in, out, size * n);
}
