// PTX ISA, "cvt" between integers. See integral.cpp for floats to integers, float_conversion.cpp for all to floats.
#include <algorithm>
#include <utility>

#include "isa/rows.h"

namespace warpwright::isa {
namespace {

template <class D, class S>
D cvt(S a) {
  return static_cast<D>(a);
}

/// Out of range clamps.
template <class D, class S>
D cvt_sat(S a) {
  using Limits = std::numeric_limits<D>;
  if (std::cmp_less(a, Limits::min())) return Limits::min();
  if (std::cmp_greater(a, Limits::max())) return Limits::max();
  return static_cast<D>(a);
}

/// Whether every S is a D.
template <class D, class S>
constexpr bool holds =
    std::in_range<D>(std::numeric_limits<S>::min()) && std::in_range<D>(std::numeric_limits<S>::max());

/// Types that stand for all those which the compiler would make the same loop of: of a result whose register it fills,
/// the sign does not matter; of a source that is cut off, neither sign nor width.
template <class D>
using SameResult = std::conditional_t<(sizeof(D) >= 4), Unsigned<D>, D>;
template <class D, class S>
using SameSource = std::conditional_t<(sizeof(D) <= sizeof(S)), Lane<S>, S>;

template <class D, class S>
void add_integer_row(Table& table) {
  constexpr auto to = type_name<D>();
  constexpr auto from = type_name<S>();
  constexpr auto execute = &Lanewise<&cvt<SameResult<D>, SameSource<D, S>>>::execute;
  enter(table, row_of(execute, &cvt<D, S>), "cvt.", to, ".", from);
  if constexpr (!holds<D, S>) rare_row<cvt_sat<D, S>>(table, "cvt.sat.", to, ".", from);
}

}  // namespace

void add_conversion_rows(Table& table) {
  for_each_type<u8, s8, u16, s16, u32, s32, u64, s64>([&]<class D>() {
    for_each_type<u8, s8, u16, s16, u32, s32, u64, s64>([&]<class S>() { add_integer_row<D, S>(table); });
  });
}

}  // namespace warpwright::isa
