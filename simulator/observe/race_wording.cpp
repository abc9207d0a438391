#include "observe/race_wording.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "observe/paths.h"
#include "observe/wording.h"

namespace warpwright::observe {
namespace {

using machine::Frame;
using machine::Program;

/// A race as it is told: `pc` comes second, or is meant to.
struct Race {
  std::uint32_t pc = 0;
  std::uint32_t other_pc = 0;
  Hazard hazard = Hazard::read_after_write;
  bool across_warps = false;
  bool order_is_known = false;  // by the program; otherwise it is this run's
  std::uint64_t block = 0;
  std::uint64_t order = 0;
  std::uint64_t count = 0;
  RaceExample example;
};

Race told(const Program& program, const Sightings<RaceExample>::Sighting& sighting) {
  Race race{.pc = sighting.key.pc,
            .other_pc = sighting.key.other_pc,
            .hazard = static_cast<Hazard>(sighting.key.what / 2),
            .across_warps = sighting.key.what % 2 == 1,
            .block = sighting.block,
            .order = sighting.order,
            .count = sighting.count,
            .example = sighting.example};
  if (race.example.one_instruction) return race;
  const bool forward = leads_to(program, race.other_pc, race.pc, race.across_warps);
  const bool back = leads_to(program, race.pc, race.other_pc, race.across_warps);
  race.order_is_known = forward != back;
  if (back && !forward) {
    std::swap(race.pc, race.other_pc);
    std::swap(race.example.thread, race.example.other_thread);
    if (race.hazard == Hazard::read_after_write)
      race.hazard = Hazard::write_after_read;
    else if (race.hazard == Hazard::write_after_read)
      race.hazard = Hazard::read_after_write;
  }
  return race;
}

bool are_told_as_one(const Program& program, const Race& one, const Race& other) {
  return on_one_line(program, one.pc, other.pc) && on_one_line(program, one.other_pc, other.other_pc);
}

/// A barrier between warps orders lanes too, so of two races on the same lines the one between warps is shown.
bool is_shown_before(const Race& one, const Race& other) {
  return std::tuple(!one.across_warps, one.block, one.order, one.pc, one.other_pc) <
         std::tuple(!other.across_warps, other.block, other.order, other.pc, other.other_pc);
}

std::vector<Race> by_lines(const Program& program, const Sightings<RaceExample>& races) {
  std::vector<Race> lines;
  for (const auto& sighting : races.all()) {
    const Race race = told(program, sighting);
    const auto twin =
        std::ranges::find_if(lines, [&](const Race& earlier) { return are_told_as_one(program, earlier, race); });
    if (twin == lines.end()) {
      lines.push_back(race);
      continue;
    }
    const std::uint64_t count = twin->count + race.count;
    if (is_shown_before(race, *twin)) *twin = race;
    twin->count = count;
  }
  std::ranges::sort(lines, is_shown_before);
  return lines;
}

const char* name_of(Hazard hazard) {
  switch (hazard) {
    case Hazard::read_after_write:
      return "RAW, read after write";
    case Hazard::write_after_read:
      return "WAR, write after read";
    case Hazard::write_after_write:
      return "WAW, write after write";
  }
  return "";
}

std::string consequence(Hazard hazard, bool across_warps) {
  const char* who = across_warps ? "warp" : "lane";
  switch (hazard) {
    case Hazard::read_after_write:
      return fmt::format("The value depends on which {} comes first.", who);
    case Hazard::write_after_read:
      return "If the write comes first, the new value is read.";
    case Hazard::write_after_write:
      return fmt::format("What stays there depends on which {} comes last.", who);
  }
  return "";
}

std::string message_of(const machine::Launch& launch, const Race& race) {
  const Program& program = *launch.program;
  const machine::Instruction& instruction = program.code[race.pc];
  const auto start = race.example.offset / instruction.access_bytes() * instruction.access_bytes();
  const std::string element = shared_element_text(launch, race.pc, static_cast<std::int64_t>(start));
  if (race.example.one_instruction)
    return fmt::format("Race ({}): {} and {} both write {} here, in one instruction. {}", name_of(race.hazard),
                       who_text(launch, race.block, race.example.other_thread),
                       thread_text(launch, race.example.thread), element, consequence(race.hazard, false));
  return fmt::format("Race ({}): {} {} {} here{}; {} {} it at {}{} and {} lies between. {}{}", name_of(race.hazard),
                     who_text(launch, race.block, race.example.thread), does(instruction.access), element,
                     caller_text(program, race.pc, race.other_pc), thread_text(launch, race.example.other_thread),
                     does(program.code[race.other_pc].access), line_text(program, race.other_pc, race.pc),
                     caller_text(program, race.other_pc, race.pc), race.across_warps ? "no barrier" : "no __syncwarp()",
                     race.across_warps ? "" : "Lanes of one warp need not run in step. ",
                     consequence(race.hazard, race.across_warps));
}

/// Two calls of one function, one after the other.
bool in_two_calls(const Program& program, const Race& race) {
  const Frame* frame = program.learner_frame(race.pc);
  const Frame* other = program.learner_frame(race.other_pc);
  return frame->function == other->function && frame->file == other->file &&
         !caller_text(program, race.pc, race.other_pc).empty();
}

std::string hint_of(const Program& program, const Race& race) {
  const std::string barrier = race.across_warps ? "__syncthreads()" : "__syncwarp()";
  const Frame* here = program.learner_frame(race.pc);
  const Frame* there = program.learner_frame(race.other_pc);
  if (race.example.one_instruction) return "Let one thread write it, or give every thread an element of its own.";
  if (here == nullptr || there == nullptr || here->file != there->file)
    return fmt::format("Put {} between the two accesses.", barrier);
  if (in_two_calls(program, race))
    return fmt::format("Put {} between the two calls, or at the end of the function that both call.", barrier);
  if (here->line == there->line && race.hazard == Hazard::write_after_read && race.order_is_known)
    return fmt::format("Split line {}: read into a variable, {}, then write.", here->line, barrier);
  if (here->line == there->line)
    return fmt::format("Put {} between one pass through line {} and the next.", barrier, here->line);
  if (there->line < here->line)
    return fmt::format("Put {} between line {} and line {}.", barrier, there->line, here->line);
  return fmt::format("Put {} after line {}, before line {} runs again.", barrier, there->line, here->line);
}

}  // namespace

void report_races(Report& report, const machine::Launch& launch, const Sightings<RaceExample>& races) {
  const Program& program = *launch.program;
  for (const Race& race : by_lines(program, races)) {
    Diagnosis diagnosis = diagnosis_at(program, "race", race.pc);
    diagnosis.message = message_of(launch, race);
    diagnosis.hint = hint_of(program, race);
    diagnosis.who = thread_of(launch, race.block, race.example.thread);
    diagnosis.other = other_at(program, race.other_pc, thread_of(launch, race.block, race.example.other_thread));
    diagnosis.count = race.count;
    report.diagnose(std::move(diagnosis));
  }
}

}  // namespace warpwright::observe
