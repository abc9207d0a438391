#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpwright::lab {

/// Reads what `ctest` prints, line by line.
class TestLog {
 public:
  struct Result {
    std::string name;
    bool passed = false;
    double seconds = 0;
  };

  /// What a line means to somebody who waits: a part of a failed test's output is to be shown at once.
  enum class Kind { step, failure, closing, other };
  Kind read(std::string_view line);

  const std::vector<Result>& results() const { return results_; }
  int total() const { return total_; }
  /// From "100% tests passed, 0 tests failed out of N" on.
  const std::string& closing() const { return closing_; }

 private:
  std::vector<Result> results_;
  int total_ = 0;
  bool in_failure_ = false;
  std::string closing_;
};

}  // namespace warpwright::lab
