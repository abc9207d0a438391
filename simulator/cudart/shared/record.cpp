// Problem: ./lab simulate wants to know what a program that it did not build has done, however that program ends.
// Idea: the library appends to a file as things happen, one JSON object a line, each in one write: what was recorded
// before a crash, an _exit or Ctrl-C is there, and children of the program append to the same file.
// Invariant: a line that is in the file is whole, and says what is true whatever comes after it.
// Left out: reading it (common/lab/recording.cpp). Without such a file, mistakes are told on standard error.
//
// Lines, in order of time: {"device": "simulated H200"} once a process; {"launch": ...} and {"diagnosis": ...} as in
// report_json.h; {"leak": {"bytes", "origin", "number", "file", "line"}} for each allocation that is live at the end;
// {"end": true} when the process has ended by itself.
#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include "cudart/busy_line.h"
#include "cudart/host_access.h"
#include "cudart/runtime.h"
#include "cudart/session.h"
#include "observe/report_json.h"

namespace warpwright::cudart {
namespace {

/// What is the same wherever mistakes are told.
class WithBusyLine : public Recorder {
 public:
  void launch_begins(const std::string& kernel) override { busy_.launch_begins(kernel); }
  unsigned threads() const override { return busy_.threads(); }
  void launch(const observe::Report&) override { busy_.launch_ends(); }

 private:
  BusyLine busy_{STDERR_FILENO};
};

class RecordFile final : public WithBusyLine {
 public:
  RecordFile(const char* path, const Device& device) : file_(open(path, O_WRONLY | O_APPEND | O_CLOEXEC)) {
    write_line(fmt::format(R"({{"device": "simulated {}"}})", device.label));
  }

  void launch(const observe::Report& report) override {
    WithBusyLine::launch(report);
    write_line("{\"launch\": " + observe::to_json_line(report) + "}");
    for (const observe::Diagnosis& found : report.diagnoses) diagnosis(found);
  }

  void diagnosis(const observe::Diagnosis& diagnosis) override {
    write_line("{\"diagnosis\": " + observe::to_json_line(diagnosis) + "}");
  }

  void end(const std::vector<Leak>& leaks) override {
    for (const Leak& leak : leaks) {
      const std::string place =
          leak.line == 0 ? "" : fmt::format(R"(, "file": {}, "line": {})", observe::to_json_line(leak.file), leak.line);
      write_line(fmt::format(R"({{"leak": {{"bytes": {}, "origin": "{}", "number": {}{}}}}})", leak.bytes, leak.origin,
                             leak.number, place));
    }
    write_line("{\"end\": true}");
  }

 private:
  /// A file that cannot be written is told once, and then no longer written.
  void write_line(std::string line) {
    if (failed_) return;
    line += '\n';
    ssize_t written = 0;
    do written = write(file_, line.data(), line.size());
    while (written < 0 && errno == EINTR);
    failed_ = written != static_cast<ssize_t>(line.size());
    if (failed_)
      fmt::print(stderr, "warpwright: cannot record what this program does: {}\n",
                 written < 0 ? std::strerror(errno) : "no room is left");
  }

  int file_;
  bool failed_ = false;
};

class StandardError final : public WithBusyLine {
 public:
  void launch(const observe::Report& report) override {
    WithBusyLine::launch(report);
    for (const observe::Diagnosis& found : report.diagnoses) diagnosis(found);
  }

  void diagnosis(const observe::Diagnosis& diagnosis) override { tell_on_standard_error(diagnosis); }

  void end(const std::vector<Leak>&) override {}
};

/// After the program's own destructors, which may still free.
[[gnu::destructor]] void library_is_left() { end_of_process(); }

}  // namespace

std::unique_ptr<Recorder> make_recorder(const Device& device) {
  const char* path = std::getenv("WARPWRIGHT_RECORD");
  if (path == nullptr || *path == '\0') return std::make_unique<StandardError>();
  return std::make_unique<RecordFile>(path, device);
}

}  // namespace warpwright::cudart
