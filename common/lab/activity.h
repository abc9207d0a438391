#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>

#include "process.h"
#include "terminal.h"

namespace warpwright::lab {

/// Says on standard error that something is going on, so that standard output stays what was asked for. On a terminal
/// one line shows what, since when, and the last step; it disappears at the end. Elsewhere, after two seconds, a line
/// says what, and one every ten seconds how far it is.
class Activity {
 public:
  explicit Activity(std::string what);
  ~Activity();
  Activity(const Activity&) = delete;
  Activity& operator=(const Activity&) = delete;

  /// Something else is going on from now; the seconds count on.
  void now(std::string what);
  /// The step at hand, for example "[3/40] Building CXX object ...".
  void step(std::string_view text);
  /// Draws; call about ten times a second.
  void tick();
  /// Takes the line away, for a while or for good, so that something else can be printed.
  void clear();
  double seconds() const;

 private:
  const bool moving_;
  std::string what_;
  std::string step_;
  const std::chrono::steady_clock::time_point began_;
  double next_line_ = 2;
  int frame_ = 0;
  bool drawn_ = false;
};

/// Runs a program while the activity shows Ninja's steps in its output.
Outcome run(const Command& command, Activity& activity, const std::function<bool()>& go_on = {});

}  // namespace warpwright::lab
