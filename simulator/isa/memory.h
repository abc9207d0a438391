// Problem: loads and stores come in every width, vector length and space.
// Idea: `machine::resolve` says where the lanes' data lies; what is left is moving elements between lanes and memory,
// one function per pair of register and element width.
// Invariant: all lanes' addresses are computed before any datum moves, so a destination may be the address register.
// Left out: caches: qualifiers such as .ca or .nc change no result.
#pragma once

#include <optional>
#include <string_view>

#include "machine/program.h"

namespace warpwright::isa {

/// ld: elements of `element_bytes` into registers with lanes of `register_bytes` (4 or 8).
machine::Execute load(unsigned register_bytes, unsigned element_bytes, bool sign_extended);
/// ld.param of a kernel parameter: the same value for all lanes, from the launch.
machine::Execute load_parameter(unsigned register_bytes, unsigned element_bytes, bool sign_extended);
/// ld.param and st.param of a function's .param variable, which lies at `offset` of the register file; `option` is the
/// number of bytes from one lane's to the next one's.
machine::Execute load_argument(unsigned register_bytes, unsigned element_bytes, bool sign_extended);
machine::Execute store_argument(unsigned register_bytes, unsigned element_bytes);
machine::Execute store(unsigned register_bytes, unsigned element_bytes);

/// atom and red: the operation and type as PTX spells them ("add", "f32"); null when the simulator has no such atomic.
machine::Execute atomic(std::string_view operation, std::string_view type);

}  // namespace warpwright::isa
