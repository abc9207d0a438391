#include "cudart/modules.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <utility>

#include "cudart/runtime.h"
#include "isa/functions.h"
#include "isa/layout.h"
#include "ptx/fat_binary.h"

namespace warpwright::cudart {
namespace {

constexpr const char* compile_hint = "Compile with CUDA 13.0's nvcc and -gencode arch=compute_90,code=compute_90.";

bool has_place(const ptx::Variable& variable) {
  return (variable.space == ptx::Space::global || variable.space == ptx::Space::constant) && !variable.is_extern &&
         variable.bytes > 0;
}

void write_initial_value(const ptx::Variable& variable, const isa::Symbols& symbols) {
  std::byte* bytes = runtime().memory.place(symbols.addresses.at(variable.name));
  if (variable.initial.empty())
    std::memset(bytes, 0, variable.bytes);
  else
    std::copy(variable.initial.begin(), variable.initial.end(), bytes);
  for (const ptx::Relocation& relocation : variable.relocations) {
    const auto target = symbols.addresses.find(relocation.symbol);
    if (target == symbols.addresses.end())
      fail(cudaErrorNotSupported, "unsupported variable",
           fmt::format("{} starts with the address of {}, which its module does not define", readable(variable.name),
                       readable(relocation.symbol)),
           "Define it in the same file.");
    const machine::Address value = target->second + static_cast<std::uint64_t>(relocation.addend);
    std::memcpy(bytes + relocation.at, &value, sizeof value);
  }
}

}  // namespace

std::string readable(const std::string& mangled) { return isa::source_name(mangled); }

void Module::load() {
  if (!ptx_) {
    try {
      const Device& device = runtime().device;
      const auto capability = static_cast<std::uint32_t>(device.major * 10 + device.minor);
      ptx_ = std::make_unique<ptx::Module>(ptx::parse(ptx::ptx_for_registered(wrapper_, capability)));
    } catch (const ptx::FatBinaryError& error) {
      fail(cudaErrorNoKernelImageForDevice, "no PTX", error.what());
    } catch (const ptx::ParseError& error) {
      fail(cudaErrorInvalidPtx, "invalid PTX", fmt::format("this program's PTX cannot be read: {}", error.what()),
           compile_hint);
    }
  }
  if (!placed_) place_variables();
}

void Module::place_variables() {
  isa::Symbols placed;
  try {
    for (const ptx::Variable& variable : ptx_->variables)
      if (has_place(variable)) placed.addresses[variable.name] = allocate(variable);
    isa::Symbols all = placed;
    isa::add_functions(*ptx_, number_, all);
    for (const ptx::Variable& variable : ptx_->variables)
      if (has_place(variable)) write_initial_value(variable, all);
  } catch (const Failure&) {
    for (const auto& [name, address] : placed.addresses) runtime().memory.free(address);
    throw;
  }
  for (const Variable& variable : variables_)
    if (const auto place = placed.addresses.find(variable.name); variable.managed && place != placed.addresses.end())
      *variable.host_pointer = reinterpret_cast<void*>(place->second);
  symbols_ = std::move(placed);
  isa::add_functions(*ptx_, number_, symbols_);
  placed_ = true;
}

machine::Address Module::allocate(const ptx::Variable& variable) const {
  const bool managed = std::ranges::any_of(
      variables_, [&](const Variable& declared) { return declared.managed && declared.name == variable.name; });
  const std::string name = readable(variable.name);
  const machine::Address address =
      runtime().memory.allocate(variable.bytes, name, managed ? machine::Place::managed : machine::Place::device,
                                variable.space == ptx::Space::constant);
  if (address == 0)
    fail(cudaErrorMemoryAllocation, "out of memory",
         fmt::format("there is no room for the variable {} of {} bytes", name, variable.bytes),
         "Make it smaller, or allocate it with cudaMalloc.");
  return address;
}

std::size_t Module::constant_bytes() const {
  std::size_t bytes = 0;
  for (const ptx::Variable& variable : ptx_->variables)
    if (variable.space == ptx::Space::constant) bytes += variable.bytes;
  return bytes;
}

std::string Kernel::name() const { return program != nullptr ? program->kernel : readable(mangled); }

Module& Modules::add(const void* wrapper) { return modules_.emplace_back(wrapper, modules_.size()); }

void Modules::add_kernel(Module& module, const void* stub, std::string mangled) {
  // A template's stub is one function, however many objects instantiate it: the first registration stands.
  const auto [place, is_new] = kernels_.try_emplace(stub);
  if (!is_new) return;
  place->second = std::make_unique<Kernel>();
  place->second->module = &module;
  place->second->mangled = std::move(mangled);
  handles_.emplace(place->second.get(), place->second.get());
}

void Modules::add_variable(Module& module, const void* shadow, Variable variable) {
  module.declare(variable);
  variables_.try_emplace(shadow, Shadow{&module, std::move(variable)});
}

void Modules::remove(Module& module) {
  std::erase_if(variables_, [&](const auto& entry) { return entry.second.module == &module; });
  std::erase_if(handles_, [&](const auto& entry) { return entry.second->module == &module; });
  std::erase_if(kernels_, [&](const auto& entry) { return entry.second->module == &module; });
}

Kernel* Modules::kernel(const void* stub_or_handle) {
  if (const auto stub = kernels_.find(stub_or_handle); stub != kernels_.end()) return stub->second.get();
  const auto handle = handles_.find(stub_or_handle);
  return handle != handles_.end() ? handle->second : nullptr;
}

Modules::Found Modules::variable(const void* shadow) const {
  const auto found = variables_.find(shadow);
  return found != variables_.end() ? Found{found->second.module, &found->second.variable} : Found{};
}

Modules::Found Modules::variable_around(const void* address) const {
  const std::less<> before;
  for (const auto& [shadow, entry] : variables_)
    if (!before(address, shadow) && before(address, static_cast<const std::byte*>(shadow) + entry.variable.bytes))
      return {entry.module, &entry.variable};
  return {};
}

const machine::Program& Modules::decode(Kernel& kernel) {
  kernel.module->load();
  if (kernel.program != nullptr) return *kernel.program;
  try {
    kernel.program =
        &programs_.emplace_back(isa::decode(kernel.module->ptx(), kernel.mangled, kernel.module->symbols()));
  } catch (const machine::UnsupportedInstruction& error) {
    fail(cudaErrorNotSupported, "unsupported instruction", error.what(),
         "Write that line in another way, or run the program on a GPU.");
  } catch (const std::invalid_argument& error) {
    fail(cudaErrorInvalidDeviceFunction, "no such kernel", error.what(), "Build the object again.");
  }
  return *kernel.program;
}

void Modules::unload_all() {
  for (Module& module : modules_) module.unload();
  for (const auto& [stub, kernel] : kernels_) kernel->program = nullptr;
}

}  // namespace warpwright::cudart
