// Problem: PTX has no names for parameters, and a wrong pointer is best named by how it was passed.
// Idea: look into the launch's parameter buffer for a pointer to the same place.
// Left out: pointers that a kernel loads from memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "machine/launch.h"

namespace warpwright::observe {

/// An argument of the launch, or a member of one that is a structure, which is a pointer as wide as eight bytes.
struct PointerArgument {
  std::uint32_t number = 0;  // from 1, in the order of the kernel's parameters
  machine::Address value = 0;
};

/// All words of the arguments that are as wide as a pointer.
std::vector<PointerArgument> pointer_arguments(const machine::Launch& launch);
/// Whether some argument is this number.
bool is_argument(const machine::Launch& launch, std::uint64_t value);
/// The argument that points into an allocation, to its start if there is one that does.
std::optional<PointerArgument> argument_into(const machine::Launch& launch, const machine::Allocation& allocation);
/// The argument that is null, if exactly one is.
std::optional<PointerArgument> null_argument(const machine::Launch& launch);
/// Of the arguments whose value may be an address that `address` was computed from, the nearest.
std::optional<PointerArgument> nearest_argument(const machine::Launch& launch, machine::Address address);

/// "argument 1, an allocation of 4000 bytes", "an allocation of 4000 bytes" or "the variable table of 64 bytes".
std::string allocation_text(const machine::Launch& launch, const machine::Allocation& allocation);

/// How the rows of an allocation with a pitch are found and filled; of another one, `otherwise`.
std::string pitch_text(const machine::Allocation& allocation, std::string otherwise);

/// The number of the allocation that an address lies in or next to; 0 when there is none.
std::uint64_t allocation_at(const machine::Launch& launch, machine::Address address);
/// What an instruction touches at a global address: "element 3 of argument 1, an allocation of 4000 bytes".
std::string global_element_text(const machine::Launch& launch, std::uint32_t pc, machine::Address address);

}  // namespace warpwright::observe
