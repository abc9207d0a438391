// Problem: each kind of instruction has its own grammar of operands.
// Idea: one function per kind; the opcode's first part says which. Whatever no kind accepts is Unsupported.
// Invariant: a qualifier that changes a result is never skipped over: an unknown one is Unsupported.
// Left out: see decode.h.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "isa/layout.h"
#include "isa/text.h"
#include "machine/program.h"
#include "ptx/module.h"

namespace warpwright::isa {

class Decoder {
 public:
  /// Says in words what of an instruction is not supported.
  class Unsupported : public std::runtime_error {
   public:
    using std::runtime_error::runtime_error;
  };

  /// `base`: the pc of the function's first instruction.
  Decoder(const ptx::Function& function, Layout& layout, machine::Program& program, std::uint32_t base)
      : function_(function), layout_(layout), program_(program), base_(base) {}

  /// Throws Unsupported.
  machine::Instruction decode(const ptx::Instruction& instruction);

 private:
  // decode_straight.cpp
  /// The row `opcode` of the table; `into` is where the result goes instead of the first operand.
  machine::Instruction lanewise(const ptx::Instruction& from, std::string_view opcode,
                                const Layout::Register* into = nullptr);
  machine::Instruction extended_precision(const ptx::Instruction& from);
  machine::Instruction mov(const ptx::Instruction& from);
  /// decode_clock.cpp: a mov from a special register that time changes.
  machine::Instruction clock(const ptx::Instruction& from);
  machine::Instruction cvta(const ptx::Instruction& from);
  machine::Instruction cache_policy(const ptx::Instruction& from);
  // decode_compare.cpp
  struct Comparison;
  machine::Instruction setp(const ptx::Instruction& from);
  machine::Instruction set(const ptx::Instruction& from);
  void combine(machine::Instruction& to, const ptx::Instruction& from, const Comparison& comparison);
  machine::Instruction lop3_with_predicate(const ptx::Instruction& from);
  machine::Instruction isspacep(const ptx::Instruction& from);
  // decode_memory.cpp
  machine::Instruction memory(const ptx::Instruction& from);
  machine::Instruction atomic(const ptx::Instruction& from);
  void vector_atomic(machine::Instruction& to, const ptx::Instruction& from, const std::string& operation,
                     std::size_t operands);
  /// Whether the register, which an atomic writes, is named anywhere else.
  bool is_used(const std::string& name) const;
  machine::Instruction discard(const ptx::Instruction& from);
  void address(machine::Instruction& to, const ptx::Operand& operand);
  void parameter(machine::Instruction& to, const ptx::Operand& operand, bool sign_extended);
  void data(machine::Instruction& to, const ptx::Operand& operand, ptx::Type type, bool is_load);
  // decode_async.cpp
  machine::Instruction copy_async(const ptx::Instruction& from);
  machine::Instruction copy_in_bulk(const ptx::Instruction& from);
  machine::Instruction mbarrier(const ptx::Instruction& from);
  void mbarrier_address(machine::Instruction& to, const ptx::Instruction& from, std::size_t index);
  /// How many of the latest groups a wait does not wait for.
  std::uint32_t groups_of(const ptx::Operand& operand);
  // decode_calls.cpp
  machine::Instruction call(const ptx::Instruction& from);
  machine::Instruction indexed_branch(const ptx::Instruction& from);
  machine::Instruction stack(const ptx::Instruction& from);
  /// Whether `at` is a .param variable of a function, which the access then becomes one of.
  bool passes(machine::Instruction& to, const ptx::Operand& at, bool is_load);
  // decode_control.cpp
  machine::Instruction branch(const ptx::Instruction& from);
  machine::Instruction barrier(const ptx::Instruction& from);
  machine::Instruction block_barrier(const ptx::Instruction& from, std::string_view kind);
  std::uint32_t barrier_number(const ptx::Operand& operand);
  std::uint32_t thread_count(const ptx::Operand& operand);
  machine::Instruction shfl(const ptx::Instruction& from);
  machine::Instruction vote(const ptx::Instruction& from);
  machine::Instruction redux(const ptx::Instruction& from);
  machine::Instruction match(const ptx::Instruction& from);
  machine::Instruction elect(const ptx::Instruction& from);
  /// Instructions that neither name nor change a value: fences, pauses, hints, the trap.
  machine::Instruction quiet(const ptx::Instruction& from);

  /// The register, made if need be, that holds a source operand in lanes of this width.
  std::uint32_t source(const ptx::Operand& operand, Width width);
  /// The register that a result of this width goes to.
  std::uint32_t destination(const ptx::Operand& operand, Width width);
  const ptx::Operand& operand(const ptx::Instruction& from, std::size_t index) const;
  /// The register of this name as an operand.
  static ptx::Operand named(const std::string& name);

  /// The bits of a literal in lanes of this width.
  std::uint64_t literal(const ptx::Operand& operand, Width width) const;

  const ptx::Function& function_;
  Layout& layout_;
  machine::Program& program_;
  std::uint32_t base_;
  ptx::Type type_ = ptx::Type::none;  // that the current instruction's last part names
};

}  // namespace warpwright::isa
