#include "ptx/operand.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>
#include <string>

#include "ptx/constant.h"
#include "ptx/failure.h"

namespace warpwright::ptx {
namespace {

// PTX ISA, "Special Registers".
constexpr std::string_view vector_specials[] = {"cluster_ctaid", "cluster_nctaid", "clusterid", "ctaid",
                                                "nclusterid",    "nctaid",         "ntid",      "tid"};
constexpr std::string_view scalar_specials[] = {"aggr_smem_size",
                                                "clock",
                                                "clock64",
                                                "clock_hi",
                                                "cluster_ctarank",
                                                "cluster_nctarank",
                                                "current_graph_exec",
                                                "dynamic_smem_size",
                                                "globaltimer",
                                                "globaltimer_hi",
                                                "globaltimer_lo",
                                                "gridid",
                                                "is_explicit_cluster",
                                                "laneid",
                                                "lanemask_eq",
                                                "lanemask_ge",
                                                "lanemask_gt",
                                                "lanemask_le",
                                                "lanemask_lt",
                                                "nsmid",
                                                "nwarpid",
                                                "reserved_smem_offset_0",
                                                "reserved_smem_offset_1",
                                                "reserved_smem_offset_begin",
                                                "reserved_smem_offset_cap",
                                                "reserved_smem_offset_end",
                                                "smid",
                                                "total_smem_size",
                                                "warpid"};

// They are searched by halves.
static_assert(std::is_sorted(std::begin(vector_specials), std::end(vector_specials)));
static_assert(std::is_sorted(std::begin(scalar_specials), std::end(scalar_specials)));

/// "envreg3" and "pm0_64": a stem, a number below a limit, an ending.
bool is_numbered(std::string_view name, std::string_view stem, unsigned limit, std::string_view ending) {
  if (!name.starts_with(stem) || !name.ends_with(ending) || name.size() <= stem.size() + ending.size()) return false;
  const std::string_view number = name.substr(stem.size(), name.size() - stem.size() - ending.size());
  unsigned value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  return error == std::errc{} && end == number.data() + number.size() && value < limit;
}

bool is_component(std::string_view text) {
  return text.size() == 1 && std::string_view("xyzw").find(text[0]) != text.npos;
}

}  // namespace

bool is_special_register(std::string_view name) {
  const std::size_t dot = name.find('.');
  if (dot != std::string_view::npos) {
    return is_component(name.substr(dot + 1)) &&
           std::binary_search(std::begin(vector_specials), std::end(vector_specials), name.substr(0, dot));
  }
  return std::binary_search(std::begin(scalar_specials), std::end(scalar_specials), name) ||
         is_numbered(name, "envreg", 32, "") || is_numbered(name, "pm", 8, "") || is_numbered(name, "pm", 8, "_64");
}

Operand OperandParser::parse() const {
  if (lexer_.at("[")) return parse_address();
  if (lexer_.at("{")) return parse_vector();
  Operand operand = parse_simple();
  parse_pair(operand);
  return operand;
}

Operand OperandParser::parse_simple() const {
  if (lexer_.at(Token::Kind::word) && !at_constant(lexer_)) return named(lexer_.take());
  if (lexer_.at("!") && !lexer_.followed_by('(')) {
    lexer_.take();
    Operand operand = named(lexer_.peek());
    if (operand.kind != Operand::Kind::reg) lexer_.fail_expecting("a predicate after '!'");
    lexer_.take();
    operand.negated = true;
    return operand;
  }
  const Constant value = parse_constant(lexer_, "an operand");
  Operand operand;
  operand.bits = value.bits;
  switch (value.kind) {
    case Constant::Kind::integer:
      operand.kind = Operand::Kind::integer;
      break;
    case Constant::Kind::f32:
      operand.kind = Operand::Kind::f32;
      break;
    case Constant::Kind::f64:
      operand.kind = Operand::Kind::f64;
      break;
  }
  return operand;
}

/// `%p|%q`: a second destination. A sink there is as good as none.
void OperandParser::parse_pair(Operand& first) const {
  const bool can_pair = first.kind == Operand::Kind::reg || first.kind == Operand::Kind::sink;
  if (!can_pair || !lexer_.accept("|")) return;
  const std::uint32_t line = lexer_.line();
  const Token word = lexer_.peek();
  const Operand second = named(word);
  if (second.kind != Operand::Kind::reg && second.kind != Operand::Kind::sink) {
    fail(line, "expected a register after '|', found '{}'", word.text);
  }
  lexer_.take();
  first.name2 = second.name;
}

bool OperandParser::as_register(std::string_view name, Operand& operand) const {
  // "v.x" is a component of the vector register v.
  const std::size_t dot = name.find('.');
  const std::string_view stem = name.substr(0, dot);
  const std::optional<Names::Declared> declared = names_.find(stem);
  if (!declared || !declared->is_register) return false;
  if (dot != std::string_view::npos) {
    const std::string_view component = name.substr(dot + 1);
    const std::size_t index = component.size() == 1 ? std::string_view("xyzw").find(component[0]) : name.npos;
    if (index >= declared->width || declared->width == 1) {
      fail(lexer_.line(), "register {} has no component .{}", stem, component);
    }
  } else if (declared->width > 1) {
    operand.kind = Operand::Kind::vector;
    for (std::uint32_t i = 0; i < declared->width; ++i) {
      Operand& element = operand.elements.emplace_back();
      element.kind = Operand::Kind::reg;
      element.name = Names::spelling(declared->scope, name).append({'.', "xyzw"[i]});
    }
    return true;
  }
  operand.kind = Operand::Kind::reg;
  operand.name = Names::spelling(declared->scope, name);
  return true;
}

Operand OperandParser::named(const Token& word) const {
  Operand operand;
  if (word.kind != Token::Kind::word) lexer_.fail_expecting("a register");
  const std::string_view name = word.text;
  if (name == "_") {
    operand.kind = Operand::Kind::sink;
    return operand;
  }
  if (as_register(name, operand)) return operand;
  if (name[0] == '%') {
    operand.kind = Operand::Kind::special;
    operand.name = name.substr(1);
    if (is_special_register(operand.name)) return operand;
    fail(word.line, "register {} is not declared", name);
  }
  operand.kind = Operand::Kind::symbol;
  const std::optional<Names::Declared> declared = names_.find(name);
  if (!declared && symbols_.find(name) == symbols_.end()) {
    fail(word.line, "'{}' is not declared: no register, variable or function has that name", name);
  }
  operand.name = declared ? Names::spelling(declared->scope, name) : std::string(name);
  operand.offset = parse_offset(lexer_);
  return operand;
}

Operand OperandParser::parse_address() const {
  const std::uint32_t line = lexer_.line();
  lexer_.expect("[", "before an address");
  Operand address;
  if (lexer_.at(Token::Kind::word) && !at_constant(lexer_)) {
    const Operand base = named(lexer_.take());
    if (base.kind != Operand::Kind::reg && base.kind != Operand::Kind::symbol) {
      fail(line, "expected a register or a variable as the base of an address");
    }
    address.name = base.name;
    address.base_is_register = base.kind == Operand::Kind::reg;
    address.offset = base.kind == Operand::Kind::reg ? parse_offset(lexer_) : base.offset;
  } else {
    address.offset = parse_integer(lexer_, "a register, a variable or a number as an address");
  }
  address.kind = Operand::Kind::address;
  if (lexer_.accept(",")) address.elements = parse_vector().elements;
  lexer_.expect("]", "after an address");
  return address;
}

Operand OperandParser::parse_vector() const {
  lexer_.expect("{", "before a vector");
  Operand vector;
  vector.kind = Operand::Kind::vector;
  do {
    vector.elements.push_back(parse_simple());
  } while (lexer_.accept(","));
  lexer_.expect("}", "after a vector");
  return vector;
}

std::vector<Operand> OperandParser::parse_list() const {
  std::vector<Operand> operands;
  lexer_.expect("(", "before the operands of a call");
  if (lexer_.accept(")")) return operands;
  do {
    operands.push_back(parse_simple());
  } while (lexer_.accept(","));
  lexer_.expect(")", "after the operands of a call");
  return operands;
}

}  // namespace warpwright::ptx
