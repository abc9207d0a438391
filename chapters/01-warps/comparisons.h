// Kernels that nobody has to write: what the chapter's page tells of the hardware.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace warps {

/// What a warp waits for: the next link of a chain cannot begin before the one before is done.
enum class Link { addition, shuffle, shared_memory, l1, l2, memory };

/// Lets one warp follow a chain of n links, and writes how many clock cycles went by to `cycles`, and where lane 0
/// ended to `end`: for loads, the word of `ring` that the last of them gave, where each word that is met holds the
/// index of the next one, and the first is word 0; for shuffles and shared memory n % 32; for additions n, as far as a
/// float can count. Before loads from `l1` and `l2` are timed, the chain is followed once, so that they are there.
void follow(Link link, const std::uint32_t* ring, std::uint32_t n, std::uint64_t* cycles, std::uint32_t* end,
            cudaStream_t stream);

}  // namespace warps
