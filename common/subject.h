#pragma once

#include <string_view>

namespace warpwright {

/// What is linked into this program. chapter() generates the definition.
struct Subject {
  std::string_view test;      // "reduce.v1", "solution.reduce.v1", "wrong.reduce.v1.no_barrier"
  std::string_view exercise;  // "reduce.v1"
  std::string_view file;      // the implementation, relative to the repository where it is inside
};

extern const Subject subject;

}  // namespace warpwright
