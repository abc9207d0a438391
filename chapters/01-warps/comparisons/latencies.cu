// Problem: how long does a lane wait for what it needs next? A kernel with many warps does not show it; that is what
// the many warps are for.
// Idea: one warp, alone, and a chain in which every link needs the one before. The clock of its multiprocessor is read
// on both sides of the chain.
#include "comparisons.h"

namespace {

using warps::Link;

constexpr unsigned all_lanes = 0xffffffff;

/// Where a lane is after the link that begins at `at`.
template <Link link>
__device__ std::uint32_t next(std::uint32_t at, const std::uint32_t* ring, const std::uint32_t* tile) {
  if constexpr (link == Link::shuffle) return __shfl_sync(all_lanes, at, threadIdx.x + 1);
  if constexpr (link == Link::shared_memory) return *static_cast<const volatile std::uint32_t*>(tile + at);
  if constexpr (link == Link::l1) return __ldca(ring + at);
  if constexpr (link == Link::addition) return __float_as_uint(__fadd_rn(__uint_as_float(at), 1));
  return __ldcg(ring + at);
}

template <Link link>
__global__ void follow_chain(const std::uint32_t* ring, std::uint32_t n, std::uint64_t* cycles, std::uint32_t* end) {
  __shared__ std::uint32_t tile[32];
  tile[threadIdx.x] = (threadIdx.x + 1) % 32;
  __syncwarp();
  const bool lies_in_the_lanes = link == Link::shuffle || link == Link::shared_memory;
  const std::uint32_t first = lies_in_the_lanes ? threadIdx.x : 0;
  std::uint32_t at = first;
  if (link == Link::l1 || link == Link::l2) {
    for (std::uint32_t i = 0; i < n; ++i) at = next<link>(at, ring, tile);
    at = at == all_lanes ? at : first;  // only now: what was followed once is there
  }
  const long long begin = clock64();
#pragma unroll 16
  for (std::uint32_t i = 0; i < n; ++i) at = next<link>(at, ring, tile);
  const long long finish = clock64();
  if (threadIdx.x != 0) return;
  *cycles = static_cast<std::uint64_t>(finish - begin);
  *end = link == Link::addition ? static_cast<std::uint32_t>(__uint_as_float(at)) : at;
}

}  // namespace

void warps::follow(Link link, const std::uint32_t* ring, std::uint32_t n, std::uint64_t* cycles, std::uint32_t* end,
                   cudaStream_t stream) {
  const auto with = [&](auto* kernel) { kernel<<<1, 32, 0, stream>>>(ring, n, cycles, end); };
  switch (link) {
    case Link::addition:
      return with(follow_chain<Link::addition>);
    case Link::shuffle:
      return with(follow_chain<Link::shuffle>);
    case Link::shared_memory:
      return with(follow_chain<Link::shared_memory>);
    case Link::l1:
      return with(follow_chain<Link::l1>);
    case Link::l2:
      return with(follow_chain<Link::l2>);
    case Link::memory:
      return with(follow_chain<Link::memory>);
  }
}
