#include "cudart/busy_line.h"

#include <fmt/core.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace warpwright::cudart {
namespace {

constexpr std::chrono::milliseconds between_two_pictures(100);
constexpr std::size_t most_of_a_name = 60;

bool is_terminal(int descriptor) {
  const char* term = std::getenv("TERM");
  return isatty(descriptor) && term != nullptr && *term != '\0' && std::string_view(term) != "dumb";
}

/// In one piece. Who cannot be written to is not told.
void put(int descriptor, std::string_view text) {
  [[maybe_unused]] const ssize_t written = write(descriptor, text.data(), text.size());
}

}  // namespace

BusyLine::BusyLine(int descriptor, std::chrono::milliseconds patience)
    : descriptor_(descriptor), is_shown_(is_terminal(descriptor)), patience_(patience) {}

BusyLine::~BusyLine() {
  launch_ends();
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  ended_.notify_all();
  if (drawing_.joinable()) drawing_.join();
}

void BusyLine::launch_begins(const std::string& kernel) {
  if (!is_shown_) return;
  const std::lock_guard lock(mutex_);
  kernel_ = kernel.substr(0, most_of_a_name);
  runs_ = true;
  if (++launches_ > 1) return;
  began_ = Clock::now();
  sigset_t all, before;  // the program's signals are not for this thread
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  drawing_ = std::thread([this] { draw_now_and_then(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void BusyLine::launch_ends() {
  if (!is_shown_) return;
  const std::lock_guard lock(mutex_);
  runs_ = false;
  if (is_drawn_) put(descriptor_, "\033[K");
  is_drawn_ = false;
}

void BusyLine::draw_now_and_then() {
  std::unique_lock lock(mutex_);
  while (!ended_.wait_for(lock, between_two_pictures, [this] { return is_over_; }))
    if (runs_ && Clock::now() - began_ >= patience_) draw();
}

/// Without a line break at the edge, and back to where the cursor was.
void BusyLine::draw() {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - began_).count();
  put(descriptor_, fmt::format("\0337\033[?7l{} simulating {}, launch {}  {} s\033[K\033[?7h\0338",
                               R"(|/-\)"[frame_++ % 4], kernel_, launches_, seconds));
  is_drawn_ = true;
}

}  // namespace warpwright::cudart
