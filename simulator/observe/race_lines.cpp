#include "observe/race_lines.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

#include "observe/decisions.h"
#include "observe/paths.h"
#include "observe/wording.h"

namespace warpwright::observe {
namespace {

using machine::Program;

void turn_round(Race& race) {
  std::swap(race.pc, race.other_pc);
  std::swap(race.example.thread, race.example.other_thread);
  std::swap(race.block, race.example.other_block);
  if (race.kind.hazard == Hazard::read_after_write)
    race.kind.hazard = Hazard::write_after_read;
  else if (race.kind.hazard == Hazard::write_after_read)
    race.kind.hazard = Hazard::read_after_write;
}

bool is_volatile(const Program& program, std::uint32_t pc) {
  return program.text(pc).find(".volatile.") != std::string::npos;
}

/// A volatile load that decides something, and a volatile store.
bool is_flag(const Program& program, const SightingKey& key) {
  if (!is_volatile(program, key.pc) || !is_volatile(program, key.other_pc)) return false;
  if (program.code[key.pc].kind == program.code[key.other_pc].kind) return false;
  const bool reads = program.code[key.pc].kind == machine::AccessKind::load;
  return Decisions(program).depend_on(reads ? key.pc : key.other_pc);
}

Race told(const Program& program, const Sightings<RaceExample>::Sighting& sighting) {
  Race race{.pc = sighting.key.pc,
            .other_pc = sighting.key.other_pc,
            .kind = race_kind(sighting.key.what),
            .block = sighting.block,
            .order = sighting.order,
            .count = sighting.count,
            .example = sighting.example};
  if (race.example.one_instruction) return race;
  if (race.kind.in_flight) return race;  // the copy was issued first, or nothing would be in flight
  const bool past_warp_barriers = race.kind.apart != Apart::lanes;
  const bool forward = leads_to(program, race.other_pc, race.pc, past_warp_barriers);
  const bool back = leads_to(program, race.pc, race.other_pc, past_warp_barriers);
  race.order_is_known = forward != back;
  race.in_one_pass = !forward && !back;
  race.is_flag = is_flag(program, sighting.key);
  const bool is_read_first = race.is_flag && race.kind.hazard == Hazard::write_after_read;  // before it is set
  if (race.is_flag ? is_read_first : back && !forward) turn_round(race);
  return race;
}

bool are_told_as_one(const Program& program, const Race& one, const Race& other) {
  if (one.kind.space != other.kind.space) return false;
  if (on_one_line(program, one.pc, other.pc) && on_one_line(program, one.other_pc, other.other_pc)) return true;
  // Threads of a block may lack a barrier on either way; for blocks, and for a copy that nobody waits for, one mend
  // does for both.
  const bool one_mend =
      one.kind.apart == Apart::blocks ? other.kind.apart == Apart::blocks : one.kind.in_flight != other.kind.in_flight;
  return one_mend && on_one_line(program, one.pc, other.other_pc) && on_one_line(program, one.other_pc, other.pc);
}

/// Whether a race is about what a flag was to hand over: it is written before the flag, and read behind it.
bool hangs_on(const Program& program, const Race& race, const Race& flag) {
  return flag.is_flag && leads_to(program, race.other_pc, flag.other_pc, true) &&
         leads_to(program, flag.pc, race.pc, true);
}

/// A barrier between warps orders lanes too, and what orders blocks orders warps: of two races on the same lines the
/// wider one is shown, and real ones before those of one value.
bool is_shown_before(const Race& one, const Race& other) {
  const auto rank = [](const Race& race) {
    return std::tuple(!race.kind.in_flight, !race.is_flag, race.kind.same_value, -static_cast<int>(race.kind.apart),
                      race.block, race.order, race.pc, race.other_pc);
  };
  return rank(one) < rank(other);
}

}  // namespace

std::vector<Race> by_lines(const Program& program, const Sightings<RaceExample>& races) {
  std::vector<Race> all;
  for (const auto& sighting : races.all()) all.push_back(told(program, sighting));
  std::ranges::sort(all, is_shown_before);
  std::vector<Race> lines;
  for (const Race& race : all) {
    const auto twin = std::ranges::find_if(lines, [&](const Race& shown) {
      return are_told_as_one(program, shown, race) || hangs_on(program, race, shown);
    });
    if (twin == lines.end())
      lines.push_back(race);
    else
      twin->count += race.count;
  }
  return lines;
}

}  // namespace warpwright::observe
