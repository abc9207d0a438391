// Problem: most warps access memory with one stride between neighbouring lanes, and costing 32 addresses one by one is
// slow.
// Idea: a few vector operations without branches tell whether there is such a stride, in the whole warp or in each half
// of it, as in blocks that are 16 threads wide. Costs then follow from arithmetic.
// Left out: halves of warps with inactive lanes.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "machine/lanes.h"

namespace warpwright::machine {

inline constexpr int half_warp = warp_size / 2;

/// All modulo 2^64, and for all lanes that are active.
struct Stride {
  bool regular = false;  // a lane's address is `first + lane * stride`
  bool by_half = false;  // it is `first + lane % 16 * stride + lane / 16 * jump`
  std::uint64_t first = 0;
  std::int64_t stride = 0;
  std::int64_t jump = 0;

  /// Of a regular one.
  std::uint64_t of_whole_warp(int lane) const {
    return first + static_cast<std::uint64_t>(lane) * static_cast<std::uint64_t>(stride);
  }
  std::uint64_t at(int lane) const {
    if (regular) return of_whole_warp(lane);
    return first + static_cast<std::uint64_t>(lane % half_warp) * static_cast<std::uint64_t>(stride) +
           static_cast<std::uint64_t>(lane / half_warp) * static_cast<std::uint64_t>(jump);
  }
};

/// From half to half, where one stride is the whole warp's.
constexpr std::int64_t jump_of(std::int64_t stride) {
  return static_cast<std::int64_t>(half_warp * static_cast<std::uint64_t>(stride));
}

/// Addresses of neighbouring lanes, as many as a vector register of 32 bytes holds.
template <class Address>
struct AddressRow {
  using Lanes [[gnu::vector_size(32)]] = Address;
  static constexpr int lanes = static_cast<int>(sizeof(Lanes) / sizeof(Address));
  Lanes of;

  struct Masks {
    Address of[3][lanes];  // by bit of a lane's number: all ones in the lanes that have it
  };
  static constexpr Masks lanes_with_bit = [] {
    Masks masks{};
    for (int bit = 0; bit < 3; ++bit)
      for (int lane = 0; lane < lanes; ++lane) masks.of[bit][lane] = (lane >> bit & 1) != 0 ? ~Address{0} : 0;
    return masks;
  }();

  [[gnu::always_inline]] static AddressRow load(const Address* addresses) {
    AddressRow row;
    std::memcpy(&row.of, addresses, sizeof row.of);
    return row;
  }
  /// By lane: 0, step, 2 * step...
  [[gnu::always_inline]] static AddressRow multiples(Address step) {
    AddressRow row{};
    for (int bit = 0; 1 << bit < lanes; ++bit)
      row.of += load(lanes_with_bit.of[bit]).of & (static_cast<Address>(1 << bit) * step);
    return row;
  }
  [[gnu::always_inline]] bool is_zero() const {
    std::uint64_t words[sizeof of / sizeof(std::uint64_t)];
    std::memcpy(words, &of, sizeof words);
    return (words[0] | words[1] | words[2] | words[3]) == 0;
  }
};

template <class Address>
struct BitsOfLanes {
  Address of[warp_size];
};
template <class Address>
inline constexpr BitsOfLanes<Address> bits_of_lanes = [] {
  BitsOfLanes<Address> bits{};
  for (int lane = 0; lane < warp_size; ++lane) bits.of[lane] = lane_bit(lane);
  return bits;
}();

/// Of 32 addresses; the stride of narrow ones is right modulo what they can hold.
template <class Address>
[[gnu::always_inline]] inline Stride find_stride(const Address* addresses) {
  using Row = AddressRow<Address>;
  constexpr int rows = half_warp / Row::lanes;
  const Address first = addresses[0];
  const Address step = addresses[1] - first;
  const Address jump = addresses[half_warp] - first;
  const Row start = Row::load(addresses);
  Row difference{(start.of - first) ^ Row::multiples(step).of};
  for (int row = 1; row < rows; ++row) {
    const Address bytes = static_cast<Address>(row * Row::lanes) * step;
    difference.of |= (Row::load(addresses + row * Row::lanes).of - start.of) ^ bytes;
  }
  for (int row = 0; row < rows; ++row) {
    const Address* here = addresses + row * Row::lanes;
    difference.of |= (Row::load(here + half_warp).of - Row::load(here).of) ^ jump;
  }
  const bool by_half = difference.is_zero();
  const bool regular = by_half && jump == half_warp * step;
  using Signed = std::make_signed_t<Address>;
  const std::int64_t stride = static_cast<Signed>(step);
  return {.regular = regular,
          .by_half = by_half,
          .first = first,
          .stride = stride,
          .jump = regular ? jump_of(stride) : static_cast<Signed>(jump)};
}

/// The same of these lanes, of which there is at least one.
template <class Address>
[[gnu::always_inline]] inline Stride find_stride(const Address* addresses, Lanes lanes) {
  if (lanes == all_lanes) return find_stride(addresses);
  const int lowest = first_lane(lanes);
  const Lanes others = lanes & (lanes - 1);
  if (others == 0) return {.regular = true, .by_half = true, .first = addresses[lowest]};
  const auto apart = static_cast<std::make_signed_t<Address>>(addresses[first_lane(others)] - addresses[lowest]);
  const int lanes_apart = first_lane(others) - lowest;
  if (apart % lanes_apart != 0) return {};
  const std::int64_t stride = apart / lanes_apart;
  const auto step = static_cast<Address>(stride);
  const auto first = static_cast<Address>(addresses[lowest] - step * static_cast<Address>(lowest));
  using Row = AddressRow<Address>;
  const Row start{Row::multiples(step).of + first};
  Row difference{};
  for (int lane = 0; lane < warp_size; lane += Row::lanes) {
    const auto counts = (Row::load(bits_of_lanes<Address>.of + lane).of & lanes) != 0;
    difference.of |= (Row::load(addresses + lane).of ^ (start.of + static_cast<Address>(lane) * step)) &
                     reinterpret_cast<const typename Row::Lanes&>(counts);
  }
  const bool regular = difference.is_zero();
  return {.regular = regular, .by_half = regular, .first = first, .stride = stride, .jump = jump_of(stride)};
}

}  // namespace warpwright::machine
