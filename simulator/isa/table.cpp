#include "isa/table.h"

#include "isa/rows.h"

namespace warpwright::isa {
namespace {

const Table& table() {
  static const Table rows = [] {
    Table all;
    add_integer_rows(all);
    add_bit_rows(all);
    add_floating_rows(all);
    add_comparison_rows(all);
    add_conversion_rows(all);
    return all;
  }();
  return rows;
}

}  // namespace

const Row* find_row(std::string_view opcode) {
  const auto found = table().find(std::string(opcode));
  return found == table().end() ? nullptr : &found->second;
}

std::size_t table_size() { return table().size(); }

}  // namespace warpwright::isa
