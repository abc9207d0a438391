#include "ptx/declaration.h"

#include <array>
#include <bit>
#include <string>

#include "ptx/constant.h"
#include "ptx/failure.h"
#include "ptx/initialiser.h"

namespace warpwright::ptx {
namespace {

constexpr std::uint64_t largest_alignment = 1 << 20;
constexpr std::uint64_t largest_variable = std::uint64_t{1} << 40;
constexpr std::size_t most_dimensions = 16;
constexpr std::uint64_t most_registers = 1 << 20;
constexpr std::uint64_t most_vector_registers = 1 << 12;
constexpr std::string_view array_size = "the size of an array";
constexpr std::array<std::string_view, 4> components{".x", ".y", ".z", ".w"};

std::size_t parse_alignment(Lexer& lexer) {
  const std::uint32_t line = lexer.line();
  const std::uint64_t align = parse_unsigned(lexer, "an alignment in bytes", largest_alignment);
  if (!std::has_single_bit(align)) fail(line, "expected an alignment that is a power of two");
  return align;
}

/// `.attribute(.managed)` or `.attribute(.unified(a, b))`.
bool parse_attribute_is_managed(Lexer& lexer) {
  bool is_managed = false;
  lexer.expect("(", "after .attribute");
  do {
    is_managed = is_managed || lexer.at(".managed");
    lexer.expect(Token::Kind::directive, "the name of an attribute");
    if (lexer.accept("(")) {
      do {
        parse_integer(lexer, "an argument of the attribute");
      } while (lexer.accept(","));
      lexer.expect(")", "after the arguments of the attribute");
    }
  } while (lexer.accept(","));
  lexer.expect(")", "after .attribute");
  return is_managed;
}

/// The space and the alignment of what a pointer parameter points to say nothing about the parameter itself.
void skip_pointee(Lexer& lexer) {
  if (space_named(lexer.peek().text) != Space::generic) lexer.take();
  if (lexer.accept(".align")) parse_alignment(lexer);
}

Type parse_type(Lexer& lexer) {
  const std::string_view text = lexer.peek().text;
  if (text == ".texref" || text == ".samplerref" || text == ".surfref") {
    fail(lexer.line(), "textures and surfaces ({}) are not supported", text);
  }
  if (!lexer.at(Token::Kind::directive)) lexer.fail_expecting("a type");
  const std::optional<Type> type = type_named(text.substr(1));
  if (!type) lexer.fail_expecting("a type");
  lexer.take();
  return *type;
}

}  // namespace

Space space_named(std::string_view directive) {
  if (directive == ".reg") return Space::reg;
  if (directive == ".param") return Space::param;
  if (directive == ".global") return Space::global;
  if (directive == ".shared") return Space::shared;
  if (directive == ".local") return Space::local;
  if (directive == ".const") return Space::constant;
  return Space::generic;
}

DeclarationHead parse_head(Lexer& lexer, Space space) {
  DeclarationHead head;
  head.space = space;
  std::size_t align = 0;
  for (;;) {
    if (lexer.accept(".align")) {
      align = parse_alignment(lexer);
    } else if (lexer.accept(".attribute")) {
      head.is_managed = parse_attribute_is_managed(lexer) || head.is_managed;
    } else if (lexer.accept(".v2")) {
      head.width = 2;
    } else if (lexer.accept(".v4")) {
      head.width = 4;
    } else {
      break;
    }
  }
  head.type = parse_type(lexer);
  if (head.type == Type::pred && space != Space::reg) {
    fail(lexer.line(), "a predicate has no form in memory: .pred is for .reg only");
  }
  if (lexer.accept(".ptr")) skip_pointee(lexer);
  const std::size_t natural = size_of(head.type) * head.width;
  head.align = align != 0 ? align : natural;
  return head;
}

NamedShape parse_name_and_shape(Lexer& lexer, const DeclarationHead& head) {
  NamedShape shape;
  Variable& variable = shape.variable;
  variable.ptx_line = lexer.line();
  shape.name = lexer.expect(Token::Kind::word, "a name");
  variable.name = shape.name;
  variable.space = head.space;
  variable.type = head.type;
  variable.align = head.align;
  variable.is_managed = head.is_managed;
  while (lexer.accept("[")) {
    if (shape.extents.size() == most_dimensions) {
      fail(variable.ptx_line, "{} has more than 16 dimensions", variable.name);
    }
    const bool is_first = shape.extents.empty();
    shape.extents.push_back(is_first && lexer.at("]") ? 0 : parse_unsigned(lexer, array_size, largest_variable));
    if (!is_first && shape.extents.back() == 0) {
      fail(variable.ptx_line, "{} has no size: only the first dimension may be left open", variable.name);
    }
    lexer.expect("]", "after the size of an array");
  }
  if (head.width > 1) shape.extents.push_back(head.width);
  std::uint64_t bytes = size_of(head.type);
  for (const std::size_t extent : shape.extents) {
    if (bytes != 0 && extent > largest_variable / bytes) {
      fail(variable.ptx_line, "{} is larger than any device's memory", variable.name);
    }
    bytes *= extent;
  }
  variable.bytes = bytes;
  return shape;
}

std::vector<Variable> parse_variables(Lexer& lexer, Space space, bool is_extern, std::vector<SymbolUse>& uses) {
  const DeclarationHead head = parse_head(lexer, space);
  std::vector<Variable> variables;
  do {
    NamedShape shape = parse_name_and_shape(lexer, head);
    shape.variable.is_extern = is_extern;
    if (lexer.accept("=")) parse_initialiser(lexer, shape.extents, shape.variable, uses);
    variables.push_back(std::move(shape.variable));
  } while (lexer.accept(","));
  lexer.expect(";", "after a declaration");
  return variables;
}

void add_register(std::string_view spelling, const DeclarationHead& head, Function& function) {
  if (head.width == 1) {
    function.registers.push_back({std::string(spelling), head.type, 0});
    return;
  }
  for (std::uint32_t i = 0; i < head.width; ++i) {
    function.registers.push_back({std::string(spelling).append(components[i]), head.type, 0});
  }
}

void parse_registers(Lexer& lexer, Names& names, Function& function) {
  const DeclarationHead head = parse_head(lexer, Space::reg);
  do {
    const std::uint32_t line = lexer.line();
    const std::string_view name = lexer.expect(Token::Kind::word, "the name of a register");
    if (!lexer.accept("<")) {
      add_register(names.declare_register(name, head.type, head.width, line), head, function);
      continue;
    }
    const std::uint64_t most = head.width == 1 ? most_registers : most_vector_registers;
    const auto count = static_cast<std::uint32_t>(parse_count(lexer, "a number of registers", most));
    lexer.expect(">", "after a number of registers");
    const std::string stem = names.declare_registers(name, head.type, count, head.width, line);
    if (head.width == 1) {
      if (count != 0) function.registers.push_back({stem, head.type, count});
      continue;
    }
    for (std::uint32_t i = 0; i < count; ++i) add_register(stem + std::to_string(i), head, function);
  } while (lexer.accept(","));
  lexer.expect(";", "after a declaration of registers");
}

}  // namespace warpwright::ptx
