// Problem: a test, a profile or a program wants to know what its launches did, after the fact.
// Idea: the runtime keeps one report per launch and the diagnoses of the API itself, in order; whoever asks takes them.
// Invariant: a report is whole when the launch call returns: the simulated GPU has no asynchrony to wait for.
// Left out: what is in a report (observe/report.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "observe/report.h"

namespace warpwright::cudart {

/// What is watched, and how launches run. Changing it affects later launches.
struct Settings {
  /// Host threads that share a launch's blocks; 0 chooses: one when the blocks are few, else all that the machine has.
  /// The environment variable WARPWRIGHT_HOST_THREADS goes before it. A program whose outcome may depend on the order
  /// of its blocks (Program::order_dependent) runs on one: the machine's atomics are not atomic between host threads.
  unsigned host_threads = 0;
  bool counters = true;    // coalescing, bank conflicts, divergence, barriers, instructions
  bool sanitizers = true;  // races, uninitialised reads, barrier divergence (wrong addresses are always found)
  /// Instructions that one warp may execute. Nothing: an even share of what takes a block half a minute. The
  /// environment variable WARPWRIGHT_STEPS goes before it.
  std::optional<std::uint64_t> step_budget;
  /// The seed of the order in which blocks, warps and parted lanes run (machine/schedule.h); nothing: the machine's
  /// own. The environment variable WARPWRIGHT_SCHEDULE goes before it.
  std::optional<std::uint64_t> schedule;
};

Settings& settings();

/// The seed that holds for the next launch: the environment's, else the settings'.
std::optional<std::uint64_t> schedule();

/// Reports of the launches since the last call, in order; they are the caller's now.
std::vector<observe::Report> take_launches();

/// Diagnoses that belong to no launch (a bad pointer given to cudaMemcpy, a launch over the limits, an object without
/// PTX...) since the last call.
std::vector<observe::Diagnosis> take_diagnoses();

/// Memory that a program never freed.
struct Leak {
  std::size_t bytes = 0;
  std::string origin;        // what allocated it: "cudaMalloc"
  std::uint64_t number = 0;  // in order of allocation, from 1
  std::string file;          // where; empty when it is not known
  std::uint32_t line = 0;
};

/// Hears of launches, and of diagnoses that belong to no launch, as they happen. They are not kept then.
class Recorder {
 public:
  virtual ~Recorder() = default;
  /// A launch begins to run, of which it hears again when it is over.
  virtual void launch_begins(const std::string& /*kernel*/) {}
  /// How many host threads it has.
  virtual unsigned threads() const { return 0; }
  virtual void launch(const observe::Report& report) = 0;
  virtual void diagnosis(const observe::Diagnosis& diagnosis) = 0;
  /// The process ends.
  virtual void end(const std::vector<Leak>& leaks) = 0;
};

/// "simulated H200": the card that the environment variable WARPWRIGHT_DEVICE names, or else this one.
std::string device_name();

/// Forgets a sticky error, and the calling thread's last error, as a new process would. Memory stays as it is.
void reset_errors();

}  // namespace warpwright::cudart
