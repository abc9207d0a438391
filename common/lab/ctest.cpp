#include "ctest.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "problem.h"

namespace warpwright::lab {
namespace {

/// The name as a regular expression that only it matches.
std::string exactly(const std::string& name) {
  std::string pattern = "^";
  for (char c : name) {
    if (std::string_view(".+*?()[]|\\^$").find(c) != std::string_view::npos) pattern += '\\';
    pattern += c;
  }
  return pattern + "$";
}

}  // namespace

Command command_of_test(std::string_view json, const std::string& name, const std::filesystem::path& build) {
  try {
    const auto document = nlohmann::json::parse(json);
    for (const auto& test : document.at("tests")) {
      if (test.at("name") != name) continue;
      Command command{test.at("command"), build};
      for (const auto& property : test.value("properties", nlohmann::json::array())) {
        if (property.at("name") == "WORKING_DIRECTORY") command.directory = property.at("value").get<std::string>();
        if (property.at("name") != "ENVIRONMENT") continue;
        for (const std::string entry : property.at("value")) {
          const std::size_t equals = entry.find('=');
          command.environment.emplace_back(entry.substr(0, equals), entry.substr(equals + 1));
        }
      }
      return command;
    }
  } catch (const nlohmann::json::exception& error) {
    throw Problem(fmt::format("CTest's list of tests cannot be read: {}", error.what()), "cmake --preset sim");
  }
  throw Problem(fmt::format("CTest knows no test called {}", name), "cmake --preset sim");
}

Command command_of_test(const std::filesystem::path& build, const std::string& name) {
  const Outcome listed = run({{"ctest", "--show-only=json-v1", "-R", exactly(name)}, build, {}, true});
  if (listed.exit_status != 0) {
    throw Problem(fmt::format("CTest cannot list the tests of {}: {}", build.string(), listed.errors),
                  "cmake --preset sim");
  }
  return command_of_test(listed.output, name, build);
}

}  // namespace warpwright::lab
