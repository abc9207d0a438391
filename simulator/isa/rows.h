// Problem: hundreds of rows that differ only in a type should not be written out.
// Idea: `row<function>(table, "add.", "s32")` reads widths off the function's own types.
// Invariant: no opcode is entered twice.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>

#include "isa/table.h"
#include "isa/types.h"

namespace warpwright::isa {

using Table = std::unordered_map<std::string, Row>;

// One room per family of the manual's instruction set.
void add_integer_rows(Table& table);
void add_bit_rows(Table& table);
void add_floating_rows(Table& table);
void add_directed_rows(Table& table);
void add_comparison_rows(Table& table);
void add_conversion_rows(Table& table);
void add_integral_rows(Table& table);
void add_float_conversion_rows(Table& table);
void add_packed_conversion_rows(Table& table);
void add_half_rows(Table& table);
void add_approximate_rows(Table& table);
void add_exact_rows(Table& table);

template <class T>
constexpr Width width_of() {
  if constexpr (std::is_same_v<T, bool>)
    return Width::predicate;
  else
    return sizeof(T) == 8 ? Width::b64 : Width::b32;
}

template <class T>
constexpr std::uint8_t narrow_bytes() {
  return sizeof(T) < 4 && !std::is_same_v<T, bool> ? sizeof(T) : 0;
}

template <class D, class... S>
constexpr Row row_of(machine::Execute execute, D (*)(S...)) {
  Row row;
  row.execute = execute;
  row.destination = width_of<D>();
  row.destination_bytes = narrow_bytes<D>();
  row.destination_signed = std::is_signed_v<D>;
  row.sources = sizeof...(S);
  int i = 0;
  ((row.source[i] = width_of<S>(), row.source_bytes[i] = narrow_bytes<S>(), ++i), ...);
  return row;
}

template <class... Parts>
void enter(Table& table, const Row& row, const Parts&... parts) {
  std::string opcode;
  (opcode.append(parts), ...);
  if (!table.emplace(opcode, row).second) throw std::logic_error("two rows for " + opcode);
}

/// Enters `function` under the opcode that `parts` spell together, to be called lane by lane: for rare instructions, of
/// which there are many, a vectorised loop each would cost the compiler more than it saves.
template <auto function, class... Parts>
void rare_row(Table& table, const Parts&... parts) {
  enter(table, row_of(&LaneByLane<function>::execute, function), parts...);
}

/// Enters `function` under the opcode that `parts` spell together.
template <auto function, class... Parts>
void row(Table& table, const Parts&... parts) {
  enter(table, row_of(&Lanewise<function>::execute, function), parts...);
}

/// The same for one of a family over all integer types: those of 16 bits are rare.
template <class T, auto function, class... Parts>
void integer_row(Table& table, const Parts&... parts) {
  if constexpr (sizeof(T) == 2)
    rare_row<function>(table, parts...);
  else
    row<function>(table, parts...);
}

}  // namespace warpwright::isa
