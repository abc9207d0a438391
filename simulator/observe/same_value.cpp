#include "observe/same_value.h"

#include <cstring>

namespace warpwright::observe {
namespace {

const std::byte* value_of(const machine::Program& program, const Access& access, unsigned element, int lane) {
  const machine::Instruction& instruction = program.code[access.where.pc];
  return access.registers + program.vectors[instruction.vector + element] +
         static_cast<std::size_t>(lane) * instruction.register_bytes;
}

bool tells_values(const machine::Program& program, const Access& access) {
  return access.registers != nullptr && !access.bulk &&
         program.code[access.where.pc].kind == machine::AccessKind::store;
}

}  // namespace

bool writes_what_is_there(const machine::Launch& launch, const Access& access, int lane) {
  const machine::Program& program = *launch.program;
  if (!tells_values(program, access)) return false;
  const machine::Instruction& instruction = program.code[access.where.pc];
  const std::byte* there =
      access.base == nullptr ? launch.memory->place(access.address(lane)) : access.base + access.address(lane);
  for (unsigned element = 0; element < instruction.elements; ++element)
    if (std::memcmp(there + element * instruction.element_bytes, value_of(program, access, element, lane),
                    instruction.element_bytes) != 0)
      return false;
  return true;
}

bool lanes_write_same_value(const machine::Program& program, const Access& access, int lane, int other) {
  if (!tells_values(program, access)) return false;
  const machine::Instruction& instruction = program.code[access.where.pc];
  for (unsigned element = 0; element < instruction.elements; ++element)
    if (std::memcmp(value_of(program, access, element, lane), value_of(program, access, element, other),
                    instruction.element_bytes) != 0)
      return false;
  return true;
}

}  // namespace warpwright::observe
