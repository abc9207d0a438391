#include "observe/definedness_wording.h"

#include <fmt/core.h>

#include <string>
#include <utility>

#include "observe/arguments.h"
#include "observe/wording.h"

namespace warpwright::observe {
namespace {

std::string use_text(Use use) {
  switch (use) {
    case Use::stored:
      return "computes with it and stores the result";
    case Use::decided:
      return "lets it decide what happens";
    case Use::address:
      return "uses it as an address or index";
    case Use::updated:
    case Use::operand:
      return "updates memory with it";
  }
  return "";
}

}  // namespace

void report_uninitialised(Report& report, const machine::Launch& launch, const Sightings<UndefinedExample>& seen) {
  const machine::Program& program = *launch.program;
  for (const auto& sighting : seen.by_line(program)) {
    const auto use = static_cast<Use>(sighting.key.what / 2);
    const Origin& origin = sighting.example.origin;
    const bool is_local = origin.space == machine::Space::local;
    const std::string who = who_text(launch, sighting.block, sighting.example.thread);
    Diagnosis diagnosis = diagnosis_at(program, "uninitialised", sighting.key.pc);
    diagnosis.who = thread_of(launch, sighting.block, sighting.example.thread);
    diagnosis.count = sighting.count;
    if (origin.load != Origin::nowhere && !is_local) diagnosis.allocation = allocation_at(launch, origin.address);
    if (origin.load == Origin::nowhere) {
      diagnosis.message =
          fmt::format("{} uses a variable here that nothing has given a value, and {}.", who, use_text(use));
      diagnosis.hint = "Give the variable its first value where it is declared: 0 for a sum.";
    } else {
      const std::string what =
          is_local ? std::string("part of a local array or structure, which this thread has not written")
                   : fmt::format("{}, which nobody has written since it was allocated",
                                 global_element_text(launch, sighting.key.pc, origin.address));
      diagnosis.message = fmt::format("{} {} {}.", who, use == Use::updated ? "updates" : "reads", what);
      if (use != Use::updated)
        diagnosis.message += fmt::format(" {} it {}.",
                                         on_one_line(program, sighting.key.pc, sighting.key.other_pc)
                                             ? "Here"
                                             : "At " + line_text(program, sighting.key.other_pc, sighting.key.pc),
                                         use_text(use));
      diagnosis.hint =
          is_local ? "Set every element and member before it is read."
          : use == Use::updated
              ? "Set it before the launch: cudaMemset(pointer, 0, bytes). Reset it before every further launch too."
              : "Fill the array before the launch with cudaMemcpy or cudaMemset; sizes are in bytes.";
      if (const machine::AddressInfo info = launch.memory->describe(origin.address); !is_local && info.allocation)
        diagnosis.hint = pitch_text(*info.allocation, std::move(diagnosis.hint));
      if (!on_one_line(program, sighting.key.pc, sighting.key.other_pc))
        diagnosis.other = other_at(program, sighting.key.other_pc, *diagnosis.who);
    }
    report.diagnose(std::move(diagnosis));
  }
}

}  // namespace warpwright::observe
