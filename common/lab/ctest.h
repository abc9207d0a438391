#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "process.h"

namespace warpwright::lab {

/// How CTest would run its test of that name: so the output is the test's own, without CTest's frame around it. Throws
/// Problem when there is no such test.
Command command_of_test(const std::filesystem::path& build, const std::string& name);

/// The same, from the text that `ctest --show-only=json-v1` prints.
Command command_of_test(std::string_view json, const std::string& name, const std::filesystem::path& build);

}  // namespace warpwright::lab
