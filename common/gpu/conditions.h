// Problem: a time says nothing without the conditions under which it was measured.
// Idea: gather what can be asked for, into the context of Google Benchmark's JSON; the site refuses a file without it.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace warpwright {

struct Peak {
  double value = 0;    // bytes a second
  std::string source;  // "datasheet", or how else it is known
};
/// The device memory's nominal bandwidth.
Peak peak_bytes_a_second();

/// Device, driver, toolkit, clock, commit and peak, in words. The date is Google Benchmark's own.
std::vector<std::pair<std::string, std::string>> conditions();

/// How this program was called, from the repository's root.
std::string command_line(int argc, char** argv);

}  // namespace warpwright
