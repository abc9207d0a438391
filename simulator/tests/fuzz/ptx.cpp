// Whatever a text holds, it is a module whose kernels can be decoded, or it is refused with a line of it.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "demand.h"
#include "isa/decode.h"
#include "isa/functions.h"
#include "machine/program.h"
#include "ptx/module.h"

namespace {

using namespace warpwright;

constexpr machine::Address first_address = 0x700000000000;
constexpr machine::Address apart = 256;

/// Somewhere for every variable, as the runtime would place it; nothing is read or written there.
isa::Symbols places_of(const ptx::Module& module) {
  isa::Symbols symbols;
  for (const ptx::Variable& variable : module.variables)
    symbols.addresses[variable.name] = first_address + symbols.addresses.size() * apart;
  isa::add_functions(module, 0, symbols);
  return symbols;
}

void decode(const ptx::Module& module, const std::string& kernel) {
  try {
    const machine::Program program = isa::decode(module, kernel, places_of(module));
    for (std::uint32_t pc = 0; pc < program.code.size(); ++pc)
      demand(program.code[pc].target < program.code.size(), "a branch leads into the program");
  } catch (const machine::UnsupportedInstruction& refusal) {
    demand(std::string_view(refusal.what()).find("PTX line ") != std::string_view::npos, "a refusal names its line");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const ptx::Module module = ptx::parse(text);
    for (const ptx::Function& function : module.functions)
      if (function.is_entry && !function.is_declaration) decode(module, function.name);
  } catch (const ptx::ParseError& error) {
    const auto lines = static_cast<std::uint32_t>(1 + std::ranges::count(text, '\n'));
    demand(1 <= error.line() && error.line() <= lines, "the line is one of the text's");
  }
  return 0;
}
