// One way to say what is wrong with a PTX text: the line, and what was expected there.
#pragma once

#include <fmt/core.h>

#include <cstdint>
#include <utility>

#include "ptx/module.h"

namespace warpwright::ptx {

/// Throws a ParseError at this line of the text, with a message formatted by fmt.
template <typename... Arguments>
[[noreturn]] void fail(std::uint32_t line, fmt::format_string<Arguments...> form, Arguments&&... arguments) {
  throw ParseError(line, fmt::format(form, std::forward<Arguments>(arguments)...));
}

}  // namespace warpwright::ptx
