#include "observe/banks.h"

#include <algorithm>
#include <bit>

#include "machine/stride.h"
#include "observe/distinct.h"

namespace warpwright::observe {
namespace {

using machine::all_lanes;
using machine::Lanes;
using machine::warp_size;

/// Shared memory as an access of one width sees it: units as wide as the access, at least a word, `slots` of them side
/// by side in the banks. A pass takes as many lanes as there are slots, or twice as many when lanes are paired.
struct Layout {
  unsigned shift;  // log2 of a unit's bytes
  unsigned slots;
};

Layout layout_for(unsigned bytes) {
  const unsigned unit = std::max(bytes, bank_bytes);
  return {static_cast<unsigned>(std::countr_zero(unit)), banks * bank_bytes / unit};
}

/// Wavefronts of one pass: the most that any slot has to serve, of distinct units or, for atomics, of lanes.
unsigned wavefronts_of_pass(SharedOperation operation, const Layout& layout, const std::uint64_t* units,
                            unsigned count) {
  const unsigned mask = layout.slots - 1;
  if (operation != SharedOperation::atomic) {
    std::uint64_t owner[banks];
    for (unsigned i = 0; i < count; ++i) owner[units[i] & mask] = units[i];
    std::uint64_t contested = 0;
    for (unsigned i = 0; i < count; ++i) contested |= owner[units[i] & mask] ^ units[i];
    if (contested == 0) return 1;
  }
  std::uint8_t load[banks] = {};
  if (operation == SharedOperation::atomic) {
    for (unsigned i = 0; i < count; ++i) ++load[units[i] & mask];
  } else {
    SmallSet seen(units);
    for (unsigned i = 0; i < count; ++i) load[units[i] & mask] += seen.insert(i);
  }
  return *std::max_element(load, load + layout.slots);
}

/// All 32 lanes, one stride of whole units between them: every slot that is hit serves gcd(stride, slots) units a pass,
/// and the number of slots is a power of two.
SharedCost cost_of_stride(SharedOperation operation, const Layout& layout, std::int64_t units_apart) {
  const unsigned passes = warp_size / layout.slots;
  if (units_apart == 0) {
    if (operation == SharedOperation::atomic) return {warp_size, passes};
    const bool paired = operation == SharedOperation::load && passes > 1;
    return paired ? SharedCost{passes / 2, passes / 2} : SharedCost{passes, passes};
  }
  const auto apart = static_cast<unsigned>(static_cast<std::uint64_t>(units_apart) & (layout.slots - 1));
  const unsigned common = apart == 0 ? layout.slots : apart & -apart;
  return {common * passes, passes};
}

SharedCost cost_in_general(SharedOperation operation, const Layout& layout, Lanes lanes,
                           const std::uint64_t* addresses) {
  unsigned width = layout.slots;
  if (operation == SharedOperation::load && width < banks && lanes_are_paired(lanes, addresses)) width *= 2;
  SharedCost cost;
  for (unsigned first = 0; first < warp_size; first += width) {
    const Lanes there = lanes >> first & all_lanes >> (warp_size - width);
    std::uint64_t units[warp_size];
    unsigned count = 0;
    if (there == all_lanes) {
      for (; count < warp_size; ++count) units[count] = addresses[count] >> layout.shift;
    } else {
      for (const int lane : machine::each_lane(there)) units[count++] = addresses[first + lane] >> layout.shift;
    }
    if (count == 0) continue;
    ++cost.passes;
    cost.wavefronts += wavefronts_of_pass(operation, layout, units, count);
  }
  return cost;
}

}  // namespace

bool lanes_are_paired(Lanes lanes, const std::uint64_t* addresses) {
  const auto equal_to_partner = [&](int apart) {
    std::uint64_t difference = 0;
    for (int lane = 0; lane < warp_size; ++lane) {
      const int partner = lane ^ apart;
      const std::uint64_t both = std::uint64_t{0} - (lanes >> lane & lanes >> partner & 1u);
      difference |= (addresses[lane] ^ addresses[partner]) & both;
    }
    return difference == 0;
  };
  return equal_to_partner(1) || equal_to_partner(2);
}

SharedCost shared_cost(SharedOperation operation, unsigned bytes, Lanes lanes, const std::uint64_t* addresses) {
  const Layout layout = layout_for(bytes);
  if (lanes == all_lanes) {
    const machine::Stride stride = machine::find_stride(addresses);
    const std::int64_t inside_unit = (std::int64_t{1} << layout.shift) - 1;
    if (stride.regular && (stride.stride & inside_unit) == 0)
      return cost_of_stride(operation, layout, stride.stride >> layout.shift);
    // Neighbouring elements narrower than a word share words and fill at most 32 of them in a row.
    if (stride.regular && stride.stride == bytes && operation != SharedOperation::atomic) return {1, 1};
  }
  return cost_in_general(operation, layout, lanes, addresses);
}

}  // namespace warpwright::observe
