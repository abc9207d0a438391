#pragma once

#include <string>
#include <vector>

#include "process.h"
#include "scratch.h"

namespace warpwright::lab {

/// A repository with one chapter, toy, of two exercises, a and b, that takes no compiler: an exercise passes when its
/// text says "right", fails otherwise, does not build when it says "broken", and builds for a minute when it says
/// "slow". Its tests are built and run by the real repository's scripts.
class ToyRepository {
 public:
  ToyRepository();

  /// Linters that like everything, as if they had been installed, and a mutation of solutions that changes nothing.
  void install_silent_linters();

  void edit(const std::string& exercise, const std::string& text);
  std::string text(const std::string& file) const;
  std::filesystem::path operator/(const std::string& file) const { return scratch_ / file; }

  /// How `lab` is started there.
  Command lab(const std::vector<std::string>& arguments) const;

 private:
  Scratch scratch_;
};

}  // namespace warpwright::lab
