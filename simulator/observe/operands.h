// Problem: an observer that follows values wants to know which registers an instruction reads and which it writes; the
// decoded form tells where they lie, not what each is for.
// Idea: PTX's own form tells: what is written is the first operand, of all instructions but a few that write nothing.
// Left out: calls.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpwright::observe {

/// Names of registers (and other names, of labels or arrays, among those that are read).
struct Operands {
  std::vector<std::string> read, written;
};

/// Of an instruction's text: "@%p1 ld.global.v2.f32 {%f1, %f2}, [%rd1+8]" reads %p1 and %rd1 and writes %f1 and %f2.
Operands operands_of(std::string_view text);

/// Of "@%p1 bra.uni $L1": "bra".
std::string_view opcode_of(std::string_view text);

}  // namespace warpwright::observe
