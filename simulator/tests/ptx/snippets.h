// What the tests of the PTX parser share: a module around a snippet, and what parsing it says.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "ptx/module.h"

namespace warpwright::ptx {

/// The header takes line 1 of the text, so a snippet begins on line 2.
inline std::string module_text(std::string_view snippet) {
  return ".version 9.0 .target sm_90 .address_size 64\n" + std::string(snippet);
}

inline Module parse_module(std::string_view snippet) { return parse(module_text(snippet)); }

/// The statements become the body of an entry with registers of every kind; they begin on line 2.
inline std::string body_text(std::string_view statements) {
  std::string text =
      ".version 9.0 .target sm_90 .address_size 64 .global .b32 data[64]; .func callee(.param .b32 x);"
      ".entry kernel(.param .u64 argument) { .reg .pred %p<4>; .reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .f32 %f<8>;\n";
  return text.append(statements).append("\n}");
}

inline Function parse_body(std::string_view statements) { return parse(body_text(statements)).functions.back(); }

/// The one instruction of such a body.
inline Instruction parse_instruction(std::string_view statement) { return parse_body(statement).body.at(0); }

/// What the exception says, "" when there is none.
inline std::string mistake_in(std::string_view text) {
  try {
    parse(text);
  } catch (const ParseError& error) {
    return error.what();
  }
  return "";
}

}  // namespace warpwright::ptx
