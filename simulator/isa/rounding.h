// Problem: a program may round in another direction than to nearest, and C++ has no portable, vectorisable way to.
// Idea: compute to nearest in a wider or equal type, know on which side of the exact value the result lies, and step
// back over it by one unit where the direction demands it.
// Invariant: the exact value is `value + error`, and the error is smaller than half a unit in the value's last place.
// Left out: directed rounding of double-precision arithmetic, for which there is no wider type; see exact.h.
#pragma once

#include <cmath>
#include <limits>

#include "isa/types.h"

namespace warpwright::isa {

enum class Rounding { nearest_even, nearest_away, to_zero, down, up };

/// Steps from `nearest` to the neighbour that the direction demands. `above` and `below` say where `nearest` lies as
/// seen from the exact value, whose sign is `negative`.
template <Rounding rounding, class T>
T stepped(T nearest, bool above, bool below, bool negative) {
  constexpr T infinity = std::numeric_limits<T>::infinity();
  const bool steps_down = above && (rounding == Rounding::down || (rounding == Rounding::to_zero && !negative));
  const bool steps_up = below && (rounding == Rounding::up || (rounding == Rounding::to_zero && negative));
  if (steps_down) return std::nextafter(nearest, -infinity);
  if (steps_up) return std::nextafter(nearest, infinity);
  return nearest;
}

/// `value + error` as a single-precision number. To nearest, the error is taken for zero.
template <Rounding rounding>
f32 to_f32(f64 value, f64 error = 0) {
  const f32 nearest = static_cast<f32>(value);
  const f64 back = nearest;
  const bool above = back > value || (back == value && error < 0);
  const bool below = back < value || (back == value && error > 0);
  return canonical(stepped<rounding>(nearest, above, below, value < 0));
}

/// What is missing from `sum`, the sum of a and b to nearest (Knuth).
inline f64 error_of_sum(f64 a, f64 b, f64 sum) {
  const f64 part_of_b = sum - a;
  return (a - (sum - part_of_b)) + (b - part_of_b);
}

/// Calls `body.operator()<rounding>(name)` for all four roundings of PTX.
template <class Body>
constexpr void for_each_rounding(Body body) {
  body.template operator()<Rounding::nearest_even>("rn");
  body.template operator()<Rounding::to_zero>("rz");
  body.template operator()<Rounding::down>("rm");
  body.template operator()<Rounding::up>("rp");
}

/// Calls `body.operator()<rounding>(name)` for the three directed roundings, as PTX names them.
template <class Body>
constexpr void for_each_directed(Body body) {
  body.template operator()<Rounding::to_zero>("rz");
  body.template operator()<Rounding::down>("rm");
  body.template operator()<Rounding::up>("rp");
}

}  // namespace warpwright::isa
