// Problem: a mistake in a call is the caller's, but a library sees only that it was called.
// Idea: keep the stack's return addresses where a call may have to be explained, and turn them into a line of the
// program's source when somebody reads the explanation: binutils' addr2line knows how.
// Invariant: without debug information (-g), without addr2line, or in doubt, there is no place rather than a wrong one.
// Left out: lines of kernels; the compiler leaves those in the PTX.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpwright::cudart {

/// The calling thread's return addresses, innermost first. Costs a microsecond or two.
using CallSite = std::vector<void*>;
CallSite call_site();

/// A line of the program's own source.
struct HostLine {
  std::string file;
  std::uint32_t line = 0;
};

/// The innermost line that is neither this library's nor a header's of the toolkit or of the C++ library. A launch also
/// passes through a host function with the name of its `kernel`, whose line is the kernel's own and is left out.
std::optional<HostLine> place_of(const CallSite& site, std::string_view kernel = {});

}  // namespace warpwright::cudart
