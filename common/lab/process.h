// Problem: everything slow that `lab` does is another program's work (CMake, CTest, a test, git), and whoever waits
// wants to see that something moves, to stop it with one key, and to find nothing half-running afterwards.
// Idea: one function runs a program in a process group of its own and hands over its output as it comes; a signal
// to `lab` becomes a signal to that group, and then an exception, so that the stack unwinds as it does for any
// error.
// Invariant: when run() returns or throws, the program is gone, and so are its children if it was stopped.
// Left out: input. Programs read an empty standard input; keys belong to the terminal's owner.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warpwright::lab {

struct Command {
  std::vector<std::string> arguments;                                 // the program first; looked up in PATH
  std::filesystem::path directory;                                    // where it runs
  std::vector<std::pair<std::string, std::string>> environment = {};  // in addition to ours
  bool errors_apart = false;                                          // keep standard error out of `output`
};

struct Outcome {
  int exit_status = 0;  // as a shell has it: 128 + signal for a program that a signal ended
  std::string output;   // standard output, and standard error too unless it is kept apart, in the order written
  std::string errors;   // standard error, when kept apart
  double seconds = 0;
  bool stopped = false;  // the listener had enough
};

/// What the caller does while a program runs; both may be empty.
struct Listener {
  std::function<void(std::string_view line)> line;  // each whole line of output, without its newline
  std::function<bool()> tick;                       // about ten times a second; false ends the program
};

/// Runs a program to its end. Throws Problem when it cannot be started, and Interrupted when `lab` itself was
/// signalled.
Outcome run(const Command& command, const Listener& listener = {});

/// Our environment with additions, each "NAME=value".
std::vector<std::string> environment_with(const std::vector<std::pair<std::string, std::string>>& additions);
/// Texts as execve wants them; they must stay where they are.
std::vector<char*> pointers_to(std::vector<std::string>& texts);
/// The exit status of a program as a shell has it, from what waitpid() says of it.
int exit_status_of(int wait_status);

/// Starts listening for SIGINT, SIGTERM and SIGHUP. Call once.
void catch_signals();
/// Throws Interrupted when one of these has come.
void throw_if_interrupted();

}  // namespace warpwright::lab
