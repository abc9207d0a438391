#include "isa/table.h"

#include <algorithm>

#include "isa/rows.h"

namespace warpwright::isa {
namespace {

const Table& table() {
  static const Table rows = [] {
    Table all;
    add_integer_rows(all);
    add_bit_rows(all);
    add_floating_rows(all);
    add_directed_rows(all);
    add_comparison_rows(all);
    add_conversion_rows(all);
    add_integral_rows(all);
    add_float_conversion_rows(all);
    add_packed_conversion_rows(all);
    add_half_rows(all);
    add_approximate_rows(all);
    add_exact_rows(all);
    return all;
  }();
  return rows;
}

}  // namespace

const Row* find_row(std::string_view opcode) {
  const auto found = table().find(std::string(opcode));
  return found == table().end() ? nullptr : &found->second;
}

std::vector<std::string> opcodes() {
  std::vector<std::string> names;
  for (const auto& [name, row] : table()) names.push_back(name);
  std::ranges::sort(names);
  return names;
}

}  // namespace warpwright::isa
