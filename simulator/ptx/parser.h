// Problem: a module is a list of directives, functions and variables, in which a declaration may precede its
// definition. Idea: recursive descent one level deep; bodies, declarations, operands and places have parsers of their
// own. Invariant: one Function and one Variable a name; a definition takes the place of its declaration. Left out:
// linking several modules, and the textures and surfaces that the simulator does not have.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ptx/declaration.h"
#include "ptx/lexer.h"
#include "ptx/locations.h"
#include "ptx/module.h"
#include "ptx/names.h"
#include "ptx/operand.h"

namespace warpwright::ptx {

class Parser {
 public:
  explicit Parser(std::string_view text) : lexer_(text) {}

  /// Parses the whole text once. Throws ParseError.
  Module parse();

 private:
  struct Alias {
    std::string_view name;
    std::string_view target;
    std::uint32_t line = 0;
  };

  void parse_header();
  void parse_directive();
  void parse_linked(bool is_extern);
  void parse_function(bool is_entry);
  void parse_function_directives(Function& function);
  std::vector<Variable> parse_parameters(Names& names, Function& function);
  void parse_variable(Space space, bool is_extern);
  void parse_alias();
  std::array<std::uint32_t, 3> parse_extent();

  void add_variable(Variable variable);
  void check_symbols() const;
  void copy_aliases();

  Lexer lexer_;
  Module module_;
  Locations locations_;
  Symbols symbols_;
  std::vector<SymbolUse> uses_;
  std::vector<Alias> aliases_;
};

}  // namespace warpwright::ptx
