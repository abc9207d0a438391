#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpwright::lab {

/// A step of a build that failed.
struct FailedStep {
  std::string product;  // the (first) file that was not made, relative to the build folder
  std::string output;   // what the compiler or linker said
};

/// The failed steps in what Ninja printed.
std::vector<FailedStep> failed_steps(std::string_view log);

/// Whether the product is part of the program of that name, or of its kernel.
bool belongs_to(const FailedStep& step, const std::string& program);

}  // namespace warpwright::lab
