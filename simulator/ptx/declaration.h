// Problem: registers, parameters and variables share one grammar: a space, attributes, a type, names, shapes, data.
// Idea: the head (`.align 8 .b8`) is read once, then each name with its shape; initial data become bytes in memory
//   order plus relocations where an address belongs.
// Invariant: a variable's size and alignment are final; initial data, when there are any, fill it.
// Left out: linking (.visible, .weak): one module at a time needs only `extern`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "ptx/lexer.h"
#include "ptx/module.h"
#include "ptx/names.h"

namespace warpwright::ptx {

/// A name of the module that initial data take the address of; it may be declared later in the text.
struct SymbolUse {
  std::string_view name;
  std::uint32_t line = 0;
};

/// What stands before the names of a declaration: `.param .u64 .ptr .global .align 8`.
struct DeclarationHead {
  Space space = Space::global;
  Type type = Type::none;
  std::uint32_t width = 1;  // of .v2 and .v4
  std::size_t align = 1;    // as written, or the natural one
  bool is_managed = false;
};

/// The space that a directive names (".shared"), or Space::generic when it names none.
Space space_named(std::string_view directive);

/// Parses what follows the directive of the space. Throws ParseError.
DeclarationHead parse_head(Lexer& lexer, Space space);

/// Parses one name with its shape, without initial data. Throws ParseError.
struct NamedShape {
  Variable variable;
  std::string_view name;
  std::vector<std::size_t> extents;  // outermost first, a vector's width last; 0 for `[]`
};
NamedShape parse_name_and_shape(Lexer& lexer, const DeclarationHead& head);

/// Parses the rest of a declaration, from the head to its ';': one or several variables, with their initial data.
/// `uses` gets the symbols that these name. Throws ParseError.
std::vector<Variable> parse_variables(Lexer& lexer, Space space, bool is_extern, std::vector<SymbolUse>& uses);

/// Parses the rest of a `.reg` declaration and adds its registers to `function`. Throws ParseError.
void parse_registers(Lexer& lexer, Names& names, Function& function);

/// Adds one register, with all components when it is a vector, under its unique spelling.
void add_register(std::string_view spelling, const DeclarationHead& head, Function& function);

}  // namespace warpwright::ptx
