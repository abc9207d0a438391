#include "activity.h"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace warpwright::lab {
namespace {

bool errors_go_to_a_terminal() {
  const char* term = std::getenv("TERM");
  return isatty(STDERR_FILENO) && term != nullptr && std::string_view(term) != "dumb" && *term != '\0';
}

/// Ninja's step without the folders that CMake chooses: "[3/40] Building CXX object lexer.cpp".
std::string without_folders(std::string_view step) {
  const std::size_t folder = step.find("CMakeFiles/");
  const std::size_t file = step.find(".dir/", folder == std::string_view::npos ? step.size() : folder);
  if (file == std::string_view::npos) return std::string(step);
  std::string_view name = step.substr(file + 5);
  if (name.size() > 2 && name.substr(name.size() - 2) == ".o") name.remove_suffix(2);
  while (name.substr(0, 3) == "__/") name.remove_prefix(3);
  const std::size_t before = step.rfind(' ', folder);
  return std::string(step.substr(0, before + 1)).append(name);
}

int width_of_errors() {
  winsize size = {};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace

Activity::Activity(std::string what)
    : moving_(errors_go_to_a_terminal()), what_(std::move(what)), began_(std::chrono::steady_clock::now()) {}

Activity::~Activity() { clear(); }

double Activity::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
}

void Activity::now(std::string what) {
  what_ = std::move(what);
  step_.clear();
}

void Activity::step(std::string_view text) { step_ = without_folders(text); }

void Activity::clear() {
  if (drawn_) std::fputs("\r\033[K", stderr);
  drawn_ = false;
}

void Activity::tick() {
  const double now = seconds();
  if (moving_) {
    if (now < 0.3) return;
    const std::string line = fmt::format("{} {}  {:.0f} s  {}", R"(|/-\)"[frame_++ % 4], what_, now, step_);
    fmt::print(stderr, "\r\033[K{}", cut(line, width_of_errors() - 1));
    drawn_ = true;
    return;
  }
  if (now < next_line_) return;
  if (next_line_ == 2) {
    fmt::print(stderr, "{} ...\n", what_);
  } else {
    fmt::print(stderr, "  {:.0f} s  {}\n", now, cut(step_, 90));
  }
  next_line_ = next_line_ == 2 ? 10 : next_line_ + 10;
}

Outcome run(const Command& command, Activity& activity, const std::function<bool()>& go_on) {
  Listener listener;
  listener.line = [&](std::string_view line) {
    if (line.substr(0, 1) == "[") activity.step(line);
    if (line.substr(0, 10) == "-- Waiting") activity.step(line.substr(3));
  };
  listener.tick = [&] {
    activity.tick();
    return !go_on || go_on();
  };
  return run(command, listener);
}

}  // namespace warpwright::lab
