#include "cudart/occupancy.h"

#include <algorithm>
#include <limits>

namespace warpwright::cudart {
namespace {

constexpr int warp_size = 32;

constexpr int round_up(int value, int granule) { return (value + granule - 1) / granule * granule; }
constexpr int round_down(int value, int granule) { return value / granule * granule; }

/// A warp's registers come in one piece, from one of the multiprocessor's parts; each part has a share of them.
int blocks_by_registers(const Device& device, const BlockNeeds& needs, int warps) {
  if (needs.registers_per_thread == 0) return device.max_blocks_per_multiprocessor;
  const int of_a_warp = round_up(needs.registers_per_thread * warp_size, device.register_granule);
  if (of_a_warp * round_up(warps, device.warp_granule) > device.registers_per_block) return 0;
  const int warps_of_a_part = device.registers_per_multiprocessor / device.warp_granule / of_a_warp;
  return warps_of_a_part * device.warp_granule / warps;
}

int blocks_by_shared_memory(const Device& device, const BlockNeeds& needs) {
  if (needs.shared_bytes > static_cast<std::size_t>(device.shared_bytes_per_block_optin)) return 0;
  const int of_a_block =
      round_up(static_cast<int>(needs.shared_bytes) + device.shared_bytes_reserved_per_block, device.shared_granule);
  if (of_a_block == 0) return device.max_blocks_per_multiprocessor;
  return device.shared_bytes_per_multiprocessor / of_a_block;
}

}  // namespace

BlockNeeds needs_of(const machine::Program& program, int threads, std::size_t dynamic_shared_bytes) {
  const bool allowed = threads <= static_cast<int>(program.max_threads);
  // The sum of -1 bytes and a few, as unsigned numbers, would be less than a few.
  const std::size_t most = std::numeric_limits<std::size_t>::max() - program.static_shared_bytes;
  const std::size_t shared_bytes = program.static_shared_bytes + std::min(dynamic_shared_bytes, most);
  return {allowed ? threads : 0, assumed_registers, shared_bytes};
}

int blocks_per_multiprocessor(const Device& device, const BlockNeeds& needs) {
  if (needs.threads <= 0 || needs.threads > device.max_threads_per_block) return 0;
  const int warps = (needs.threads + warp_size - 1) / warp_size;
  return std::min({device.max_blocks_per_multiprocessor, device.max_threads_per_multiprocessor / warp_size / warps,
                   blocks_by_registers(device, needs, warps), blocks_by_shared_memory(device, needs)});
}

std::optional<std::size_t> shared_bytes_for(const Device& device, BlockNeeds needs, int blocks) {
  if (blocks <= 0 || blocks > blocks_per_multiprocessor(device, needs)) return std::nullopt;
  const int share = round_down(device.shared_bytes_per_multiprocessor / blocks, device.shared_granule) -
                    device.shared_bytes_reserved_per_block;
  return static_cast<std::size_t>(std::min(share, device.shared_bytes_per_block_optin));
}

}  // namespace warpwright::cudart
