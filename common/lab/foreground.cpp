#include "foreground.h"

#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "problem.h"

namespace warpwright::lab {
namespace {

volatile pid_t foreground_program = 0;

/// The terminal has told the program itself; a signal by another process went to us alone.
void pass_on(int signal, siginfo_t* about, void*) {
  const int before = errno;
  if (foreground_program > 0 && about->si_code <= 0) kill(foreground_program, signal);
  errno = before;
}

/// Passes signals on for as long as it lives, from when it knows to whom.
class PassingOn {
 public:
  PassingOn() {
    sigset_t held;
    sigemptyset(&held);
    for (const int signal : signals) sigaddset(&held, signal);
    pthread_sigmask(SIG_BLOCK, &held, &mask_);
    struct sigaction action = {};
    action.sa_sigaction = pass_on;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    for (std::size_t i = 0; i < std::size(signals); ++i) sigaction(signals[i], &action, &before_[i]);
  }
  void to(pid_t program) {
    foreground_program = program;
    pthread_sigmask(SIG_SETMASK, &mask_, nullptr);
  }
  ~PassingOn() {
    to(0);
    for (std::size_t i = 0; i < std::size(signals); ++i) sigaction(signals[i], &before_[i], nullptr);
  }
  PassingOn(const PassingOn&) = delete;
  PassingOn& operator=(const PassingOn&) = delete;

 private:
  static constexpr int signals[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};
  sigset_t mask_;
  struct sigaction before_[std::size(signals)] = {};
};

}  // namespace

Ending run_in_foreground(const Command& command) {
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t defaults;
  sigemptyset(&defaults);
  for (const int signal : {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGPIPE}) sigaddset(&defaults, signal);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);

  std::vector<std::string> words = command.arguments, environment = environment_with(command.environment);
  PassingOn passing_on;
  throw_if_interrupted();  // by what came before it was listening
  pid_t pid = -1;
  const int error = posix_spawn(&pid, words[0].c_str(), nullptr, &attributes, pointers_to(words).data(),
                                pointers_to(environment).data());
  posix_spawnattr_destroy(&attributes);
  if (error != 0) throw Problem("cannot run " + command.arguments[0] + ": " + std::strerror(error));
  passing_on.to(pid);

  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return {exit_status_of(status), WIFSIGNALED(status) ? WTERMSIG(status) : 0};
}

}  // namespace warpwright::lab
