// Problem: registers, constants, arrays and parameters must each get a place before an operand can be decoded.
// Idea: lay them out once for a kernel: registers of one width side by side, shared arrays with red zones between them.
// Invariant: a shared array's offset, modulo the 128 bytes of a row of banks, is what it would be without red zones, so
// that bank conflicts are the hardware's; between two arrays lie at least 128 bytes that belong to none.
// Left out: the order in which ptxas may place arrays; we keep the order of declaration.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "isa/decode.h"
#include "isa/table.h"
#include "machine/program.h"
#include "ptx/module.h"

namespace warpwright::isa {

inline constexpr std::uint32_t red_zone = 128;  // bytes: one row of the 32 banks

class Layout {
 public:
  /// `functions`: the kernel first; each becomes one of `program.functions`.
  Layout(const ptx::Module& module, const std::vector<const ptx::Function*>& functions, const Symbols& symbols,
         machine::Program& program);

  /// From now on names are those of this function.
  void enter(std::size_t function) { scope_ = &scopes_[function]; }

  struct Register {
    std::uint32_t offset = 0;
    Width width = Width::b32;
  };
  /// A declared register.
  Register reg(const std::string& name) const { return scope_->registers.at(name); }
  /// A register whose lanes all hold `bits`.
  std::uint32_t constant(Width width, std::uint64_t bits);
  /// A register with a special register's lanes; nothing when the simulator has no such one.
  std::optional<std::uint32_t> special(const std::string& name);
  /// A register that no PTX names: number `which`, as wide as any.
  std::uint32_t scratch(std::size_t which = 0);
  /// The predicate register that carries go through.
  std::uint32_t condition_code();

  /// The address of a variable: offset in the shared window or the local frame, or a device address. Nothing when
  /// unknown.
  std::optional<std::uint64_t> address_of(const std::string& symbol) const;
  std::optional<std::uint32_t> parameter_offset(const std::string& name) const;
  /// Where a .param variable of a function, or of a call, lies.
  std::optional<machine::Storage> storage(const std::string& name) const;
  /// The register that holds the address of an array of a function that is called, whose frame moves.
  std::optional<std::uint32_t> frame_address(const std::string& name) const;
  /// The number of a function among the program's.
  std::optional<std::uint32_t> function(const std::string& name) const;

 private:
  /// The names of one function.
  struct Scope {
    std::unordered_map<std::string, Register> registers;
    std::unordered_map<std::string, machine::Storage> storages;
    std::unordered_map<std::string, std::uint32_t> frame_addresses;
  };
  std::uint32_t allocate(std::uint32_t bytes);
  void lay_out_registers(const ptx::Function& function, machine::Function& to, Scope& scope);
  void lay_out_storages(const ptx::Function& function, machine::Function& to, Scope& scope);
  void lay_out_shared(const ptx::Module& module, const std::vector<const ptx::Function*>& functions);
  void lay_out_locals(const ptx::Function& function, machine::Function& to, Scope& scope);
  void lay_out_parameters(const ptx::Function& function);

  machine::Program& program_;
  const Symbols& symbols_;
  std::vector<Scope> scopes_;
  Scope* scope_ = nullptr;
  std::unordered_map<std::string, std::uint32_t> functions_;
  std::map<std::pair<Width, std::uint64_t>, std::uint32_t> constants_;
  std::map<std::string, std::uint32_t> specials_;
  std::unordered_map<std::string, std::uint64_t> variables_;  // shared, and the kernel's local ones
  std::unordered_map<std::string, std::uint32_t> parameters_;
  std::vector<std::uint32_t> scratches_;
  std::optional<std::uint32_t> condition_code_;
};

/// The name that the source gave a variable or kernel: "_ZZ6kernelvE4tile" is "tile".
std::string source_name(const std::string& mangled);

}  // namespace warpwright::isa
