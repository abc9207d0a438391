// Problem: 32 addresses are many to write down and to look at, and most often the first of them and a stride tell all.
// Idea: look for the stride where the addresses come from, in a register; list them only for those who ask.
// Invariant: with a stride, listed or not, every active lane's address is the one that the stride gives, and all lie
// between `low` and `high`.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "machine/lanes.h"
#include "machine/stride.h"

namespace warpwright::machine {

/// How the values of a register's lanes lie to one another, modulo what it holds.
struct AddressShape {
  Lanes lanes = 0;  // whose it is: no others count
  Stride stride;    // `first` means nothing
  /// With a stride: from the value of the lowest lane to the lowest and to the highest value.
  std::int64_t down = 0, up = 0;

  /// There is at least one lane; all 32 of `of` can be read.
  template <class Register>
  [[gnu::always_inline]] void find(const Register* of, Lanes wanted) {
    lanes = wanted;
    stride = lanes == all_lanes ? find_stride(of) : find_stride(of, lanes);
    const auto is_far = [](std::int64_t apart) { return apart < -furthest || apart > furthest; };
    if (sizeof(Register) > 4 && (is_far(stride.stride) || is_far(stride.jump))) stride = {};
    const int steps = stride.regular ? last_lane(lanes) - first_lane(lanes) : half_warp - 1;
    const std::int64_t across = stride.stride * steps, jump = stride.regular ? 0 : stride.jump;
    down = std::min<std::int64_t>(across, 0) + std::min<std::int64_t>(jump, 0);
    up = std::max<std::int64_t>(across, 0) + std::max<std::int64_t>(jump, 0);
  }

 private:
  /// A stride that could lead around all addresses is none.
  static constexpr std::int64_t furthest = std::int64_t{1} << 40;
};

/// The addresses of a memory instruction's active lanes; those of other lanes may be anything.
class Addresses {
 public:
  /// All 0, to be set one by one.
  Addresses() : listed_(true), of_{} {}
  /// `base[lane] + offset`, modulo what a register holds, where the base has this shape.
  template <class Register>
  [[gnu::always_inline]] Addresses(const Register* base, std::type_identity_t<Register> offset,
                                   const AddressShape& shape) {
    take_shape(base, offset, shape);
    if (stride_.by_half) [[likely]]
      return;
#pragma GCC ivdep
    for (int lane = 0; lane < warp_size; ++lane) of_[lane] = static_cast<Register>(base[lane] + offset);
    listed_ = true;
  }
  /// The same for these lanes, of a base whose shape nobody knows.
  template <class Register>
  Addresses(const Register* base, std::type_identity_t<Register> offset, Lanes lanes)
      : Addresses(base, offset, [&] {
          AddressShape shape;
          shape.find(base, lanes);
          return shape;
        }()) {}

  [[gnu::always_inline]] std::uint64_t operator[](int lane) const { return listed_ ? of_[lane] : stride_.at(lane); }
  const Stride& stride() const { return stride_; }
  /// To be called before the next three are.
  [[gnu::always_inline]] void survey(Lanes lanes) {
    if (!stride_.by_half) survey_list(lanes);
  }
  /// The lowest and the highest of the active lanes' addresses.
  std::uint64_t low() const { return low_; }
  std::uint64_t high() const { return high_; }
  /// A multiple only of powers of two that all of them are multiples of.
  std::uint64_t bits() const { return bits_; }
  /// Those of all 32 lanes in a row.
  const std::uint64_t* list() const {
    if (!listed_) write_list();
    return of_;
  }

  /// The same, to be changed one by one: no stride is known any more.
  std::uint64_t* single_out() {
    list();
    stride_ = {};
    return of_;
  }
  /// Looks for the stride of some lanes.
  void look_at(Lanes lanes) {
    AddressShape shape;
    shape.find(list(), lanes);
    take_shape(list(), std::uint64_t{0}, shape);
  }
  /// Moves the address of each of these lanes, whose stride it is, by `bytes` more than that of the lane before. Their
  /// ends are not known any more.
  void spread(std::uint64_t bytes, Lanes lanes) {
    if (listed_)
      for (const int lane : each_lane(lanes)) of_[lane] += bytes * static_cast<std::uint64_t>(lane);
    stride_.stride += static_cast<std::int64_t>(bytes);
    stride_.jump += static_cast<std::int64_t>(bytes * half_warp);
  }

 private:
  /// There is no stride if addresses wrap between lanes.
  template <class Register>
  [[gnu::always_inline]] void take_shape(const Register* base, Register offset, const AddressShape& shape) {
    stride_ = shape.stride;
    if (!stride_.by_half) return;
    const int lowest = first_lane(shape.lanes);
    const std::uint64_t there = static_cast<Register>(base[lowest] + offset);
    stride_.first = there - static_cast<std::uint64_t>(stride_.stride) * static_cast<std::uint64_t>(lowest);
    low_ = there + static_cast<std::uint64_t>(shape.down);
    high_ = there + static_cast<std::uint64_t>(shape.up);
    bits_ = there | static_cast<std::uint64_t>(stride_.stride | stride_.jump);
    if (low_ > high_ || high_ > std::numeric_limits<Register>::max()) stride_ = {};
  }
  void write_list() const;
  void survey_list(Lanes lanes);

  Stride stride_;
  std::uint64_t low_, high_, bits_;
  mutable bool listed_ = false;
  alignas(64) mutable std::uint64_t of_[warp_size];
};

}  // namespace warpwright::machine
