// Problem: nvcc's host code registers kernels and variables before main; most runs need few of them.
// Idea: registration writes names down and reads nothing. A module is read, parsed and placed in memory when
// something of
// it is first used, so that starting costs nothing and an error appears at the call that met it.
// Invariant: a program, once decoded, stays where it is for the life of the process: reports point to it.
// Left out: reading PTX (ptx/), decoding it (isa/), and the registration functions themselves (registration.cpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "isa/decode.h"
#include "machine/memory.h"
#include "machine/program.h"
#include "ptx/module.h"

namespace warpwright::cudart {

/// A __device__, __constant__ or __managed__ variable.
struct Variable {
  std::string name;  // mangled
  std::size_t bytes = 0;
  bool managed = false;
  void** host_pointer = nullptr;  // managed: where host code keeps the address
};

class Module {
 public:
  /// `wrapper`: what nvcc's host code passes to __cudaRegisterFatBinary.
  /// `number`: of the module among all of the process.
  Module(const void* wrapper, std::uint64_t number) : wrapper_(wrapper), number_(number) {}

  void declare(Variable variable) { variables_.push_back(std::move(variable)); }
  /// Reads the PTX and gives the variables their places and first values, if that has not been done. Throws Failure.
  void load();
  /// Forgets the variables' places: the memory that they were in is gone.
  void unload() { placed_ = false; }

  const ptx::Module& ptx() const { return *ptx_; }
  const isa::Symbols& symbols() const { return symbols_; }
  /// Bytes of the module's __constant__ variables.
  std::size_t constant_bytes() const;

 private:
  void place_variables();
  machine::Address allocate(const ptx::Variable& variable) const;

  const void* wrapper_;
  std::uint64_t number_;
  std::vector<Variable> variables_;
  std::unique_ptr<ptx::Module> ptx_;
  bool placed_ = false;
  isa::Symbols symbols_;
};

/// A __global__ function: what a host stub and a cudaKernel_t stand for.
struct Kernel {
  Module* module = nullptr;
  std::string mangled;
  const machine::Program* program = nullptr;        // null until `Modules::decode`
  std::optional<std::size_t> dynamic_shared_limit;  // bytes, once cudaFuncSetAttribute has set it
  int shared_carveout = -1;  // cudaFuncAttributePreferredSharedMemoryCarveout, stored and returned only

  /// The kernel's name as its source has it; needs no loading.
  std::string name() const;
};

class Modules {
 public:
  Module& add(const void* wrapper);
  void add_kernel(Module& module, const void* stub, std::string mangled);
  void add_variable(Module& module, const void* shadow, Variable variable);
  /// Forgets what host code registered for `module`, whose object is being unloaded. Its programs stay.
  void remove(Module& module);

  /// The kernel of a host stub or of a handle; null when it is neither.
  Kernel* kernel(const void* stub_or_handle);
  /// The variable whose host shadow this is, with its module; nulls when there is none.
  struct Found {
    Module* module = nullptr;
    const Variable* variable = nullptr;
  };
  Found variable(const void* shadow) const;
  /// The same for any address inside a shadow: host code must not use one as if it were device memory.
  Found variable_around(const void* address) const;

  /// The kernel's program, loading and decoding what is missing. Throws Failure.
  const machine::Program& decode(Kernel& kernel);
  /// Device memory is gone: variables are placed anew at their next use, and programs decoded with the new addresses.
  void unload_all();

 private:
  struct Shadow {
    Module* module;
    Variable variable;
  };
  std::deque<Module> modules_;
  std::deque<machine::Program> programs_;
  std::unordered_map<const void*, std::unique_ptr<Kernel>> kernels_;  // by host stub
  std::unordered_map<const void*, Kernel*> handles_;
  std::unordered_map<const void*, Shadow> variables_;  // by host shadow
};

/// A mangled name as the source has it, without parameters: "reduce<256>".
std::string readable(const std::string& mangled);

}  // namespace warpwright::cudart
