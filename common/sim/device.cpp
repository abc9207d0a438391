#include "device.h"

#include "cudart/session.h"
#include "machine/program.h"

namespace warpwright {

std::string device_name() {
  const std::optional<std::uint64_t> seed = cudart::schedule();
  return cudart::device_name() + (seed ? ", schedule " + std::to_string(*seed) : "");
}

std::string why_no_counters() { return {}; }

void watch(Watch what) {
  cudart::Settings& settings = cudart::settings();
  settings.counters = what != Watch::mistakes;
  settings.sanitizers = what != Watch::counters;
  // For each warp. In tests even one thread that does all the work of the largest launch stays below, and an endless
  // loop is found within seconds.
  settings.step_budget.reset();
  if (what != Watch::everything) settings.step_budget = std::uint64_t{1} << 23;
}

void schedule(std::optional<std::uint64_t> seed) { cudart::settings().schedule = seed; }

std::vector<observe::Report> take_launches() { return cudart::take_launches(); }

std::vector<observe::Diagnosis> take_diagnoses() { return cudart::take_diagnoses(); }

std::set<SourceLine> lines_that_write(const observe::Report& launch) {
  const machine::Program& program = launch.program();
  std::set<SourceLine> lines;
  for (std::uint32_t pc = 0; pc < program.code.size(); ++pc) {
    const machine::Instruction& instruction = program.code[pc];
    const bool writes = instruction.elements != 0 && instruction.kind != machine::AccessKind::load;
    if (!writes || (!instruction.generic && instruction.space != machine::Space::global)) continue;
    const machine::Frame* frame = program.learner_frame(pc);
    if (frame != nullptr && frame->line != 0) lines.emplace(frame->file, frame->line);
  }
  return lines;
}

bool reset_errors() {
  cudart::reset_errors();
  return true;
}

std::size_t guard_bytes() { return 0; }

}  // namespace warpwright
