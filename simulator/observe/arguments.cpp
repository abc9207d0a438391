#include "observe/arguments.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "observe/wording.h"

namespace warpwright::observe {
namespace {

using machine::Address;

/// Values below are counts and sizes rather than addresses.
constexpr Address least_address = Address{1} << 16;
/// No index takes a pointer further than this.
constexpr Address farthest = Address{1} << 40;

}  // namespace

std::vector<PointerArgument> pointer_arguments(const machine::Launch& launch) {
  constexpr std::uint32_t pointer_bytes = 8;
  std::vector<PointerArgument> words;
  for (std::uint32_t number = 0; number < launch.program->parameters.size(); ++number) {
    const machine::Parameter& parameter = launch.program->parameters[number];
    for (std::uint32_t at = 0; at + pointer_bytes <= parameter.bytes; at += pointer_bytes) {
      PointerArgument word{number + 1, 0};
      if (parameter.offset + at + pointer_bytes > launch.parameters.size()) continue;
      std::memcpy(&word.value, launch.parameters.data() + parameter.offset + at, pointer_bytes);
      words.push_back(word);
    }
  }
  return words;
}

bool is_argument(const machine::Launch& launch, std::uint64_t value) {
  for (const machine::Parameter& parameter : launch.program->parameters) {
    std::uint64_t given = 0;
    if (parameter.bytes > sizeof given || parameter.offset + parameter.bytes > launch.parameters.size()) continue;
    std::memcpy(&given, launch.parameters.data() + parameter.offset, parameter.bytes);
    if (given == value) return true;
  }
  return false;
}

std::optional<PointerArgument> argument_into(const machine::Launch& launch, const machine::Allocation& allocation) {
  std::optional<PointerArgument> inside;
  for (const PointerArgument& word : pointer_arguments(launch)) {
    if (word.value == allocation.base) return word;
    if (!inside && allocation.contains(word.value, 1)) inside = word;
  }
  return inside;
}

std::optional<PointerArgument> null_argument(const machine::Launch& launch) {
  std::optional<PointerArgument> null;
  for (const PointerArgument& word : pointer_arguments(launch)) {
    if (word.value != 0) continue;
    if (null) return std::nullopt;
    null = word;
  }
  return null;
}

std::optional<PointerArgument> nearest_argument(const machine::Launch& launch, Address address) {
  std::optional<PointerArgument> nearest;
  const auto distance = [&](const PointerArgument& word) {
    return std::max(word.value, address) - std::min(word.value, address);
  };
  for (const PointerArgument& word : pointer_arguments(launch))
    if (word.value >= least_address && distance(word) < (nearest ? distance(*nearest) : farthest)) nearest = word;
  return nearest;
}

std::string allocation_text(const machine::Launch& launch, const machine::Allocation& allocation) {
  const std::string size = bytes_text(allocation.bytes);
  if (const auto argument = argument_into(launch, allocation))
    return fmt::format("argument {}, an allocation of {}", argument->number, size);
  if (allocation.origin.empty() || allocation.origin.starts_with("cuda"))
    return fmt::format("an allocation of {}", size);
  if (allocation.origin.starts_with("malloc()"))
    return fmt::format("an allocation of {} by {}", size, allocation.origin);
  return fmt::format("the variable {} of {}", allocation.origin, size);
}

std::string pitch_text(const machine::Allocation& allocation, std::string otherwise) {
  if (allocation.origin != "cudaMallocPitch" && allocation.origin != "cudaMalloc3D") return otherwise;
  return "Each row begins `pitch` bytes behind the one before, which is more than the row's width: row y is at "
         "(char*)pointer + y * pitch, and cudaMemcpy2D, not cudaMemcpy, copies rows.";
}

std::uint64_t allocation_at(const machine::Launch& launch, Address address) {
  const machine::AddressInfo info = launch.memory->describe(address);
  return info.allocation ? info.allocation->number : 0;
}

std::string global_element_text(const machine::Launch& launch, std::uint32_t pc, Address address) {
  const machine::AddressInfo info = launch.memory->describe(address);
  const machine::Instruction& instruction = launch.program->code[pc];
  const std::int64_t bytes = instruction.bytes;
  if (!info.allocation) return bytes_text(instruction.bytes);
  const std::string owner = allocation_text(launch, *info.allocation);
  if (instruction.elements == 1 && info.offset % bytes == 0)
    return fmt::format("element {} of {}", info.offset / bytes, owner);
  return fmt::format("bytes {} to {} of {}", info.offset, info.offset + bytes - 1, owner);
}

}  // namespace warpwright::observe
