#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace warpwright::lab {

/// Exit statuses of `lab`; a command that a signal ended exits with 128 plus the signal, as in a shell.
enum ExitStatus : int {
  ok = 0,           // done; for the bare command also when the exercise at hand is still unsolved
  test_failed = 1,  // a test or a check failed
  not_possible = 2  // the request cannot be carried out: wrong arguments, or something is missing
};

/// A request that cannot be carried out, in words for whoever typed it, with what mends it (may be empty).
struct Problem : std::runtime_error {
  explicit Problem(const std::string& what, std::string mend_with = {})
      : std::runtime_error(what), mend(std::move(mend_with)) {}
  std::string mend;
};

/// Ctrl-C or a request to end: every command unwinds with it, so that destructors restore the terminal.
struct Interrupted {
  int signal;
};

}  // namespace warpwright::lab
