#include "isa/operands.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace warpwright::isa {
namespace {

using machine::Flow;
using machine::OperandRegister;
using machine::Operands;
using machine::Program;
using Kind = Operands::Kind;

template <std::size_t n>
bool is_one_of(std::string_view name, const std::array<std::string_view, n>& names) {
  return std::ranges::find(names, name) != names.end();
}

Kind kind_of(std::string_view mnemonic) {
  constexpr std::array<std::string_view, 2> moves = {"mov", "cvta"};
  constexpr std::array<std::string_view, 14> bits = {"and", "or",  "xor",  "not", "lop3", "shl",  "shr",
                                                     "shf", "cvt", "prmt", "bfe", "bfi",  "bmsk", "szext"};
  constexpr std::array<std::string_view, 20> others = {
      "bra",     "brx",          "call",      "ret",  "exit",     "bar",       "barrier", "membar", "fence",
      "trap",    "brkpt",        "nanosleep", "vote", "prefetch", "prefetchu", "pmevent", "match",  "griddepcontrol",
      "discard", "applypriority"};
  if (mnemonic == "ld" || mnemonic == "ldu") return Kind::load;
  if (mnemonic == "st") return Kind::store;
  if (mnemonic == "atom" || mnemonic == "red") return Kind::atomic;
  if (mnemonic == "selp") return Kind::select;
  if (mnemonic == "shfl") return Kind::shuffle;
  if (is_one_of(mnemonic, moves)) return Kind::move;
  if (is_one_of(mnemonic, bits)) return Kind::bits;
  if (is_one_of(mnemonic, others) || mnemonic.starts_with("cp") || mnemonic.starts_with("mbarrier")) return Kind::other;
  return Kind::compute;
}

/// Whether the first operand is a result.
bool has_result(const ptx::Instruction& instruction, Kind kind) {
  const std::string_view mnemonic = instruction.parts.front();
  if (kind == Kind::store || mnemonic == "red" || mnemonic == "call") return false;
  if (kind != Kind::other) return true;
  const bool reduces =
      mnemonic.starts_with("bar") && std::ranges::find(instruction.parts, "red") != instruction.parts.end();
  if (mnemonic == "mbarrier") {
    constexpr std::array<std::string_view, 5> with_result = {"arrive", "arrive_drop", "test_wait", "try_wait",
                                                             "pending_count"};
    return instruction.parts.size() > 1 && is_one_of(instruction.parts[1], with_result);
  }
  return mnemonic == "vote" || mnemonic == "match" || reduces;
}

class Collector {
 public:
  Collector(const Layout& layout, Program& program, Operands& to) : layout_(layout), program_(program), to_(to) {}

  void write(const ptx::Operand& operand) {
    take(operand, to_.written);
    if (!operand.name2.empty() && operand.kind == ptx::Operand::Kind::reg) put(operand.name2, to_.written);
    if (!operand.name2.empty() && operand.kind == ptx::Operand::Kind::sink) put(operand.name2, to_.written);
  }
  void read(const ptx::Operand& operand) {
    using Form = ptx::Operand::Kind;
    if (operand.kind == Form::address) {
      if (operand.base_is_register) to_.address = layout_.reg(operand.name).offset;
      return;
    }
    if (operand.kind != Form::reg && operand.kind != Form::vector) to_.reads_constant = true;
    take(operand, to_.read);
  }

 private:
  void take(const ptx::Operand& operand, std::uint8_t& count) {
    if (operand.kind == ptx::Operand::Kind::reg) put(operand.name, count);
    for (const ptx::Operand& element : operand.elements) {
      if (element.kind == ptx::Operand::Kind::reg)
        put(element.name, count);
      else if (&count == &to_.read)
        to_.reads_constant = true;
    }
  }
  void put(const std::string& name, std::uint8_t& count) {
    const Layout::Register reg = layout_.reg(name);
    const auto bytes = static_cast<std::uint8_t>(reg.width == Width::predicate ? 1 : lane_bytes(reg.width));
    program_.operand_registers.push_back({reg.offset, bytes});
    ++count;
  }

  const Layout& layout_;
  Program& program_;
  Operands& to_;
};

/// Walks backwards from every reading of a register until something writes it; whatever comes to the kernel's beginning
/// has not been written there.
class Liveness {
 public:
  explicit Liveness(const Program& program) : program_(program), before_(program.code.size() + 1) {
    const auto count = static_cast<std::uint32_t>(program.operands.size());
    for (std::uint32_t pc = 0; pc < count; ++pc) {
      for (const std::uint32_t next : successors(pc))
        before_[std::min<std::size_t>(next, before_.size() - 1)].push_back(pc);
      const Operands& operands = program.operands[pc];
      const OperandRegister* regs = program.operand_registers.data() + operands.first;
      const bool always = program.code[pc].guard == machine::no_register;
      for (unsigned i = 0; i < operands.written; ++i)
        if (always) uses_[regs[i].offset].written.push_back(pc);
      for (unsigned i = operands.written; i < operands.written + operands.read; ++i) {
        Uses& uses = uses_[regs[i].offset];
        uses.bytes = regs[i].bytes;
        uses.read.push_back(pc);
      }
      if (operands.address != machine::no_register) uses_[operands.address].read.push_back(pc);
      if (!always) read_guard(program.code[pc].guard, pc);
    }
  }

  std::vector<OperandRegister> at_entry() {
    std::vector<OperandRegister> result;
    std::vector<std::uint32_t> seen(before_.size(), 0);
    std::uint32_t round = 0;
    for (const auto& [offset, uses] : uses_)
      if (reaches_entry(uses, seen, ++round)) result.push_back({offset, uses.bytes});
    std::ranges::sort(result, {}, &OperandRegister::offset);
    return result;
  }

 private:
  void read_guard(std::uint32_t guard, std::uint32_t pc) {
    Uses& uses = uses_[guard];
    uses.bytes = 1;
    uses.read.push_back(pc);
  }

  struct Uses {
    std::uint8_t bytes = 8;
    std::vector<std::uint32_t> written, read;  // pcs, ascending
  };

  std::vector<std::uint32_t> successors(std::uint32_t pc) const {
    const machine::Instruction& instruction = program_.code[pc];
    std::vector<std::uint32_t> next;
    const bool always = instruction.guard == machine::no_register;
    if (instruction.flow == Flow::branch) next.push_back(instruction.target);
    if (!always || (instruction.flow != Flow::branch && instruction.flow != Flow::exit)) next.push_back(pc + 1);
    return next;
  }

  bool reaches_entry(const Uses& uses, std::vector<std::uint32_t>& seen, std::uint32_t round) const {
    std::vector<std::uint32_t> work = uses.read;
    for (const std::uint32_t pc : work) seen[pc] = round;
    while (!work.empty()) {
      const std::uint32_t pc = work.back();
      work.pop_back();
      if (pc == 0) return true;
      for (const std::uint32_t earlier : before_[pc]) {
        if (seen[earlier] == round || std::ranges::binary_search(uses.written, earlier)) continue;
        seen[earlier] = round;
        work.push_back(earlier);
      }
    }
    return false;
  }

  const Program& program_;
  std::vector<std::vector<std::uint32_t>> before_;  // by pc: where one comes from
  std::unordered_map<std::uint32_t, Uses> uses_;    // by register
};

}  // namespace

void append_operands(const ptx::Instruction& instruction, const Layout& layout, Program& program) {
  Operands operands;
  operands.kind = kind_of(instruction.parts.front());
  operands.first = static_cast<std::uint32_t>(program.operand_registers.size());
  Collector collector(layout, program, operands);
  std::size_t next = 0;
  if (has_result(instruction, operands.kind) && !instruction.operands.empty())
    collector.write(instruction.operands[next++]);
  for (; next < instruction.operands.size(); ++next) collector.read(instruction.operands[next]);
  // How far to shift does not make a value known.
  constexpr std::array<std::string_view, 3> shifts = {"shl", "shr", "shf"};
  if (is_one_of(instruction.parts.front(), shifts)) operands.reads_constant = false;
  program.operands.push_back(operands);
}

void find_unwritten(Program& program) { program.unwritten = Liveness(program).at_entry(); }

}  // namespace warpwright::isa
