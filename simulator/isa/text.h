// PTX instructions as text, for messages: names as in the program, blanks normalised.
#pragma once

#include <string>

#include "ptx/module.h"

namespace warpwright::isa {

std::string to_text(const ptx::Instruction& instruction);

}  // namespace warpwright::isa
