// Problem: whether two operations of different streams are in one another's way depends on what each does to the bytes
// that both touch.
// Idea: four uses, and one table of which of them may meet. As between blocks of one launch (roles.h), atomics and
// accesses that are volatile or strong do not race with one another; here, whatever their scope.
// Invariant: what `stands_for` another use conflicts with all that the other conflicts with.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "machine/launch.h"
#include "observe/byte_set.h"

namespace warpwright::observe {

enum class Use : std::uint8_t { reads, reads_strongly, updates, writes };

constexpr bool conflict(Use one, Use other) {
  const auto strong = [](Use use) { return use == Use::reads_strongly || use == Use::updates; };
  const auto changes = [](Use use) { return use == Use::updates || use == Use::writes; };
  return (changes(one) || changes(other)) && !(strong(one) && strong(other));
}

/// Whether a later use of the same stream may be remembered in the place of the earlier one.
constexpr bool stands_for(Use later, Use earlier) {
  return later == earlier || later == Use::writes || earlier == Use::reads_strongly;
}

/// What an operation does to some bytes of one allocation.
struct Part {
  std::uint64_t allocation = 0;  // its number
  machine::Address base = 0;     // of the allocation
  Use use = Use::reads;
  bool same_value = false;  // writes what was there before
  bool tells_host = false;  // updates so that host code may look at it at any time, and know what came before
  ByteSet bytes = {};       // offsets from the base
  // Of a kernel: the line that does it, empty when it is not known, and the size of what it touches there at a time.
  std::string file = {};
  std::uint32_t line = 0;
  std::uint32_t element_bytes = 0;
};

}  // namespace warpwright::observe
