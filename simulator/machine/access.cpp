#include "machine/access.h"

#include <algorithm>

#include "machine/block.h"
#include "machine/wide.h"

namespace warpwright::machine {
namespace {

/// What tells of 32 addresses at once whether all are well.
struct Survey {
  std::uint64_t low, high;
  std::uint64_t bits;  // set in any
};

/// The other lanes count as if they had the address of the lowest.
WARPWRIGHT_WIDE Survey survey_of_lanes(const std::uint64_t* addresses, Lanes lanes) {
  const std::uint64_t first = addresses[first_lane(lanes)];
  Survey all{first, first, first};
  for (int lane = 0; lane < warp_size; ++lane) {
    const std::uint64_t address = (lanes & lane_bits.of[lane]) != 0 ? addresses[lane] : first;
    all.low = std::min(all.low, address);
    all.high = std::max(all.high, address);
    all.bits |= address;
  }
  return all;
}

/// Of lanes whose stride is known: the corners tell, unless addresses wrap between them.
[[gnu::always_inline]] inline Survey survey_of(const std::uint64_t* addresses, Lanes lanes, const Stride& stride) {
  constexpr std::int64_t furthest = std::int64_t{1} << 32;
  if (!stride.by_half || stride.stride > furthest || stride.stride < -furthest)
    return survey_of_lanes(addresses, lanes);
  const auto in_order = [&](std::uint64_t one, std::uint64_t other) {
    return stride.stride < 0 ? other <= one : other >= one;
  };
  const std::uint64_t first = addresses[first_lane(lanes)], last = addresses[last_lane(lanes)];
  const std::uint64_t bits = first | static_cast<std::uint64_t>(stride.stride);
  if (stride.regular) {
    if (!in_order(first, last)) return survey_of_lanes(addresses, lanes);
    return {std::min(first, last), std::max(first, last), bits};
  }
  const std::uint64_t end_of_first = addresses[half_warp - 1], begin_of_second = addresses[half_warp];
  if (!in_order(first, end_of_first) || !in_order(begin_of_second, last)) return survey_of_lanes(addresses, lanes);
  return {std::min({first, end_of_first, begin_of_second, last}),
          std::max({first, end_of_first, begin_of_second, last}), bits | static_cast<std::uint64_t>(stride.jump)};
}

template <class Good>
Lanes lanes_that_are_not(Lanes lanes, const std::uint64_t* addresses, Good good) {
  Lanes bad = 0;
  for (const int lane : each_lane(lanes))
    if (!good(addresses[lane])) bad |= lane_bit(lane);
  return bad;
}

observe::Access describe(Warp& warp, const Instruction& instruction, Space space, Lanes lanes,
                         const std::uint64_t* addresses, const Stride& stride) {
  return {.where = warp.where(),
          .space = space,
          .kind = instruction.access,
          .bytes = instruction.access_bytes(),
          .ordered = instruction.ordered,
          .lanes = lanes,
          .addresses = addresses,
          .stride = &stride,
          .registers = instruction.bulk ? nullptr : warp.reg<std::byte>(0),
          .bulk = instruction.bulk,
          .late = instruction.late};
}

void fault_if_any(Warp& warp, const observe::Access& access, observe::FaultKind kind, Lanes bad) {
  if (bad == 0) return;
  const observe::Fault fault{kind, access, bad};
  for (observe::Observer* observer : warp.block.watch().all) observer->fault(fault);
  throw LaunchEnded{LaunchStatus::faulted};
}

[[gnu::always_inline]] inline void check_alignment(Warp& warp, const observe::Access& access, const Survey& all) {
  const std::uint64_t below = access.bytes - 1;
  if ((all.bits & below) == 0) return;
  fault_if_any(warp, access, observe::FaultKind::misaligned,
               lanes_that_are_not(access.lanes, access.addresses,
                                  [&](std::uint64_t address) { return (address & below) == 0; }));
}

/// The allocation of all lanes, or null if they use several.
const Allocation* check_global(Warp& warp, const observe::Access& access, const Survey& all) {
  const DeviceMemory& memory = *warp.block.launch().memory;
  const Allocation*& hint = warp.block.allocation_hint();
  if (all.high >= all.low)
    if (const Allocation* one = memory.find(all.low, all.high - all.low + access.bytes, hint)) return one;
  fault_if_any(warp, access, observe::FaultKind::out_of_bounds,
               lanes_that_are_not(access.lanes, access.addresses, [&](std::uint64_t address) {
                 return memory.find(address, access.bytes, hint) != nullptr;
               }));
  return nullptr;
}

[[gnu::always_inline]] inline void check_shared(Warp& warp, const observe::Access& access, const Survey& all) {
  const auto inside = [&](std::uint64_t low, std::uint64_t high) {
    return std::ranges::any_of(warp.block.shared_arrays(), [&](const SharedArray& array) {
      return low >= array.offset && access.bytes <= array.bytes && high - array.offset <= array.bytes - access.bytes;
    });
  };
  if (inside(all.low, all.high)) return;
  fault_if_any(warp, access, observe::FaultKind::out_of_bounds,
               lanes_that_are_not(access.lanes, access.addresses,
                                  [&](std::uint64_t address) { return inside(address, address); }));
}

void check_local(Warp& warp, const observe::Access& access) {
  const std::uint64_t frame = warp.block.program().local_bytes;
  fault_if_any(warp, access, observe::FaultKind::out_of_bounds,
               lanes_that_are_not(access.lanes, access.addresses, [&](std::uint64_t address) {
                 return access.bytes <= frame && address <= frame - access.bytes;
               }));
}

/// A parameter that is __grid_constant__ has an address, for reading.
void check_parameters(Warp& warp, const observe::Access& access) {
  const std::uint64_t bytes = warp.block.launch().parameters.size();
  fault_if_any(warp, access, observe::FaultKind::out_of_bounds,
               lanes_that_are_not(access.lanes, access.addresses, [&](std::uint64_t address) {
                 return access.kind == AccessKind::load && access.bytes <= bytes && address <= bytes - access.bytes;
               }));
}

WARPWRIGHT_WIDE void add_target(Targets& targets, Warp& warp, const Instruction& instruction, Space space, Lanes lanes,
                                std::uint64_t* addresses) {
  Stride& stride = targets.stride;
  stride = find_stride(addresses, lanes);
  observe::Access access = describe(warp, instruction, space, lanes, addresses, stride);
  const Survey all = survey_of(addresses, lanes, stride);
  check_alignment(warp, access, all);
  const std::byte* base = nullptr;
  const Allocation* allocation = nullptr;
  switch (space) {
    case Space::shared:
      check_shared(warp, access, all);
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
      allocation = check_global(warp, access, all);
  }
  access.base = base;
  for (observe::Observer* observer : warp.block.watch().access[static_cast<std::size_t>(space)])
    observer->access(access);
  if (space == Space::local) {
    stride = {};
    for (const int lane : each_lane(lanes)) addresses[lane] += std::uint64_t{warp.block.program().local_bytes} * lane;
  }
  Target& target = targets.of[targets.count++];
  target = {lanes, space, reinterpret_cast<std::uint64_t>(base)};
  if (base != nullptr) return;
  if (allocation != nullptr) {
    target.base = allocation->shift;
    return;
  }
  const DeviceMemory& memory = *warp.block.launch().memory;
  stride = {};
  for (const int lane : each_lane(lanes))
    addresses[lane] = reinterpret_cast<std::uint64_t>(memory.place(addresses[lane]));
}

bool is_in_window(std::uint64_t address, std::uint64_t window) {
  return address - (window - window_reach) < 2 * window_reach;
}

[[gnu::noinline]] void resolve_generic(Targets& targets, Warp& warp, const Instruction& instruction,
                                       std::uint64_t* addresses) {
  for (Lanes rest = warp.active; rest != 0;) {
    const Space space = space_of(addresses[first_lane(rest)]);
    Lanes lanes = 0;
    for (const int lane : each_lane(rest))
      if (space_of(addresses[lane]) == space) {
        lanes |= lane_bit(lane);
        if (space == Space::shared) addresses[lane] -= shared_window;
        if (space == Space::local) addresses[lane] -= local_window;
        if (space == Space::param) addresses[lane] -= parameter_window;
      }
    rest &= ~lanes;
    add_target(targets, warp, instruction, space, lanes, addresses);
  }
}

}  // namespace

Space space_of(std::uint64_t generic_address) {
  if (is_in_window(generic_address, shared_window)) return Space::shared;
  if (is_in_window(generic_address, local_window)) return Space::local;
  if (is_in_window(generic_address, parameter_window)) return Space::param;
  return Space::global;
}

Targets resolve(Warp& warp, const Instruction& instruction, std::uint64_t* addresses) {
  Targets targets;
  if (instruction.generic)
    resolve_generic(targets, warp, instruction, addresses);
  else
    add_target(targets, warp, instruction, instruction.space, warp.active, addresses);
  return targets;
}

}  // namespace warpwright::machine
