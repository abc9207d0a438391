// discard: PTX ISA. A program says that it does not need a line of the cache any more.
#pragma once

#include <cstdint>

#include "machine/program.h"

namespace warpwright::isa {

inline constexpr std::uint32_t discarded_bytes = 128;

/// Like a store of values that nobody knows, and so that is what it does: whoever reads them finds that out. source[0]
/// is the address, `offset` added to it.
void discard(machine::Warp& warp, const machine::Instruction& instruction);

}  // namespace warpwright::isa
