#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "process.h"

namespace warpwright::lab {

/// The programs of cmake/linters.txt, in .lab/lint.
class Linters {
 public:
  /// Installs them unless they are there in these versions for this Python. Throws Problem when that is not possible.
  explicit Linters(std::filesystem::path root);

  Command clang_format(std::vector<std::string> arguments) const;
  Command codespell(std::vector<std::string> arguments) const;
  Command gersemi(std::vector<std::string> arguments) const;
  Command ruff(std::vector<std::string> arguments) const;
  Command rumdl(std::vector<std::string> arguments) const;
  Command shellcheck(std::vector<std::string> arguments) const;
  /// A program of ours that uses a parser from there.
  Command mutants(std::vector<std::string> arguments) const;

 private:
  Command program(std::vector<std::string> words, std::vector<std::string> arguments) const;
  std::filesystem::path root_, folder_;
};

}  // namespace warpwright::lab
