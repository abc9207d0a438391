#include "process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>

#include "problem.h"

extern char** environ;

namespace warpwright::lab {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

volatile sig_atomic_t received = 0;

void remember(int signal) { received = signal; }

class Pipe {
 public:
  Pipe() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw Problem(std::string("no pipe to another program: ") + std::strerror(errno));
    read_ = ends[0];
    write_ = ends[1];
  }
  ~Pipe() {
    close_end(read_);
    close_end(write_);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  int writer() const { return write_; }
  void close_writer() { close_end(write_); }
  int reader() const { return read_; }
  bool open() const { return read_ >= 0; }

  /// Appends what can be read at once; closes the pipe at its end.
  void drain(std::string& into) {
    char buffer[16384];
    for (;;) {
      const ssize_t n = read(read_, buffer, sizeof buffer);
      if (n > 0) {
        into.append(buffer, static_cast<std::size_t>(n));
        if (n == sizeof buffer) continue;
        return;
      }
      if (n < 0 && errno == EINTR) continue;
      if (n == 0 || errno != EAGAIN) close_end(read_);
      return;
    }
  }

 private:
  static void close_end(int& end) {
    if (end >= 0) close(end);
    end = -1;
  }
  int read_ = -1, write_ = -1;
};

pid_t start(const Command& command, const Pipe& output, const Pipe& errors) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&files, output.writer(), 1);
  posix_spawn_file_actions_adddup2(&files, command.errors_apart ? errors.writer() : output.writer(), 2);
  posix_spawn_file_actions_addchdir_np(&files, command.directory.c_str());

  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t defaults, none;
  sigemptyset(&defaults);
  for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) sigaddset(&defaults, signal);
  sigemptyset(&none);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);

  std::vector<std::string> words = command.arguments;
  std::vector<std::string> environment = environment_with(command.environment);
  const std::vector<char*> arguments = pointers_to(words);

  pid_t pid = -1;
  const int error =
      posix_spawnp(&pid, arguments[0], &files, &attributes, arguments.data(), pointers_to(environment).data());
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  if (error != 0) {
    throw Problem(
        "cannot run " + command.arguments[0] + " in " + command.directory.string() + ": " + std::strerror(error),
        "./lab doctor");
  }
  return pid;
}

/// A running program; destroying it ends its whole group.
class Child {
 public:
  explicit Child(pid_t pid) : pid_(pid) {}
  ~Child() {
    if (running()) end();
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  bool running() {
    if (done_) return false;
    int status = 0;
    const pid_t which = waitpid(pid_, &status, WNOHANG);
    if (which == 0 || (which < 0 && errno == EINTR)) return true;
    done_ = true;
    exit_status_ = exit_status_of(status);
    return false;
  }

  /// Asks politely, as Ctrl-C would, so that Ninja removes what it has half written; then insists.
  void end() {
    for (const auto& [signal, patience] : {std::pair{SIGINT, 2000ms}, {SIGTERM, 500ms}}) {
      kill(-pid_, signal);
      for (const auto limit = Clock::now() + patience; running() && Clock::now() < limit;) poll(nullptr, 0, 10);
      if (!running()) break;
    }
    kill(-pid_, SIGKILL);  // the program's own children too, which may outlive it
    while (running()) poll(nullptr, 0, 10);
  }

  int exit_status() const { return exit_status_; }

 private:
  pid_t pid_;
  bool done_ = false;
  int exit_status_ = 0;
};

}  // namespace

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> environment_with(const std::vector<std::pair<std::string, std::string>>& additions) {
  std::vector<std::string> texts;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    bool replaced = false;
    for (const auto& [name, value] : additions) replaced |= text.substr(0, name.size() + 1) == name + "=";
    if (!replaced) texts.emplace_back(text);
  }
  for (const auto& [name, value] : additions) texts.push_back(name + "=" + value);
  return texts;
}

int exit_status_of(int wait_status) {
  return WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
}

void catch_signals() {
  struct sigaction action = {};
  action.sa_handler = remember;  // no SA_RESTART: whatever waits must wake
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
}

void throw_if_interrupted() {
  if (received != 0) throw Interrupted{received};
}

Outcome run(const Command& command, const Listener& listener) {
  throw_if_interrupted();
  const auto began = Clock::now();
  Pipe output, errors;
  Child child(start(command, output, errors));
  output.close_writer();
  errors.close_writer();
  for (const Pipe* pipe : {&output, &errors}) fcntl(pipe->reader(), F_SETFL, O_NONBLOCK);

  Outcome outcome;
  std::size_t told = 0;  // how much of the output the listener has had
  const auto tell = [&](bool all) {
    while (listener.line && told < outcome.output.size()) {
      std::size_t end = outcome.output.find('\n', told);
      if (end == std::string::npos && !all) break;
      end = std::min(end, outcome.output.size());
      listener.line(std::string_view(outcome.output).substr(told, end - told));
      told = end + 1;
    }
  };
  const auto read_all = [&] {
    if (output.open()) output.drain(outcome.output);
    if (errors.open()) errors.drain(outcome.errors);
    tell(false);
  };

  auto next_tick = began + 100ms;
  for (bool alive = true; alive;) {
    pollfd ends[2] = {{output.reader(), POLLIN, 0}, {errors.reader(), POLLIN, 0}};  // negative ones are ignored
    const bool listening = output.open() || errors.open();
    poll(ends, 2, listening ? 100 : 10);
    if (received != 0) {
      child.end();
      throw Interrupted{received};
    }
    read_all();
    // Output ends with the program, or the program without its output when a child of it lives on.
    if (!output.open() || Clock::now() >= next_tick) alive = child.running();
    if (Clock::now() >= next_tick) {
      next_tick = Clock::now() + 100ms;
      if (listener.tick && !listener.tick()) {
        child.end();
        outcome.stopped = true;
        alive = false;
      }
    }
  }
  read_all();
  tell(true);
  outcome.exit_status = child.exit_status();
  outcome.seconds = std::chrono::duration<double>(Clock::now() - began).count();
  return outcome;
}

}  // namespace warpwright::lab
