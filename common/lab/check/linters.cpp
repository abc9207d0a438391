#include "check/linters.h"

#include <fmt/core.h>

#include "activity.h"
#include "files.h"
#include "problem.h"

namespace warpwright::lab {
namespace {

namespace fs = std::filesystem;

std::string last_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  const std::size_t newline = text.rfind('\n');
  return newline == std::string::npos ? text : text.substr(newline + 1);
}

}  // namespace

Linters::Linters(fs::path root) : root_(std::move(root)), folder_(root_ / ".lab/lint") {
  const fs::path wanted = root_ / "cmake/linters.txt";
  const Outcome python = run({{"python3", "--version"}, root_});
  const std::string stamp = fingerprint(read_file(wanted) + python.output) + "\n";
  if (fs::exists(folder_ / "stamp") && read_file(folder_ / "stamp") == stamp) return;

  const fs::path fresh = root_ / ".lab/lint.new";
  std::error_code error;
  fs::remove_all(fresh, error);
  Activity activity("installing the linters of cmake/linters.txt");
  const Outcome installed = run(
      {{"python3", "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--no-deps", "--require-hashes",
        "--only-binary", ":all:", "--no-warn-script-location", "--target", fresh.string(), "-r", wanted.string()},
       root_},
      activity);
  if (installed.exit_status != 0) {
    throw Problem(fmt::format("linters: pip could not install cmake/linters.txt: {}", last_line(installed.output)),
                  "with a network: ./lab check    (without pip: ./lab doctor)");
  }
  write_file(fresh / "stamp", stamp);
  fs::remove_all(folder_, error);
  fs::rename(fresh, folder_);
}

Command Linters::program(std::vector<std::string> words, std::vector<std::string> arguments) const {
  words.insert(words.end(), arguments.begin(), arguments.end());
  return {std::move(words), root_, {{"PYTHONPATH", folder_.string()}, {"NO_COLOR", "1"}}};
}

Command Linters::clang_format(std::vector<std::string> arguments) const {
  return program({(folder_ / "clang_format/data/bin/clang-format").string()}, std::move(arguments));
}

Command Linters::codespell(std::vector<std::string> arguments) const {
  return program({"python3", "-m", "codespell_lib"}, std::move(arguments));
}

Command Linters::gersemi(std::vector<std::string> arguments) const {
  return program({"python3", "-m", "gersemi"}, std::move(arguments));
}

Command Linters::ruff(std::vector<std::string> arguments) const {
  return program({(folder_ / "bin/ruff").string()}, std::move(arguments));
}

Command Linters::rumdl(std::vector<std::string> arguments) const {
  return program({(folder_ / "bin/rumdl").string()}, std::move(arguments));
}

Command Linters::shellcheck(std::vector<std::string> arguments) const {
  return program({(folder_ / "bin/shellcheck").string()}, std::move(arguments));
}

Command Linters::mutants(std::vector<std::string> arguments) const {
  return program({"python3", "-B", (root_ / "common/lab/mutants/mutants.py").string()}, std::move(arguments));
}

}  // namespace warpwright::lab
