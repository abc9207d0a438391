// A warp is 32 lanes; a set of lanes is a 32-bit mask, lane 0 in the lowest bit, as in CUDA's own mask arguments.
#pragma once

#include <bit>
#include <cstdint>

namespace warpwright::machine {

inline constexpr int warp_size = 32;

using Lanes = std::uint32_t;

inline constexpr Lanes all_lanes = 0xffffffffu;

constexpr Lanes lane_bit(int lane) { return Lanes{1} << lane; }
constexpr bool has_lane(Lanes lanes, int lane) { return (lanes >> lane & 1u) != 0; }
/// lane_bits.of[lane] is that lane's bit: testing a mask against it vectorises on every host, shifting does not.
struct LaneBits {
  std::uint32_t of[warp_size];
};
inline constexpr LaneBits lane_bits = [] {
  LaneBits bits{};
  for (int lane = 0; lane < warp_size; ++lane) bits.of[lane] = lane_bit(lane);
  return bits;
}();

/// Not std::popcount: on a plain x86-64 that is a call.
constexpr int count_lanes(Lanes lanes) {
  if (lanes == all_lanes) return warp_size;
  lanes -= lanes >> 1 & 0x55555555u;
  lanes = (lanes & 0x33333333u) + (lanes >> 2 & 0x33333333u);
  return static_cast<int>(((lanes + (lanes >> 4)) & 0x0f0f0f0fu) * 0x01010101u >> 24);
}
/// Lowest lane of a set that is not empty.
constexpr int first_lane(Lanes lanes) { return std::countr_zero(lanes); }
/// Highest lane of a set that is not empty.
constexpr int last_lane(Lanes lanes) { return warp_size - 1 - std::countl_zero(lanes); }

/// `for (int lane : each_lane(mask))` visits the set lanes in ascending order.
class each_lane {
 public:
  explicit constexpr each_lane(Lanes lanes) : lanes_(lanes) {}
  struct iterator {
    Lanes rest;
    constexpr int operator*() const { return first_lane(rest); }
    constexpr iterator& operator++() {
      rest &= rest - 1;
      return *this;
    }
    constexpr bool operator!=(const iterator& other) const { return rest != other.rest; }
  };
  constexpr iterator begin() const { return {lanes_}; }
  constexpr iterator end() const { return {0}; }

 private:
  Lanes lanes_;
};

/// CUDA's dim3 without CUDA's headers: the simulator compiles without a toolkit.
struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;
  constexpr std::uint64_t count() const { return std::uint64_t{x} * y * z; }
  friend constexpr bool operator==(const Dim3&, const Dim3&) = default;
};

/// The index of the `number`-th element of `extent`, x fastest: how CUDA linearises threads and blocks.
constexpr Dim3 index_in(const Dim3& extent, std::uint64_t number) {
  return {static_cast<std::uint32_t>(number % extent.x), static_cast<std::uint32_t>(number / extent.x % extent.y),
          static_cast<std::uint32_t>(number / extent.x / extent.y)};
}

}  // namespace warpwright::machine
