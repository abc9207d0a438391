// warps.broadcast: one lane has it, 32 need it.
//
// The leader's value was loaded a moment ago, by the leader, into a register of its own. The stub loads it a second
// time, once for each lane. __shfl_sync(mask, value, lane) lets all lanes read that register instead: each gets the
// `value` of the lane that it names.
//
// fails now: contract: hands the value on by one shuffle

#include "warps.h"

namespace {

constexpr unsigned block_threads = 256;

// Each warp measures the 32 values of its group against the value of one of its lanes.
__global__ void measure(const float* in, const std::uint32_t* leaders, float* out, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const bool inside = i < n;
  const float value = in[inside ? i : 0];
  // TODO: take the leader's value from the leader's register.
  const float against = inside ? in[i / 32 * 32 + leaders[i / 32]] : 0.0f;
  // END
  if (inside) out[i] = value - against;
}

}  // namespace

void warps::broadcast(const float* in, const std::uint32_t* leaders, float* out, std::size_t n, cudaStream_t stream) {
  if (n == 0) return;
  const auto blocks = static_cast<unsigned>((n + block_threads - 1) / block_threads);
  measure<<<blocks, block_threads, 0, stream>>>(in, leaders, out, n);
}
