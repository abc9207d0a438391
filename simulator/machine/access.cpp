#include "machine/access.h"

#include <algorithm>

#include "machine/block.h"

namespace warpwright::machine {
namespace {

template <class Good>
Lanes lanes_that_are_not(Lanes lanes, const Addresses& addresses, Good good) {
  Lanes bad = 0;
  for (const int lane : each_lane(lanes))
    if (!good(addresses[lane])) bad |= lane_bit(lane);
  return bad;
}

void fault_if_any(Warp& warp, const observe::Access& access, observe::FaultKind kind, Lanes bad) {
  if (bad == 0) return;
  const observe::Fault fault{kind, access, bad};
  for (observe::Observer* observer : warp.block.watch().all) observer->fault(fault);
  throw LaunchEnded{LaunchStatus::faulted};
}

void check_alignment(Warp& warp, const observe::Access& access) {
  const std::uint64_t below = access.bytes - 1;
  if ((access.addresses->bits() & below) == 0) return;
  fault_if_any(warp, access, observe::FaultKind::misaligned,
               lanes_that_are_not(access.lanes, *access.addresses,
                                  [&](std::uint64_t address) { return (address & below) == 0; }));
}

/// The allocation of all lanes, or null if they use several.
const Allocation* check_global(Warp& warp, const observe::Access& access) {
  Block& block = warp.block;
  const std::uint64_t low = access.addresses->low(), high = access.addresses->high();
  if (const Allocation* one = block.find_global(low, high - low + access.bytes)) return one;
  fault_if_any(warp, access, observe::FaultKind::out_of_bounds,
               lanes_that_are_not(access.lanes, *access.addresses, [&](std::uint64_t address) {
                 return block.find_global(address, access.bytes) != nullptr;
               }));
  return nullptr;
}

void check_shared(Warp& warp, const observe::Access& access) {
  const Block& block = warp.block;
  if (block.is_in_one_array(access.addresses->low(), access.addresses->high(), access.bytes)) return;
  fault_if_any(warp, access, observe::FaultKind::out_of_bounds,
               lanes_that_are_not(access.lanes, *access.addresses, [&](std::uint64_t address) {
                 return block.is_in_one_array(address, address, access.bytes);
               }));
}

void check_local(Warp& warp, const observe::Access& access) {
  const std::uint64_t frame = warp.block.program().local_bytes;
  fault_if_any(warp, access, observe::FaultKind::out_of_bounds,
               lanes_that_are_not(access.lanes, *access.addresses, [&](std::uint64_t address) {
                 return access.bytes <= frame && address <= frame - access.bytes;
               }));
}

/// A parameter that is __grid_constant__ has an address, for reading.
void check_parameters(Warp& warp, const observe::Access& access) {
  const std::uint64_t bytes = warp.block.launch().parameters.size();
  fault_if_any(warp, access, observe::FaultKind::out_of_bounds,
               lanes_that_are_not(access.lanes, *access.addresses, [&](std::uint64_t address) {
                 return access.kind == AccessKind::load && access.bytes <= bytes && address <= bytes - access.bytes;
               }));
}

void add_target(Targets& targets, Warp& warp, const Instruction& instruction, Space space, Lanes lanes,
                Addresses& addresses) {
  addresses.survey(lanes);
  observe::Access access = describe(warp, instruction, space, lanes, addresses);
  check_alignment(warp, access);
  const std::byte* base = nullptr;
  const Allocation* allocation = nullptr;
  switch (space) {
    case Space::shared:
      check_shared(warp, access);
      base = warp.block.shared();
      break;
    case Space::local: {
      check_local(warp, access);
      const std::uint64_t frame = warp.block.program().local_bytes;
      base = warp.block.local() + warp.number() * frame * warp_size;
      break;
    }
    case Space::param:
      check_parameters(warp, access);
      base = warp.block.launch().parameters.data();
      break;
    default:
      allocation = check_global(warp, access);
  }
  access.base = base;
  tell(warp, access);
  if (space == Space::local) addresses.spread(warp.block.program().local_bytes, lanes);
  Target& target = targets.of[targets.count++];
  target = {lanes, space, reinterpret_cast<std::uint64_t>(base)};
  if (base != nullptr) return;
  if (allocation != nullptr) {
    target.base = allocation->shift;
    return;
  }
  const DeviceMemory& memory = *warp.block.launch().memory;
  std::uint64_t* one_by_one = addresses.single_out();
  for (const int lane : each_lane(lanes))
    one_by_one[lane] = reinterpret_cast<std::uint64_t>(memory.place(one_by_one[lane]));
}

bool is_in_window(std::uint64_t address, std::uint64_t window) {
  return address - (window - window_reach) < 2 * window_reach;
}

[[gnu::noinline]] void resolve_generic(Targets& targets, Warp& warp, const Instruction& instruction,
                                       Addresses& addresses) {
  for (Lanes rest = warp.active; rest != 0;) {
    std::uint64_t* one_by_one = addresses.single_out();
    const Space space = space_of(one_by_one[first_lane(rest)]);
    Lanes lanes = 0;
    for (const int lane : each_lane(rest))
      if (space_of(one_by_one[lane]) == space) {
        lanes |= lane_bit(lane);
        if (space == Space::shared) one_by_one[lane] -= shared_window;
        if (space == Space::local) one_by_one[lane] -= local_window;
        if (space == Space::param) one_by_one[lane] -= parameter_window;
      }
    rest &= ~lanes;
    addresses.look_at(lanes);
    add_target(targets, warp, instruction, space, lanes, addresses);
  }
  if (targets.count > 1) addresses.single_out();
}

}  // namespace

Space space_of(std::uint64_t generic_address) {
  if (is_in_window(generic_address, shared_window)) return Space::shared;
  if (is_in_window(generic_address, local_window)) return Space::local;
  if (is_in_window(generic_address, parameter_window)) return Space::param;
  return Space::global;
}

Targets resolve(Warp& warp, const Instruction& instruction, Addresses& addresses) {
  Targets targets;
  if (instruction.generic)
    resolve_generic(targets, warp, instruction, addresses);
  else
    add_target(targets, warp, instruction, instruction.space, warp.active, addresses);
  return targets;
}

}  // namespace warpwright::machine
