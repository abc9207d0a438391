// Problem: a function's body mixes scopes, declarations, places in the source, labels and instructions.
// Idea: one loop over statements with a stack of scopes, so that nesting costs no recursion; labels may follow their
//   uses, so uses are kept and resolved at the end.
// Invariant: when it returns, every label that an operand names is a key of Function::labels or ::branch_targets.
// Left out: control flow; an instruction's operands are not checked against its opcode.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "ptx/declaration.h"
#include "ptx/lexer.h"
#include "ptx/locations.h"
#include "ptx/module.h"
#include "ptx/names.h"
#include "ptx/operand.h"

namespace warpwright::ptx {

class BodyParser {
 public:
  /// `names` holds the parameters of `function` already; `module` takes the locations.
  BodyParser(Lexer& lexer, Names& names, const Symbols& symbols, Locations& locations, Module& module,
             Function& function);

  /// Parses from the '{' to the '}' of a function. Throws ParseError.
  void parse();

 private:
  /// An operand that means a label: kept by place, because the body's vectors still grow.
  struct PendingLabel {
    Names::LabelUse use;
    std::size_t instruction = 0;
    std::size_t operand = 0;
  };
  struct PendingTarget {
    Names::LabelUse use;
    std::string table;  // the unique name of the .branchtargets
  };

  void parse_statement();
  void parse_directive();
  void parse_declaration(Space space);
  void parse_label(const Token& name);
  void parse_branch_targets(const Token& name);
  void parse_call_targets(const Token& name);
  void parse_prototype(const Token& name);
  void parse_prototype_parameters();
  void parse_instruction(Instruction instruction, const Token& opcode);
  void parse_guard(Instruction& instruction);
  void parse_operands(Instruction& instruction);
  void parse_call(Instruction& instruction);
  void parse_label_operand(Instruction& instruction, Names::LabelKind kind);
  Names::LabelUse take_label(Names::LabelKind kind);
  void resolve_labels();

  Lexer& lexer_;
  Names& names_;
  const Symbols& symbols_;
  Locations& locations_;
  Module& module_;
  Function& function_;
  OperandParser operands_;
  std::vector<PendingLabel> pending_labels_;
  std::vector<PendingLabel> pending_prototypes_;
  std::vector<PendingTarget> pending_targets_;
};

/// Skips the attributes that may follow a function's parameters without meaning here, such as `.noreturn`.
bool accept_function_attribute(Lexer& lexer);

}  // namespace warpwright::ptx
