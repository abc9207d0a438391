// The cases of this folder, by name.
#pragma once

#include <span>
#include <string>

namespace warpwright {

struct Case {
  std::string name;
  void (*run)(bool mended);
};

std::span<const Case> cases();

}  // namespace warpwright
