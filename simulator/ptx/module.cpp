#include "ptx/module.h"

#include <array>

#include "ptx/parser.h"

namespace warpwright::ptx {
namespace {

struct TypeRow {
  std::string_view name;
  std::size_t bytes;
};

/// In the order of Type.
constexpr std::array<TypeRow, 21> types{{{"none", 0},   {"pred", 0}, {"b8", 1},  {"b16", 2}, {"b32", 4},   {"b64", 8},
                                         {"b128", 16},  {"u8", 1},   {"u16", 2}, {"u32", 4}, {"u64", 8},   {"s8", 1},
                                         {"s16", 2},    {"s32", 4},  {"s64", 8}, {"f16", 2}, {"f16x2", 4}, {"bf16", 2},
                                         {"bf16x2", 4}, {"f32", 4},  {"f64", 8}}};
static_assert(types.size() == static_cast<std::size_t>(Type::f64) + 1);

}  // namespace

std::size_t size_of(Type type) { return types[static_cast<std::size_t>(type)].bytes; }

std::string_view name_of(Type type) { return types[static_cast<std::size_t>(type)].name; }

std::optional<Type> type_named(std::string_view name) {
  for (std::size_t i = 1; i < types.size(); ++i) {
    if (types[i].name == name) return static_cast<Type>(i);
  }
  return std::nullopt;
}

Module parse(std::string_view text) { return Parser(text).parse(); }

}  // namespace warpwright::ptx
