// Problem: some instructions order memory, pass time, give a hint or end the launch; none of them names a value.
// Idea: the machine executes memory accesses in the order of the program, so ordering needs no work; what is left is to
// know that a loop with a fence or a pause in it may be waiting for somebody else.
// Left out: proxies. A fence between them is a fence.
#pragma once

#include <string>
#include <string_view>

#include "machine/program.h"

namespace warpwright::isa {

/// Whether the mnemonic is one of this file's: membar, fence, nanosleep, trap, prefetch, prefetchu, pmevent,
/// griddepcontrol.
bool is_quiet(std::string_view mnemonic);

/// What to do for an opcode with one of these mnemonics; null when there is no such form.
machine::Execute quiet(const std::string& opcode);

/// What a hint does: nothing.
machine::Execute quiet_hint();

}  // namespace warpwright::isa
