#include "observe/race_wording.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "observe/arguments.h"
#include "observe/race_lines.h"
#include "observe/wording.h"

namespace warpwright::observe {
namespace {

using machine::Frame;
using machine::Program;
using machine::Space;

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

const char* name_of(Apart apart) {
  switch (apart) {
    case Apart::lanes:
      return "lane";
    case Apart::warps:
      return "warp";
    case Apart::blocks:
      return "block";
  }
  return "";
}

std::string consequence(const RaceKind& kind) {
  const char* who = name_of(kind.apart);
  switch (kind.hazard) {
    case Hazard::read_after_write:
      return fmt::format("The value depends on which {} comes first.", who);
    case Hazard::write_after_read:
      return "If the write comes first, the new value is read.";
    case Hazard::write_after_write:
      return kind.same_value ? "Both write the same value, so nothing depends on it today."
                             : fmt::format("What stays there depends on which {} comes last.", who);
  }
  return "";
}

const char* missing(Apart apart) {
  switch (apart) {
    case Apart::lanes:
      return "no __syncwarp() lies between. Lanes of one warp need not run in step.";
    case Apart::warps:
      return "no barrier lies between.";
    case Apart::blocks:
      return "nothing orders the two: blocks run in any order, and __syncthreads() waits for one block only.";
  }
  return "";
}

/// "tile[32]"; "element 0 of argument 2, an allocation of 4 bytes,"
std::string element_of(const machine::Launch& launch, const Race& race) {
  const std::uint64_t bytes = std::max(1u, launch.program->code[race.pc].bytes);
  if (race.kind.space == Space::shared)
    return shared_element_text(launch, race.pc, static_cast<std::int64_t>(race.example.offset / bytes * bytes));
  const std::string text = global_element_text(launch, race.pc, race.example.offset / bytes * bytes);
  return text.find(',') == std::string::npos ? text : text + ",";
}

/// What one side does. Of an asynchronous copy, shared memory sees the write.
std::string deed(const Program& program, const Race& race, std::uint32_t pc) {
  const machine::Instruction& instruction = program.code[pc];
  const bool is_copy = race.kind.space == Space::shared && !instruction.generic && instruction.space == Space::global;
  return is_copy ? "writes" : does(instruction.kind);
}

constexpr const char* for_flags = "Volatile orders nothing: the flag may be seen before what was written ahead of it.";

std::string message_of(const machine::Launch& launch, const Race& race) {
  const Program& program = *launch.program;
  const char* kind = name_of(race.kind.hazard);
  const std::string element = element_of(launch, race);
  if (race.example.one_instruction)
    return fmt::format("Race ({}): {} and {} both write {} here, in one instruction. {}", kind,
                       who_text(launch, race.block, race.example.other_thread),
                       thread_text(launch, race.example.thread), element, consequence(race.kind));
  if (race.kind.in_flight)
    return fmt::format(
        "Race ({}): {} {} {} here{}, and the asynchronous copy that {} issued at {}{} may still be writing "
        "it: nobody has waited for it.",
        kind, who_text(launch, race.block, race.example.thread), deed(program, race, race.pc), element,
        caller_text(program, race.pc, race.other_pc), thread_text(launch, race.example.other_thread),
        line_text(program, race.other_pc, race.pc), caller_text(program, race.other_pc, race.pc));
  const std::string other = race.kind.apart == Apart::blocks
                                ? who_text(launch, race.example.other_block, race.example.other_thread)
                                : thread_text(launch, race.example.other_thread);
  return fmt::format("Race ({}): {} {} {} here{}; {} {} it at {}{} and {} {}", kind,
                     who_text(launch, race.block, race.example.thread), deed(program, race, race.pc), element,
                     caller_text(program, race.pc, race.other_pc), other, deed(program, race, race.other_pc),
                     line_text(program, race.other_pc, race.pc), caller_text(program, race.other_pc, race.pc),
                     missing(race.kind.apart), race.is_flag ? for_flags : consequence(race.kind));
}

bool updates(const Program& program, std::uint32_t pc) { return does(program.code[pc].kind) == "updates"; }

constexpr const char* for_updates =
    "Is it counted, added up or compared in place? Use an atomic such as atomicAdd or atomicMax. ";

/// "[%r1+4]"
std::string_view address_in(std::string_view text) {
  const std::size_t begin = std::min(text.find('['), text.size());
  return text.substr(begin, text.find(']', begin) - begin);
}

/// Whether one of two instructions loads and the other one stores the same element of a thread, as in "++bins[i]".
bool update_in_place(const Program& program, std::uint32_t one, std::uint32_t other) {
  using machine::AccessKind;
  const AccessKind kind = program.code[one].kind, other_kind = program.code[other].kind;
  return ((kind == AccessKind::load && other_kind == AccessKind::store) ||
          (kind == AccessKind::store && other_kind == AccessKind::load)) &&
         address_in(program.text(one)) == address_in(program.text(other));
}

/// Whether an instruction is one half of an update in place on its line, of which unrolling makes many.
bool updates_in_place(const Program& program, std::uint32_t pc) {
  for (std::uint32_t other = 0; other < program.code.size(); ++other)
    if (program.code[other].elements != 0 && on_one_line(program, pc, other) && update_in_place(program, pc, other))
      return true;
  return false;
}

std::string hint_across_blocks(const machine::Launch& launch, const Race& race) {
  const Program& program = *launch.program;
  const bool write = program.code[race.pc].kind == machine::AccessKind::store;
  const bool other_write = program.code[race.other_pc].kind == machine::AccessKind::store;
  if ((write && updates(program, race.other_pc)) || (updates(program, race.pc) && other_write))
    return "Set the value before the launch (cudaMemset, or a kernel of its own), not in the kernel that updates it.";
  if (race.kind.hazard == Hazard::write_after_write && race.kind.same_value)
    return "Let one thread write it, or use an atomic.";
  if (updates(program, race.pc) && updates(program, race.other_pc))
    return "Atomics of one block's scope hold within that block only. Between blocks use atomicAdd() and its like "
           "without "
           "_block, or cuda::thread_scope_device.";
  if (race.kind.hazard == Hazard::write_after_write)
    return "Give every block elements of its own, or use an atomic such as atomicAdd.";
  const bool one_line = on_one_line(program, race.pc, race.other_pc);
  const bool is_read_first = race.kind.hazard == Hazard::write_after_read && race.order_is_known;
  const bool in_place = one_line || (is_read_first && update_in_place(program, race.pc, race.other_pc));
  const std::string otherwise = in_place ? std::string(for_updates) + "Otherwise " : "";
  if (launch.cooperative)
    return otherwise + (in_place ? "put" : "Put") +
           " cooperative_groups::this_grid().sync() between the accesses: it waits for all blocks, and orders what "
           "they "
           "do.";
  if (in_place) return otherwise + "split the kernel in two launches, or read from one array and write to another.";
  return "Split the kernel in two launches between the accesses, or read from one array and write to another. Where "
         "blocks hand over by a flag: write, __threadfence(), then set the flag with an atomic.";
}

/// Two calls of one function, one after the other.
bool in_two_calls(const Program& program, const Race& race) {
  const Frame* frame = program.learner_frame(race.pc);
  const Frame* other = program.learner_frame(race.other_pc);
  return frame->function == other->function && frame->file == other->file &&
         !caller_text(program, race.pc, race.other_pc).empty();
}

constexpr const char* for_one_or_each = "Let one thread write it, or give every thread an element of its own.";

std::string hint_of(const machine::Launch& launch, const Race& race) {
  const Program& program = *launch.program;
  if (race.example.one_instruction || (race.kind.same_value && race.kind.apart != Apart::blocks))
    return for_one_or_each;
  if (race.kind.in_flight)
    return "Wait for the copy first, in the thread that issued it: __pipeline_wait_prior(0), consumer_wait(), or the "
           "wait() "
           "of its barrier. Where other threads use it, put __syncthreads() behind that.";
  if (race.kind.apart == Apart::blocks) return hint_across_blocks(launch, race);
  if (race.is_flag)
    return "Let both sides meet at __syncthreads() instead, or put __threadfence_block() before the flag is set and "
           "behind the loop that waits for it.";
  const std::string barrier = race.kind.apart == Apart::warps ? "__syncthreads()" : "__syncwarp()";
  const bool lanes_in_a_large_block =
      race.kind.apart == Apart::lanes && launch.threads_per_block() > machine::warp_size;
  const Frame* here = program.learner_frame(race.pc);
  const Frame* there = program.learner_frame(race.other_pc);
  if (here == nullptr || there == nullptr || here->file != there->file)
    return fmt::format("Put {} between the two accesses.", barrier);
  if (in_two_calls(program, race))
    return fmt::format("Put {} between the two calls, or at the end of the function that both call.", barrier);
  const bool in_place = updates_in_place(program, race.pc) && updates_in_place(program, race.other_pc);
  const std::string otherwise = in_place ? std::string(for_updates) + "Otherwise " : "";
  if (here->line == there->line && race.kind.hazard == Hazard::write_after_read && race.order_is_known)
    return fmt::format("{}plit line {}: read into a variable, {}, then write.", in_place ? otherwise + "s" : "S",
                       here->line, barrier);
  if (here->line == there->line && race.kind.hazard == Hazard::write_after_write && race.in_one_pass)
    return for_one_or_each;
  if (here->line == there->line)
    return fmt::format("{}ut {} between one pass through line {} and the next.", in_place ? otherwise + "p" : "P",
                       barrier, here->line);
  const char* or_wider = lanes_in_a_large_block ? ", or __syncthreads() if other warps use these values too" : "";
  if (there->line < here->line)
    return fmt::format("Put {} between line {} and line {}{}.", barrier, there->line, here->line, or_wider);
  return fmt::format("Put {} after line {}, before line {} runs again{}.", barrier, there->line, here->line, or_wider);
}

/// Where threads beside each other in y or z come to one element.
const char* hint_at_axes(const machine::Launch& launch, const Race& race) {
  if (race.kind.apart == Apart::blocks || !on_one_line(*launch.program, race.pc, race.other_pc)) return "";
  const machine::Dim3 one = machine::index_in(launch.block, race.example.thread);
  const machine::Dim3 other = machine::index_in(launch.block, race.example.other_thread);
  if (one.x != other.x || race.example.thread == race.example.other_thread) return "";
  return one.y != other.y ? " Or does the index leave out threadIdx.y?" : " Or does the index leave out threadIdx.z?";
}

/// Where an mbarrier may have been meant to order the two.
const char* hint_at_mbarriers(const Program& program, const Race& race) {
  if (race.kind.apart == Apart::blocks) return "";
  for (std::uint32_t pc = 0; pc < program.code.size(); ++pc)
    if (program.text(pc).find("_wait.parity") != std::string::npos)
      return " If an mbarrier is to order them: the parity to wait for flips from one round to the next.";
  return "";
}

}  // namespace

std::uint32_t what(const RaceKind& kind) {
  return static_cast<std::uint32_t>(kind.hazard) | static_cast<std::uint32_t>(kind.apart) << 2 |
         (kind.space == Space::shared ? 1u << 4 : 0) | (kind.same_value ? 1u << 5 : 0) | (kind.in_flight ? 1u << 6 : 0);
}

RaceKind race_kind(std::uint32_t what) {
  return {static_cast<Hazard>(what & 3), static_cast<Apart>(what >> 2 & 3),
          (what & 1u << 4) != 0 ? Space::shared : Space::global, (what & 1u << 5) != 0, (what & 1u << 6) != 0};
}

void report_races(Report& report, const machine::Launch& launch, const Sightings<RaceExample>& races) {
  const Program& program = *launch.program;
  for (const Race& race : by_lines(program, races)) {
    Diagnosis diagnosis = diagnosis_at(program, "race", race.pc);
    diagnosis.message = message_of(launch, race);
    diagnosis.hint = hint_of(launch, race) + hint_at_axes(launch, race) + hint_at_mbarriers(program, race);
    diagnosis.is_warning = race.kind.same_value;
    if (race.kind.space == Space::global) diagnosis.allocation = allocation_at(launch, race.example.offset);
    diagnosis.who = thread_of(launch, race.block, race.example.thread);
    diagnosis.other =
        other_at(program, race.other_pc, thread_of(launch, race.example.other_block, race.example.other_thread));
    diagnosis.count = race.count;
    report.diagnose(std::move(diagnosis));
  }
}

}  // namespace warpwright::observe
