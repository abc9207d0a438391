#include <fmt/core.h>
#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include "activity.h"
#include "commands/commands.h"
#include "files.h"
#include "foreground.h"
#include "ninja.h"
#include "problem.h"
#include "profile_report.h"
#include "program_file.h"
#include "recording.h"
#include "verdict.h"

namespace warpwright::lab {
namespace {

/// An empty file that is gone afterwards.
class TemporaryFile {
 public:
  TemporaryFile() {
    std::error_code ignored;
    std::filesystem::path folder = std::filesystem::temp_directory_path(ignored);
    if (folder.empty()) folder = "/tmp";
    std::string name = (folder / "warpwright-XXXXXX").string();
    const int file = mkstemp(name.data());
    if (file < 0) throw Problem(fmt::format("cannot write a file in {}: {}", folder.string(), std::strerror(errno)));
    close(file);
    path_ = name;
  }
  ~TemporaryFile() { unlink(path_.c_str()); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::vector<std::string> source_of(const std::string& file) {
  std::vector<std::string> lines;
  try {
    const std::string text = read_file(file);
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      lines.push_back(text.substr(at, end - at));
      at = end + 1;
    }
  } catch (const Problem&) {
    return {};
  }
  return lines;
}

/// The line without the spaces around it.
std::string line_of_source(const std::string& file, int line) {
  const std::vector<std::string> lines = source_of(file);
  if (line < 1 || static_cast<std::size_t>(line) > lines.size()) return "";
  const std::string& text = lines[static_cast<std::size_t>(line) - 1];
  const std::size_t from = text.find_first_not_of(" \t"), to = text.find_last_not_of(" \t\r");
  return from == std::string::npos ? "" : text.substr(from, to + 1 - from);
}

void build_libraries(const Context& context) {
  Activity activity("building the simulated GPU");
  const Outcome built = build(context, {"simulated_libraries"}, activity);
  if (built.exit_status == 0) return;
  activity.clear();
  for (const FailedStep& step : failed_steps(built.output)) fmt::print(stderr, "{}\n", step.output);
  throw Problem("the simulated GPU does not compile", "mend what the compiler names above");
}

/// Puts our library before NVIDIA's. A path that the program was linked with goes before LD_LIBRARY_PATH, but not
/// before LD_PRELOAD.
Command command_for(const Context& context, const ProgramFile& program, const request::Simulate& wish,
                    const std::string& record) {
  Command command{{program.path.has_parent_path() ? program.path.string() : "./" + program.path.string()}, {}};
  command.arguments.insert(command.arguments.end(), wish.arguments.begin(), wish.arguments.end());
  const auto before = [](const std::string& first, const char* name, char separator) {
    const char* rest = std::getenv(name);
    return rest == nullptr || *rest == '\0' ? first : first + separator + rest;
  };
  const std::filesystem::path libraries = context.build / "cudart";
  command.environment = {{"WARPWRIGHT_RECORD", record},
                         {"LD_LIBRARY_PATH", before(libraries.string(), "LD_LIBRARY_PATH", ':')}};
  if (const std::string runtime = program.cuda_runtime(); !runtime.empty())
    command.environment.emplace_back("LD_PRELOAD", before((libraries / runtime).string(), "LD_PRELOAD", ' '));
  if (!wish.device.empty()) command.environment.emplace_back("WARPWRIGHT_DEVICE", wish.device);
  if (wish.schedule) command.environment.emplace_back("WARPWRIGHT_SCHEDULE", std::to_string(*wish.schedule));
  return command;
}

std::string how_it_ended(const request::Simulate& wish, const Ending& ending, const Recording& recording) {
  if (ending.signal != 0)
    return fmt::format("{} was ended by signal {} ({}); what it had done until then is above\n", wish.program,
                       ending.signal, strsignal(ending.signal));
  if (!recording.device.empty() && !recording.ended_by_itself)
    return fmt::format("{} left without exit(): leaks could not be looked for\n", wish.program);
  return "";
}

/// On standard error, so that standard output is the program's alone.
void print_report(const request::Simulate& wish, const Ending& ending, const Recording& recording) {
  const Terminal terminal(STDERR_FILENO);
  std::fflush(stdout);
  std::string text;
  if (recording.launches > 0) {
    const ProfileReport report = ProfileReport::parse(recording.document);
    text += fmt::format("\n{}  {}\n\n{}\n", terminal.bold(wish.program), terminal.dim("on " + recording.device),
                        as_text(report, {}, source_of, terminal));
  }
  text += as_text(recording.mistakes, line_of_source, terminal);
  if (!recording.mistakes.empty()) text += "\n";
  if (!recording.warnings.empty())
    text += terminal.bold("warnings") + ", which do not count as mistakes:\n" +
            as_text(recording.warnings, line_of_source, terminal) + "\n";
  text += as_text(recording.gaps);
  text += as_text(recording.leaks);
  text += how_it_ended(wish, ending, recording);
  if (recording.device.empty()) {
    text += fmt::format("{} did not use the CUDA runtime, so there is nothing to report\n", wish.program);
  } else {
    const std::size_t count = recording.mistakes.size();
    text += fmt::format("{}: {} launch{} on the {}, {}\n", wish.program, thousands(recording.launches),
                        recording.launches == 1 ? "" : "es", recording.device,
                        count == 0   ? terminal.green("no mistake found")
                        : count == 1 ? terminal.red("1 mistake")
                                     : terminal.red(thousands(count) + " mistakes"));
  }
  fmt::print(stderr, "{}", text);
}

}  // namespace

int run(Context& context, const request::Simulate& wish) {
  const ProgramFile program = inspect_program(wish.program);
  if (!wish.json.empty()) check_writable(wish.json);
  build_libraries(context);
  const TemporaryFile record;
  const Ending ending = run_in_foreground(command_for(context, program, wish, record.path()));
  const Recording recording = Recording::parse(read_file(record.path()));
  print_report(wish, ending, recording);
  if (!wish.json.empty()) write_file(wish.json, recording.document);
  return ending.exit_status == 0 && !recording.mistakes.empty() ? wish.error_exit_status : ending.exit_status;
}

}  // namespace warpwright::lab
