// Problem: a learner must see first what is wrong, in their own words and at their line, not a test framework's.
// Idea: replace GoogleTest's printer. The first failed claim is shown in full: where, what, why; every other one is a
// line; what next comes last, where the eye rests.
// Invariant: nothing of a failure is lost to whoever asks GoogleTest for XML or JSON.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "failure.h"

namespace warpwright {

class Listener : public testing::EmptyTestEventListener {
 public:
  /// `schedules`: how many the claims are tried under, one an iteration; 0 for the device's own order alone.
  explicit Listener(int schedules) : schedules_(schedules) {}

  void OnTestIterationStart(const testing::UnitTest& program, int iteration) override;
  void OnTestPartResult(const testing::TestPartResult& result) override;
  void OnTestEnd(const testing::TestInfo& test) override;
  void OnTestProgramEnd(const testing::UnitTest& program) override;

 private:
  int schedules_;
  std::vector<Failure> failures_;                    // of the running test
  std::vector<std::pair<std::string, int>> passed_;  // by kind, in the order of the kinds
  std::map<std::string, std::string> skipped_;       // by kind: why
  int not_tried_ = 0;
  bool shown_ = false;
  std::set<std::string> also_;  // claims that have been told to fail
  std::string next_;
};

/// Hands a failure to the listener while GoogleTest records it as a failed assertion.
class FailureInFlight {
 public:
  explicit FailureInFlight(const Failure& failure) { current_ = &failure; }
  ~FailureInFlight() { current_ = nullptr; }
  static const Failure* current() { return current_; }

 private:
  static inline const Failure* current_ = nullptr;
};

/// "not tried": a later kind, because an earlier one has failed. Not worth a word each.
inline constexpr const char* not_tried = "not tried";

}  // namespace warpwright
