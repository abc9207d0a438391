// Problem: a simulated launch can take minutes, and a program that says nothing meanwhile looks as if it hung.
// Idea: on a terminal, and only while a launch runs, a line behind the cursor says which kernel, and for how long the
// program has been at it. A thread draws it; the launch's own thread takes it away before the program goes on.
// Invariant: what the program has printed stays as it is, and so does the cursor: nothing but the rest of its line is
// used. Elsewhere than on a terminal nothing is ever written, and there is no thread.
// Left out: other host threads of the program, which may print at the same time.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

namespace warpwright::cudart {

class BusyLine {
 public:
  using Clock = std::chrono::steady_clock;

  /// Writes to `descriptor`, from `patience` after the first launch on.
  explicit BusyLine(int descriptor, std::chrono::milliseconds patience = std::chrono::seconds(2));
  ~BusyLine();
  BusyLine(const BusyLine&) = delete;
  BusyLine& operator=(const BusyLine&) = delete;

  void launch_begins(const std::string& kernel);
  /// Behind any number of begins.
  void launch_ends();
  /// How many host threads it has.
  unsigned threads() const { return drawing_.joinable() ? 1 : 0; }

 private:
  void draw_now_and_then();
  void draw();

  const int descriptor_;
  const bool is_shown_;
  const std::chrono::milliseconds patience_;

  std::mutex mutex_;
  std::condition_variable ended_;
  bool is_over_ = false;
  bool runs_ = false;  // a launch
  bool is_drawn_ = false;
  std::string kernel_;
  std::uint64_t launches_ = 0;
  Clock::time_point began_;  // the first launch
  unsigned frame_ = 0;
  std::thread drawing_;
};

}  // namespace warpwright::cudart
