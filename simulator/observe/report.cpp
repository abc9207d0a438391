#include "observe/report.h"

#include <tuple>
#include <utility>

namespace warpwright::observe {
namespace {

InstructionReport describe(const machine::Program& program, std::uint32_t pc) {
  InstructionReport instruction;
  instruction.pc = pc;
  instruction.text = program.text(pc);
  instruction.ptx_line = program.ptx_line(pc);
  const auto frames = program.frames(pc);
  instruction.frames.assign(frames.begin(), frames.end());
  if (const machine::Frame* frame = program.learner_frame(pc)) {
    instruction.file = frame->file;
    instruction.line = frame->line;
  }
  return instruction;
}

InstructionReport& instruction_at(Report& report, std::uint32_t pc) {
  auto found = report.instructions.find(pc);
  if (found == report.instructions.end()) found = report.instructions.emplace(pc, describe(report.program(), pc)).first;
  return found->second;
}

}  // namespace

void Report::add(std::uint32_t pc, std::string_view metric, double value) {
  instruction_at(*this, pc).metrics[std::string(metric)] += value;
  add(metric, value);
}

void Report::add(std::string_view metric, double value) { metrics[std::string(metric)] += value; }

void Report::worst(std::uint32_t pc, const Exemplar& exemplar) { instruction_at(*this, pc).worst = exemplar; }

void Report::end_early() {
  ended_early = true;
  metrics.clear();
  instructions.clear();
}

void Report::diagnose(Diagnosis diagnosis) { diagnoses.push_back(std::move(diagnosis)); }

std::vector<LineReport> Report::lines() const {
  std::map<std::pair<std::string, std::uint32_t>, LineReport> by_line;
  for (const auto& [pc, instruction] : instructions) {
    if (instruction.line == 0) continue;
    LineReport& line = by_line[{instruction.file, instruction.line}];
    line.instructions.push_back(&instruction);
    for (const auto& [name, value] : instruction.metrics) line.metrics[name] += value;
  }
  std::vector<LineReport> lines;
  for (auto& [where, line] : by_line) {
    std::tie(line.file, line.line) = where;
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace warpwright::observe
