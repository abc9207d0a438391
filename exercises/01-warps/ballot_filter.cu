// warps.ballot_filter: one lane reserves places for all.
//
// Values above a limit are to be written one behind the other. Where to, a counter in memory says: atomicAdd(kept, 1)
// returns how many came before. The stub lets each thread ask on its own, and they all queue for one word. A ballot
// tells each lane who else in its warp keeps a value: how many they are, and how many of them are in front of it.
//
// fails now: contract: one lane asks for all

#include <cmath>

#include "warps.h"

namespace {

constexpr unsigned block_threads = 256;

// Each thread looks at one value, and writes it to a place of its own if it is kept.
__global__ void filter(const float* in, float* out, std::uint32_t* kept, float least, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const float value = i < n ? in[i] : NAN;
  const bool keeps = value > least;
  // TODO: let one lane ask for the whole warp, and each lane find its place among those that keep a value.
  unsigned place = 0;
  if (keeps) place = atomicAdd(kept, 1u);
  // END
  if (keeps) out[place] = value;
}

}  // namespace

void warps::ballot_filter(const float* in, float* out, std::uint32_t* kept, float least, std::size_t n,
                          cudaStream_t stream) {
  if (n == 0) return;
  const auto blocks = static_cast<unsigned>((n + block_threads - 1) / block_threads);
  filter<<<blocks, block_threads, 0, stream>>>(in, out, kept, least, n);
}
