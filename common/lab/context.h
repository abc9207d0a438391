#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "course.h"
#include "state.h"
#include "terminal.h"

namespace warpwright::lab {

/// What every command works with.
struct Context {
  std::filesystem::path root;   // the repository
  std::filesystem::path build;  // the preset's build folder
  Terminal terminal;
  Course course;
  State state;
  bool on_gpu = false;                         // the gpu preset's, else the sim preset's
  std::optional<std::uint64_t> schedule = {};  // the seed of the order in which tests run; else the simulated GPU's own

  /// A path of the course's, from anywhere.
  std::filesystem::path at(const std::string& path) const { return root / path; }
};

}  // namespace warpwright::lab
