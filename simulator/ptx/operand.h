// Problem: an operand's form (register, address, literal, symbol, label...) shows only in part in its spelling.
// Idea: read the form, then ask what the name stands for: in this function's scopes, among the special registers, in
//   the module.
// Invariant: every name in the operand is declared, or recorded as a use of a label that may follow.
// Left out: whether the instruction takes such an operand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ptx/lexer.h"
#include "ptx/module.h"
#include "ptx/names.h"

namespace warpwright::ptx {

/// What a name of the module stands for: an index into Module::functions or Module::variables.
struct Symbol {
  bool is_function = false;
  std::uint32_t index = 0;
};
struct NameHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view name) const { return std::hash<std::string_view>{}(name); }
};
using Symbols = std::unordered_map<std::string, Symbol, NameHash, std::equal_to<>>;

class OperandParser {
 public:
  OperandParser(Lexer& lexer, const Names& names, const Symbols& symbols)
      : lexer_(lexer), names_(names), symbols_(symbols) {}

  /// Parses any operand but a label. Throws ParseError.
  Operand parse() const;

  /// Parses `(a, b)`, the operands of one side of a call.
  std::vector<Operand> parse_list() const;

 private:
  Operand parse_simple() const;
  Operand parse_address() const;
  Operand parse_vector() const;
  void parse_pair(Operand& first) const;
  Operand named(const Token& word) const;
  bool as_register(std::string_view name, Operand& operand) const;

  Lexer& lexer_;
  const Names& names_;
  const Symbols& symbols_;
};

/// Whether `%name` is a special register of PTX; a component such as ".x" belongs to the name.
bool is_special_register(std::string_view name);

}  // namespace warpwright::ptx
