// Problem: tests, the command line and pages want what the observers found, without knowing any observer.
// Idea: one plain structure per launch: metrics by name for the kernel and for each source line, and diagnoses.
// Invariant: everything in a report is independent of host threads and of addresses that change from run to run.
// Left out: formats; report_json.h writes JSON.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "machine/lanes.h"
#include "machine/program.h"
#include "observe/banks.h"

namespace warpwright::observe {

/// By metric name. A name of Nsight Compute's is used only where the value is the hardware's; all others start with
/// "ptx__".
using Metrics = std::map<std::string, double>;

struct Thread {
  machine::Dim3 block;   // blockIdx
  machine::Dim3 thread;  // threadIdx
};

/// A mistake that was seen, in words for the learner.
struct Diagnosis {
  std::string kind;     // "race", "out of bounds", "misaligned", "uninitialised", "barrier divergence", "deadlock", ...
  std::string message;  // one or more sentences: what happened, to which array, by whom
  std::string hint;     // the likely mend, one sentence; may be empty
  std::string kernel;
  std::optional<Thread> who;
  std::string file;  // the learner's line; empty when there is none
  std::uint32_t line = 0;
  std::vector<machine::Frame> frames;  // inlining chain of that line, innermost first
  std::string instruction;             // PTX text
  struct Other {                       // where two accesses meet: the other one
    Thread who;
    std::string file;
    std::uint32_t line = 0;
    std::vector<machine::Frame> frames;
  };
  std::optional<Other> other;
  /// Nothing wrong came of it, and nothing will as long as the program stays as it is: no test fails for it.
  bool is_warning = false;
  std::uint64_t count = 1;  // how often it was seen at this pair of lines
  std::string launch_file;  // the host's line that launched the kernel; empty when it is not known
  std::uint32_t launch_line = 0;
  std::uint64_t allocation = 0;  // number of the allocation that it is about (machine/memory.h); 0: of none
};

/// The worst single execution of a memory instruction that a counter saw: what a picture or a message shows.
struct Exemplar {
  std::uint64_t block = 0;
  std::uint32_t warp = 0;
  machine::Lanes lanes = 0;
  std::uint32_t bytes = 4;  // of one lane
  std::array<std::uint64_t, 32>
      addresses{};          // global: bytes from the start of its allocation; shared: offset in the window
  std::uint32_t cost = 0;   // sectors, or wavefronts
  std::uint32_t ideal = 0;  // the least that so many lanes of this width can cost
  std::optional<SharedOperation> shared = {};  // by which rule its banks are counted; nothing of global memory
};

/// One PTX instruction's share of the metrics.
struct InstructionReport {
  std::uint32_t pc = 0;
  std::string text;
  std::uint32_t ptx_line = 0;
  std::vector<machine::Frame> frames;  // innermost first
  std::string file;                    // the learner's line
  std::uint32_t line = 0;
  Metrics metrics;
  std::optional<Exemplar> worst;
};

struct LineReport {
  std::string file;
  std::uint32_t line = 0;
  Metrics metrics;
  std::vector<const InstructionReport*> instructions;  // that were counted, in the program's order
};

/// An array that launches have written, but not all of since the host last wrote there.
struct Coverage {
  std::uint32_t argument = 0;  // of the kernel, from 1
  std::uint64_t bytes = 0;
  std::uint64_t unwritten_bytes = 0;
  struct Gap {
    std::uint64_t offset = 0, bytes = 0;
  };
  std::vector<Gap> gaps;  // of unwritten bytes, the first few
};

/// What is known of one launch.
class Report {
 public:
  explicit Report(const machine::Program& program) : program_(&program) {}

  /// Adds `value` to a metric of the kernel and of the instruction at `pc`.
  void add(std::uint32_t pc, std::string_view metric, double value);
  /// Adds to a metric of the kernel alone.
  void add(std::string_view metric, double value);
  void worst(std::uint32_t pc, const Exemplar& exemplar);
  void diagnose(Diagnosis diagnosis);
  /// Takes the counters away: the launch ended in a fault, and how far its other blocks had come then was luck.
  void end_early();
  const machine::Program& program() const { return *program_; }

  std::string kernel;
  machine::Dim3 grid, block;
  std::uint32_t dynamic_shared_bytes = 0;
  Metrics metrics;
  std::map<std::uint32_t, InstructionReport> instructions;  // by pc
  bool ended_early = false;                                 // see end_early()
  std::vector<Diagnosis> diagnoses;
  std::vector<Coverage> coverage;  // of arrays that are written in part; no diagnosis: that may be meant

  /// Metrics by the learner's line, in order of file and line. The instructions are this report's own.
  std::vector<LineReport> lines() const;

 private:
  const machine::Program* program_;
};

}  // namespace warpwright::observe
