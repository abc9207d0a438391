#include "observe/race_wording.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "observe/wording.h"

namespace warpwright::observe {
namespace {

using machine::Program;
using Race = Sightings<RaceExample>::Sighting;

Hazard hazard_of(const Race& race) { return static_cast<Hazard>(race.key.what / 2); }
bool is_across_warps(const Race& race) { return race.key.what % 2 == 1; }

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
      return fmt::format("If this {} comes first, that thread reads the new value.", who);
    case Hazard::write_after_write:
      return fmt::format("What stays there depends on which {} comes last.", who);
  }
  return "";
}

std::string message_of(const machine::Launch& launch, const Race& race) {
  const Program& program = *launch.program;
  const auto [pc, other_pc, what] = race.key;
  const RaceExample& example = race.example;
  const Hazard hazard = hazard_of(race);
  const bool across = is_across_warps(race);
  const std::string element = shared_element_text(launch, pc, static_cast<std::int64_t>(example.offset));
  const std::string action = does(program.code[pc].access);
  if (example.one_instruction)
    return fmt::format("Race ({}): {} and {} both write {} here{}, in one instruction. {}", name_of(hazard),
                       who_text(launch, race.block, example.other_thread), thread_text(launch, example.thread), element,
                       caller_text(program, pc), consequence(hazard, across));
  return fmt::format("Race ({}): {} {} {} here{}; {} {} it at {} and {} lies between. {}{}", name_of(hazard),
                     who_text(launch, race.block, example.thread), action, element, caller_text(program, pc),
                     thread_text(launch, example.other_thread), did(program.code[other_pc].access),
                     line_text(program, other_pc, pc), across ? "no barrier" : "no __syncwarp()",
                     across ? "" : "Lanes of one warp need not run in step. ", consequence(hazard, across));
}

/// Two calls of one function, one after the other: the frames that called it differ while the function is the same.
bool in_two_calls(const Program& program, std::uint32_t pc, std::uint32_t other_pc) {
  const machine::Frame* frame = program.learner_frame(pc);
  const machine::Frame* other = program.learner_frame(other_pc);
  return frame != nullptr && other != nullptr && frame->function == other->function && frame->file == other->file &&
         caller_text(program, pc) != caller_text(program, other_pc);
}

std::string hint_of(const Program& program, const Race& race) {
  const auto [pc, other_pc, what] = race.key;
  const std::string barrier = is_across_warps(race) ? "__syncthreads()" : "__syncwarp()";
  const machine::Frame* here = program.learner_frame(pc);
  const machine::Frame* there = program.learner_frame(other_pc);
  if (race.example.one_instruction) return "Let one thread write it, or give every thread an element of its own.";
  if (here == nullptr || there == nullptr) return fmt::format("Put {} between the two accesses.", barrier);
  if (in_two_calls(program, pc, other_pc))
    return fmt::format("Put {} between the two calls, or at the end of the function that both call.", barrier);
  if (here->file != there->file) return fmt::format("Put {} between the two accesses.", barrier);
  if (here->line == there->line && hazard_of(race) == Hazard::write_after_read)
    return fmt::format("Split line {}: read into a variable, {}, then write.", here->line, barrier);
  if (here->line == there->line)
    return fmt::format("Put {} between one pass through line {} and the next.", barrier, here->line);
  if (there->line < here->line)
    return fmt::format("Put {} between line {} and line {}.", barrier, there->line, here->line);
  return fmt::format("Put {} after line {}, before line {} runs again.", barrier, there->line, here->line);
}

bool are_on_the_same_lines(const Program& program, const Race& one, const Race& other) {
  return hazard_of(one) == hazard_of(other) && on_one_line(program, one.key.pc, other.key.pc) &&
         on_one_line(program, one.key.other_pc, other.key.other_pc);
}

/// A barrier between warps orders lanes too, so where both kinds stand on the same lines, the one between warps is
/// told.
std::vector<Race> prefer_races_between_warps(const Program& program, const std::vector<Race>& races) {
  std::vector<Race> told;
  for (const Race& race : races) {
    const auto twin =
        std::ranges::find_if(told, [&](const Race& earlier) { return are_on_the_same_lines(program, earlier, race); });
    if (twin == told.end()) {
      told.push_back(race);
      continue;
    }
    const std::uint64_t count = twin->count + race.count;
    if (is_across_warps(race) && !is_across_warps(*twin)) *twin = race;
    twin->count = count;
  }
  return told;
}

}  // namespace

void report_races(Report& report, const machine::Launch& launch, const Sightings<RaceExample>& races) {
  const Program& program = *launch.program;
  for (const Race& race : prefer_races_between_warps(program, races.by_line(program))) {
    Diagnosis diagnosis = diagnosis_at(program, "race", race.key.pc);
    diagnosis.message = message_of(launch, race);
    diagnosis.hint = hint_of(program, race);
    diagnosis.who = thread_of(launch, race.block, race.example.thread);
    diagnosis.other = other_at(program, race.key.other_pc, thread_of(launch, race.block, race.example.other_thread));
    diagnosis.count = race.count;
    report.diagnose(std::move(diagnosis));
  }
}

}  // namespace warpwright::observe
