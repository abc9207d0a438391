#include "isa/text.h"

#include <fmt/core.h>

namespace warpwright::isa {
namespace {

std::string with_offset(const std::string& name, std::int64_t offset) {
  return offset == 0 ? name : fmt::format("{}{:+}", name, offset);
}

/// The "|%p2" of two destinations.
std::string second(const ptx::Operand& operand) {
  return operand.name2.empty() ? "" : fmt::format("|{}", operand.name2);
}

std::string to_text(const ptx::Operand& operand);

std::string list(const std::vector<ptx::Operand>& operands) {
  std::string text;
  for (const ptx::Operand& operand : operands) {
    if (!text.empty()) text += ", ";
    text += to_text(operand);
  }
  return text;
}

std::string to_text(const ptx::Operand& operand) {
  using Kind = ptx::Operand::Kind;
  switch (operand.kind) {
    case Kind::reg:
      return fmt::format("{}{}{}", operand.negated ? "!" : "", operand.name, second(operand));
    case Kind::special:
      return fmt::format("%{}", operand.name);
    case Kind::integer:
      return std::to_string(static_cast<std::int64_t>(operand.bits));
    case Kind::f32:
      return fmt::format("0f{:08X}", operand.bits);
    case Kind::f64:
      return fmt::format("0d{:016X}", operand.bits);
    case Kind::symbol:
      return with_offset(operand.name, operand.offset);
    case Kind::address:
      return operand.name.empty() ? fmt::format("[{}]", operand.bits + static_cast<std::uint64_t>(operand.offset))
                                  : fmt::format("[{}]", with_offset(operand.name, operand.offset));
    case Kind::label:
      return operand.name;
    case Kind::vector:
      return fmt::format("{{{}}}", list(operand.elements));
    case Kind::sink:
      return fmt::format("_{}", second(operand));
  }
  return "";
}

}  // namespace

std::string to_text(const ptx::Instruction& instruction) {
  std::string text;
  if (!instruction.guard.empty())
    text += fmt::format("@{}{} ", instruction.guard_negated ? "!" : "", instruction.guard);
  text += instruction.opcode;
  if (!instruction.operands.empty()) text += fmt::format(" {}", list(instruction.operands));
  if (!instruction.arguments.empty()) text += fmt::format(", ({})", list(instruction.arguments));
  return text;
}

}  // namespace warpwright::isa
