#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <system_error>
#include <variant>

#include "commands/commands.h"
#include "problem.h"
#include "process.h"

namespace {

using namespace warpwright::lab;
namespace fs = std::filesystem;

/// The script ./lab says where the repository is; a program started by hand looks for it above itself (build/sim/bin).
fs::path repository() {
  if (const char* root = std::getenv("WARPWRIGHT_ROOT")) return root;
  for (fs::path at = fs::read_symlink("/proc/self/exe").parent_path(); at.has_relative_path(); at = at.parent_path()) {
    if (fs::exists(at / "CMakePresets.json")) return at;
  }
  throw Problem("the repository was not found", "WARPWRIGHT_ROOT=FOLDER lab");
}

/// Never throws: the terminal may be what went away.
void explain(const std::string& what, const std::string& mend) {
  std::fflush(stdout);
  std::fputs(("./lab: " + what + "\n").c_str(), stderr);
  if (!mend.empty()) std::fputs(("  next: " + mend + "\n").c_str(), stderr);
}

int carry_out(const Request& request) {
  if (std::holds_alternative<request::Nothing>(request)) return ok;
  const fs::path root = repository();
  const fs::path build = root / "build/sim";
  Context context{root, build, Terminal(), Course::read(build / "course.json"),
                  State(root / ".lab/state.json", [](const std::string& what) { explain(what, ""); })};
  return std::visit(
      [&](const auto& wish) -> int {
        if constexpr (std::is_same_v<decltype(wish), const request::Nothing&>) {
          return ok;
        } else {
          return run(context, wish);
        }
      },
      request);
}

}  // namespace

int main(int argc, char** argv) {
  catch_signals();
  int status = ok;
  try {
    status = carry_out(read_arguments(argc, argv));
    // A full disk or a closed pipe behind standard output shows itself here at the latest.
    if (std::fflush(stdout) != 0) throw std::system_error(errno, std::generic_category());
  } catch (const Interrupted& interrupted) {
    explain("stopped", "");
    status = 128 + interrupted.signal;
  } catch (const Problem& problem) {
    explain(problem.what(), problem.mend);
    status = not_possible;
  } catch (const std::system_error& error) {
    explain(fmt::format("cannot write the output: {}", error.code().message()), "");
    status = not_possible;
  } catch (const std::exception& error) {
    explain(fmt::format("this should not happen: {}", error.what()), "./lab doctor");
    status = not_possible;
  }
  return status;
}
