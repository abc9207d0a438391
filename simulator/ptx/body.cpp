#include "ptx/body.h"

#include <algorithm>
#include <string>
#include <utility>

#include "ptx/constant.h"
#include "ptx/failure.h"

namespace warpwright::ptx {
namespace {

/// "ld.global.v4.f32" to its parts; "::" stays inside one.
std::vector<std::string> split_at_dots(std::string_view opcode) {
  std::vector<std::string> parts;
  parts.reserve(static_cast<std::size_t>(std::count(opcode.begin(), opcode.end(), '.')) + 1);
  std::size_t begin = 0;
  for (;;) {
    const std::size_t dot = opcode.find('.', begin);
    parts.emplace_back(opcode.substr(begin, dot - begin));
    if (dot == std::string_view::npos) return parts;
    begin = dot + 1;
  }
}

}  // namespace

BodyParser::BodyParser(Lexer& lexer, Names& names, const Symbols& symbols, Locations& locations, Module& module,
                       Function& function)
    : lexer_(lexer),
      names_(names),
      symbols_(symbols),
      locations_(locations),
      module_(module),
      function_(function),
      operands_(lexer, names, symbols) {}

void BodyParser::parse() {
  lexer_.expect("{", "before the body of a function");
  locations_.begin_function();
  for (;;) {
    if (lexer_.accept("{")) {
      names_.open_scope();
    } else if (!lexer_.at("}")) {
      parse_statement();
    } else if (names_.in_function_scope()) {
      break;
    } else {
      lexer_.take();
      names_.close_scope();
    }
  }
  lexer_.expect("}", "after the body of a function");
  resolve_labels();
}

void BodyParser::parse_statement() {
  if (lexer_.accept(";")) return;  // an empty statement, as inline assembly often leaves
  if (lexer_.at(Token::Kind::directive)) return parse_directive();
  if (lexer_.at("@")) {
    Instruction instruction;
    parse_guard(instruction);
    const Token opcode = lexer_.peek();
    lexer_.expect(Token::Kind::word, "an instruction after the guard");
    return parse_instruction(std::move(instruction), opcode);
  }
  const Token word = lexer_.peek();
  lexer_.expect(Token::Kind::word, "an instruction, a label, a declaration or '}' in the body of " + function_.name);
  if (lexer_.accept(":")) return parse_label(word);
  parse_instruction({}, word);
}

void BodyParser::parse_directive() {
  if (lexer_.accept(".loc")) return locations_.parse_loc(lexer_, module_);
  if (lexer_.accept(".file")) return locations_.parse_file(lexer_, module_);
  if (lexer_.accept(".section")) return locations_.parse_section(lexer_);
  if (lexer_.accept(".pragma")) {
    do {
      lexer_.expect(Token::Kind::string, "the text of a .pragma in quotes");
    } while (lexer_.accept(","));
    return lexer_.expect(";", "after .pragma");
  }
  if (lexer_.accept(".reg")) return parse_registers(lexer_, names_, function_);
  const Space space = space_named(lexer_.peek().text);
  if (space != Space::param && space != Space::local && space != Space::shared) {
    lexer_.fail_expecting("a directive that may stand in the body of a function");
  }
  lexer_.take();
  parse_declaration(space);
}

void BodyParser::parse_declaration(Space space) {
  const DeclarationHead head = parse_head(lexer_, space);
  do {
    NamedShape shape = parse_name_and_shape(lexer_, head);
    if (lexer_.at("=")) fail(lexer_.line(), "only .global and .const variables have initial values");
    shape.variable.name = names_.declare_variable(shape.name, shape.variable.ptx_line);
    function_.variables.push_back(std::move(shape.variable));
  } while (lexer_.accept(","));
  lexer_.expect(";", "after a declaration");
}

void BodyParser::parse_label(const Token& name) {
  if (lexer_.accept(".branchtargets")) return parse_branch_targets(name);
  if (lexer_.accept(".calltargets")) return parse_call_targets(name);
  if (lexer_.accept(".callprototype")) return parse_prototype(name);
  const std::string unique = names_.declare_label(name.text, Names::LabelKind::code, name.line);
  function_.labels.emplace(unique, static_cast<std::uint32_t>(function_.body.size()));
}

Names::LabelUse BodyParser::take_label(Names::LabelKind kind) {
  const std::uint32_t line = lexer_.line();
  return {lexer_.expect(Token::Kind::word, "a label"), kind, names_.scope(), line};
}

void BodyParser::parse_branch_targets(const Token& name) {
  const std::string table = names_.declare_label(name.text, Names::LabelKind::branch_targets, name.line);
  function_.branch_targets[table];
  do {
    pending_targets_.push_back({take_label(Names::LabelKind::code), table});
  } while (lexer_.accept(","));
  lexer_.expect(";", "after .branchtargets");
}

void BodyParser::parse_call_targets(const Token& name) {
  names_.declare_label(name.text, Names::LabelKind::prototype, name.line);
  do {
    const std::uint32_t line = lexer_.line();
    const std::string_view target = lexer_.expect(Token::Kind::word, "the name of a function");
    const auto symbol = symbols_.find(target);
    if (symbol == symbols_.end() || !symbol->second.is_function) {
      fail(line, "function {} is not declared", target);
    }
  } while (lexer_.accept(","));
  lexer_.expect(";", "after .calltargets");
}

void BodyParser::parse_prototype(const Token& name) {
  names_.declare_label(name.text, Names::LabelKind::prototype, name.line);
  if (lexer_.at("(")) parse_prototype_parameters();
  lexer_.expect(Token::Kind::word, "'_' in a .callprototype");
  if (lexer_.at("(")) parse_prototype_parameters();
  while (accept_function_attribute(lexer_)) {
  }
  lexer_.expect(";", "after .callprototype");
}

void BodyParser::parse_prototype_parameters() {
  lexer_.expect("(", "before parameters");
  if (lexer_.accept(")")) return;
  do {
    const Space space = space_named(lexer_.peek().text);
    if (space != Space::param && space != Space::reg) lexer_.fail_expecting("'.param' or '.reg'");
    lexer_.take();
    parse_name_and_shape(lexer_, parse_head(lexer_, space));
  } while (lexer_.accept(","));
  lexer_.expect(")", "after parameters");
}

void BodyParser::parse_guard(Instruction& instruction) {
  lexer_.expect("@", "before a guard");
  instruction.guard_negated = lexer_.accept("!");
  const Token name = lexer_.peek();
  lexer_.expect(Token::Kind::word, "a predicate register after '@'");
  const std::optional<Names::Declared> declared = names_.find(name.text);
  if (!declared || !declared->is_register) {
    fail(name.line, "register {} is not declared", name.text);
  }
  if (declared->type != Type::pred || declared->width != 1) {
    fail(name.line, "the guard {} is not a .pred register", name.text);
  }
  instruction.guard = Names::spelling(declared->scope, name.text);
}

void BodyParser::parse_instruction(Instruction instruction, const Token& opcode) {
  if (opcode.text[0] == '%') fail(opcode.line, "expected an instruction, found '{}'", opcode.text);
  instruction.opcode = opcode.text;
  instruction.parts = split_at_dots(opcode.text);
  instruction.ptx_line = opcode.line;
  instruction.location = locations_.current();
  const std::string& mnemonic = instruction.parts[0];
  if (mnemonic == "call") {
    parse_call(instruction);
  } else if (mnemonic == "bra") {
    parse_label_operand(instruction, Names::LabelKind::code);
  } else if (mnemonic == "brx") {
    instruction.operands.push_back(operands_.parse());
    lexer_.expect(",", "between the index and the label of " + instruction.opcode);
    parse_label_operand(instruction, Names::LabelKind::branch_targets);
  } else if (!lexer_.at(";")) {
    parse_operands(instruction);
  }
  if (!lexer_.accept(";")) lexer_.expect(";", "after the operands of " + instruction.opcode);
  function_.body.push_back(std::move(instruction));
}

void BodyParser::parse_operands(Instruction& instruction) {
  instruction.operands.reserve(4);
  do {
    instruction.operands.push_back(operands_.parse());
  } while (lexer_.accept(","));
}

void BodyParser::parse_label_operand(Instruction& instruction, Names::LabelKind kind) {
  pending_labels_.push_back({take_label(kind), function_.body.size(), instruction.operands.size()});
  instruction.operands.emplace_back().kind = Operand::Kind::label;
}

/// `call (returns), target, (arguments), prototype;` where all but the target may be missing.
void BodyParser::parse_call(Instruction& instruction) {
  if (lexer_.at("(")) {
    instruction.returns = operands_.parse_list();
    lexer_.expect(",", "after the results of a call");
  }
  const Token name = lexer_.peek();
  const Operand target = operands_.parse();
  const auto symbol = symbols_.find(name.text);
  const bool is_function =
      target.kind == Operand::Kind::symbol && symbol != symbols_.end() && symbol->second.is_function;
  if (!is_function && target.kind != Operand::Kind::reg) {
    fail(name.line, "expected a function or a register to call, found '{}'", name.text);
  }
  instruction.operands.push_back(target);
  if (!lexer_.accept(",")) return;
  if (lexer_.at("(")) {
    instruction.arguments = operands_.parse_list();
    if (!lexer_.accept(",")) return;
  }
  pending_prototypes_.push_back({take_label(Names::LabelKind::prototype), function_.body.size(), 0});
}

void BodyParser::resolve_labels() {
  for (const PendingLabel& pending : pending_labels_) {
    function_.body[pending.instruction].operands[pending.operand].name = names_.resolve(pending.use);
  }
  for (const PendingLabel& pending : pending_prototypes_) {
    function_.body[pending.instruction].prototype = names_.resolve(pending.use);
  }
  for (const PendingTarget& pending : pending_targets_) {
    function_.branch_targets[pending.table].push_back(names_.resolve(pending.use));
  }
}

bool accept_function_attribute(Lexer& lexer) {
  if (lexer.accept(".noreturn")) return true;
  if (!lexer.accept(".abi_preserve") && !lexer.accept(".abi_preserve_control")) return false;
  parse_integer(lexer, "a number of registers");
  return true;
}

}  // namespace warpwright::ptx
