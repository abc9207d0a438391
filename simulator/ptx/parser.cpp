#include "ptx/parser.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "ptx/body.h"
#include "ptx/constant.h"
#include "ptx/failure.h"

namespace warpwright::ptx {
namespace {

constexpr std::uint64_t largest_extent = 1 << 30;

[[noreturn]] void fail_twice(std::string_view what, std::string_view name, std::uint32_t line) {
  fail(line, "{} {} is defined twice", what, name);
}

[[noreturn]] void fail_both(std::string_view name, std::uint32_t line) {
  fail(line, "'{}' is both a function and a variable", name);
}

}  // namespace

Module Parser::parse() {
  if (lexer_.at(Token::Kind::end)) lexer_.fail_expecting("a PTX module");
  parse_header();
  while (!lexer_.at(Token::Kind::end)) {
    if (!lexer_.accept(";")) parse_directive();
  }
  check_symbols();
  copy_aliases();
  locations_.finish(module_);
  return std::move(module_);
}

void Parser::parse_header() {
  lexer_.expect(".version", "at the start of a PTX module");
  module_.version = lexer_.expect(Token::Kind::number, "the version of PTX, such as 9.0");
  lexer_.expect(".target", "after .version");
  module_.target = lexer_.expect(Token::Kind::word, "a target such as sm_90");
  while (lexer_.accept(",")) lexer_.expect(Token::Kind::word, "an option of the target, such as debug");
  const std::uint32_t line = lexer_.line();
  lexer_.expect(".address_size", "after .target");
  const std::uint64_t bits = parse_unsigned(lexer_, "a number of bits", 128);
  if (bits != 64) fail(line, "expected addresses of 64 bits, found {}", bits);
}

void Parser::parse_directive() {
  if (lexer_.accept(".file")) return locations_.parse_file(lexer_, module_);
  if (lexer_.accept(".section")) return locations_.parse_section(lexer_);
  if (lexer_.accept(".alias")) return parse_alias();
  if (lexer_.accept(".pragma")) {
    lexer_.expect(Token::Kind::string, "the text of a .pragma in quotes");
    return lexer_.expect(";", "after .pragma");
  }
  bool is_extern = false;
  for (;;) {
    if (lexer_.accept(".extern")) {
      is_extern = true;
    } else if (!lexer_.accept(".visible") && !lexer_.accept(".weak") && !lexer_.accept(".common")) {
      break;
    }
  }
  parse_linked(is_extern);
}

void Parser::parse_linked(bool is_extern) {
  if (lexer_.accept(".entry")) return parse_function(true);
  if (lexer_.accept(".func")) return parse_function(false);
  if (lexer_.at(".tex")) fail(lexer_.line(), "textures and surfaces (.tex) are not supported");
  const Space space = space_named(lexer_.peek().text);
  if (space != Space::global && space != Space::constant && space != Space::shared) {
    lexer_.fail_expecting("a function, a variable or another directive of a module");
  }
  lexer_.take();
  parse_variable(space, is_extern);
}

void Parser::parse_variable(Space space, bool is_extern) {
  std::vector<Variable> variables = parse_variables(lexer_, space, is_extern, uses_);
  for (Variable& variable : variables) add_variable(std::move(variable));
}

void Parser::add_variable(Variable variable) {
  const auto next = static_cast<std::uint32_t>(module_.variables.size());
  const auto [symbol, is_new] = symbols_.try_emplace(variable.name, Symbol{false, next});
  if (is_new) {
    module_.variables.push_back(std::move(variable));
    return;
  }
  if (symbol->second.is_function) fail_both(variable.name, variable.ptx_line);
  Variable& known = module_.variables[symbol->second.index];
  if (known.is_extern) {
    known = std::move(variable);
  } else if (!variable.is_extern) {
    fail_twice("variable", variable.name, variable.ptx_line);
  }
}

/// `(params)`, each a .param or, in old code, a .reg.
std::vector<Variable> Parser::parse_parameters(Names& names, Function& function) {
  std::vector<Variable> parameters;
  lexer_.expect("(", "before parameters");
  if (lexer_.accept(")")) return parameters;
  do {
    const Space space = space_named(lexer_.peek().text);
    if (space != Space::param && space != Space::reg) lexer_.fail_expecting("'.param' or '.reg'");
    lexer_.take();
    const DeclarationHead head = parse_head(lexer_, space);
    NamedShape shape = parse_name_and_shape(lexer_, head);
    if (shape.name != "_") {
      if (space == Space::reg) {
        add_register(names.declare_register(shape.name, head.type, head.width, shape.variable.ptx_line), head,
                     function);
      } else {
        names.declare_variable(shape.name, shape.variable.ptx_line);
      }
    }
    parameters.push_back(std::move(shape.variable));
  } while (lexer_.accept(","));
  lexer_.expect(")", "after parameters");
  return parameters;
}

void Parser::parse_function(bool is_entry) {
  Function function;
  Names names;
  function.is_entry = is_entry;
  while (accept_function_attribute(lexer_)) {
  }
  if (!is_entry && lexer_.at("(")) function.returns = parse_parameters(names, function);
  const std::uint32_t line = lexer_.line();
  function.name = lexer_.expect(Token::Kind::word, "the name of a function");
  if (lexer_.at("(")) function.parameters = parse_parameters(names, function);
  parse_function_directives(function);
  function.is_declaration = !lexer_.at("{");

  // The name is known before the body is read, so that a function may call itself.
  const auto next = static_cast<std::uint32_t>(module_.functions.size());
  const auto [symbol, is_new] = symbols_.try_emplace(function.name, Symbol{true, next});
  if (!symbol->second.is_function) fail_both(function.name, line);
  const std::uint32_t index = symbol->second.index;
  if (is_new) module_.functions.push_back(function);
  if (function.is_declaration) {
    lexer_.expect(";", "or a body in braces after the head of a function");
    return;
  }
  if (!is_new && !module_.functions[index].is_declaration) fail_twice("function", function.name, line);
  BodyParser(lexer_, names, symbols_, locations_, module_, function).parse();
  module_.functions[index] = std::move(function);
}

std::array<std::uint32_t, 3> Parser::parse_extent() {
  std::array<std::uint32_t, 3> extent{1, 1, 1};
  std::size_t dimensions = 0;
  do {
    extent[dimensions++] = static_cast<std::uint32_t>(parse_unsigned(lexer_, "an extent", largest_extent));
  } while (dimensions < extent.size() && lexer_.accept(","));
  return extent;
}

void Parser::parse_function_directives(Function& function) {
  const auto product = [](const std::array<std::uint32_t, 3>& extent) {
    constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
    const std::uint64_t plane = std::min(std::uint64_t{extent[0]} * extent[1], most);
    return static_cast<std::uint32_t>(std::min(plane * extent[2], most));
  };
  for (;;) {
    if (lexer_.accept(".maxntid")) {
      function.max_threads = product(parse_extent());
    } else if (lexer_.accept(".reqntid")) {
      function.required_block = parse_extent();
      function.max_threads = product(function.required_block);
    } else if (lexer_.accept(".reqnctapercluster")) {
      function.required_cluster = parse_extent();
    } else if (lexer_.accept(".minnctapersm") || lexer_.accept(".maxnctapersm") || lexer_.accept(".maxnreg") ||
               lexer_.accept(".maxclusterrank")) {
      parse_integer(lexer_, "a number");  // advice to the assembler: the simulated GPU needs none of it
    } else if (lexer_.accept(".pragma")) {
      lexer_.expect(Token::Kind::string, "the text of a .pragma in quotes");
      lexer_.expect(";", "after .pragma");
    } else if (!lexer_.accept(".explicitcluster") && !lexer_.accept(".blocksareclusters") &&
               !accept_function_attribute(lexer_)) {
      return;
    }
  }
}

/// `.alias name, target;`: another name for a function of this module.
void Parser::parse_alias() {
  const std::uint32_t line = lexer_.line();
  const std::string_view name = lexer_.expect(Token::Kind::word, "the name of an alias");
  lexer_.expect(",", "after the name of an alias");
  aliases_.push_back({name, lexer_.expect(Token::Kind::word, "the name of a function"), line});
  lexer_.expect(";", "after .alias");
}

void Parser::check_symbols() const {
  for (const SymbolUse& use : uses_) {
    if (symbols_.find(use.name) != symbols_.end()) continue;
    fail(use.line, "'{}' is not declared: no variable or function has that name", use.name);
  }
}

void Parser::copy_aliases() {
  for (const Alias& alias : aliases_) {
    const auto target = symbols_.find(alias.target);
    const auto declared = symbols_.find(alias.name);
    for (const auto& [symbol, name] : {std::pair{target, alias.target}, std::pair{declared, alias.name}}) {
      if (symbol != symbols_.end() && symbol->second.is_function) continue;
      fail(alias.line, "function {} is not declared", name);
    }
    Function& function = module_.functions[declared->second.index];
    function = module_.functions[target->second.index];
    function.name = alias.name;
  }
}

}  // namespace warpwright::ptx
