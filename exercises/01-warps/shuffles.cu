// warps.shuffles: four ways to say whose value a lane reads.
//
// All four exchange registers. They differ in how a lane names the other: by its number (__shfl_sync), as so many lanes
// before it (__shfl_up_sync), as so many after it (__shfl_down_sync), or by flipping bits of its own number
// (__shfl_xor_sync). Use each for the sight that it fits.
//
// fails now: right: sees four lanes at every length

#include "warps.h"

namespace {

constexpr unsigned block_threads = 256;

// Each lane looks at four others of its warp.
__global__ void look_around(const std::int32_t* in, warps::Sight* sights, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::int32_t value = i < n ? in[i] : 0;
  // TODO: one shuffle for each of the four.
  warps::Sight sight;
  sight.mirrored = value;
  sight.before = value;
  sight.after = value;
  sight.paired = value;
  // END
  if (i < n) sights[i] = sight;
}

}  // namespace

void warps::shuffles(const std::int32_t* in, Sight* sights, std::size_t n, cudaStream_t stream) {
  if (n == 0) return;
  const auto blocks = static_cast<unsigned>((n + block_threads - 1) / block_threads);
  look_around<<<blocks, block_threads, 0, stream>>>(in, sights, n);
}
