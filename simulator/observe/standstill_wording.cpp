#include "observe/standstill_wording.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "observe/arguments.h"
#include "observe/wording.h"

namespace warpwright::observe {
namespace {

using machine::AccessKind;
using machine::Flow;
using machine::Instruction;
using machine::Lanes;
using machine::Space;
using machine::warp_size;

/// Threads of a block that do the same thing at one instruction.
struct Party {
  const SavedFault* first = nullptr;  // with the lowest thread
  std::uint32_t first_thread = 0;
  std::vector<Lanes> by_warp;
  bool one_place = true;  // that they all read

  bool polls() const { return !first->found.empty(); }
};

std::uint64_t address_in(const SavedFault& fault) { return fault.addresses[machine::first_lane(fault.lanes)]; }

class Wording {
 public:
  Wording(const machine::Launch& launch, const std::vector<SavedFault>& faults)
      : launch_(launch), program_(*launch.program), block_(faults.front().where.block) {
    for (const SavedFault& fault : faults) add(fault);
    // Those that poll volatile words or by atomics are told first, then other readers, then those that wait for them.
    const auto place = [&](const Party& party) {
      return std::pair(party.polls() ? (instruction_of(party).ordered ? 0 : 1) : 2, party.first_thread);
    };
    std::ranges::sort(parties_, {}, place);
  }

  Diagnosis diagnosis() const {
    const Party& one = parties_.front();
    Diagnosis diagnosis = diagnosis_at(program_, "livelock", one.first->where.pc);
    diagnosis.message = fmt::format("In {}, nobody could go on: ", block_text(launch_, block_));
    for (std::size_t i = 0; i < parties_.size(); ++i)
      diagnosis.message += fmt::format("{}{} {}", i == 0 ? "" : "; ", threads_text(launch_, parties_[i].by_warp),
                                       what_it_does(parties_[i]));
    diagnosis.message += "." + why_nobody_ends_it();
    diagnosis.hint = hint();
    diagnosis.who = thread_of(launch_, block_, one.first_thread);
    if (one.polls() && one.first->space == Space::global && !is_grid_sync(one))
      diagnosis.allocation = allocation_at(launch_, address_in(*one.first));
    if (parties_.size() > 1)
      diagnosis.other =
          other_at(program_, parties_[1].first->where.pc, thread_of(launch_, block_, parties_[1].first_thread));
    return diagnosis;
  }

 private:
  void add(const SavedFault& fault) {
    const std::uint32_t thread =
        fault.where.warp * warp_size + static_cast<std::uint32_t>(machine::first_lane(fault.lanes));
    auto party = std::ranges::find_if(parties_, [&](const Party& other) {
      return other.first->where.pc == fault.where.pc && other.polls() == !fault.found.empty() &&
             other.first->standstill.moves == fault.standstill.moves;
    });
    if (party == parties_.end())
      party = parties_.insert(party, {&fault, thread, std::vector<Lanes>(launch_.warps_per_block(), 0)});
    party->by_warp[fault.where.warp] |= fault.lanes;
    for (const int lane : machine::each_lane(fault.lanes))
      party->one_place &= fault.addresses[lane] == address_in(*party->first);
    if (thread < party->first_thread) {
      party->first = &fault;
      party->first_thread = thread;
    }
  }

  const Instruction& instruction_of(const Party& party) const { return program_.code[party.first->where.pc]; }
  std::string line_of(const Party& party) const { return line_text(program_, party.first->where.pc); }

  bool is_grid_sync(const Party& party) const {
    return party.polls() && launch_.cooperative && party.first->space == Space::global &&
           address_in(*party.first) - launch_.grid_workspace < 2 * sizeof(std::uint32_t);
  }
  bool is_mbarrier(const Party& party) const {
    return party.polls() && program_.text(party.first->where.pc).find("mbarrier.") != std::string::npos;
  }

  /// "tile[3]", "element 3 of argument 1, an allocation of 16 bytes"
  std::string element(const Party& party) const {
    const SavedFault& fault = *party.first;
    if (fault.space == Space::shared)
      return shared_element_text(launch_, fault.where.pc, static_cast<std::int64_t>(address_in(fault)));
    return global_element_text(launch_, fault.where.pc, address_in(fault));
  }

  /// What was read, as the unsigned or signed number that the instruction takes it for.
  std::string value(const Party& party) const {
    const Instruction& instruction = instruction_of(party);
    const std::uint32_t bytes = std::min<std::uint32_t>(instruction.element_bytes, sizeof(std::uint64_t));
    std::string text;
    for (std::uint32_t at = 0; at + bytes <= party.first->found.size(); at += bytes) {
      std::uint64_t number = 0;
      std::memcpy(&number, party.first->found.data() + at, bytes);
      const unsigned unused = 64 - 8 * bytes;
      text +=
          fmt::format("{}{}", text.empty() ? "" : ", ",
                      instruction.sign_extended ? std::to_string(static_cast<std::int64_t>(number << unused) >> unused)
                                                : std::to_string(number));
    }
    return text;
  }

  std::string what_it_does(const Party& party) const {
    const std::string line = line_of(party);
    if (is_grid_sync(party)) return fmt::format("waited for other blocks in grid.sync() at {}", line);
    if (is_mbarrier(party))
      return fmt::format("waited at {} for the mbarrier {}, whose phase did not come to its end", line, element(party));
    if (party.polls()) {
      const char* reader = party.first->access == AccessKind::load ? "" : "the atomic at ";
      if (party.one_place)
        return fmt::format("found {} whenever {}{} read {}", value(party), reader, line, element(party));
      return fmt::format("found nothing new whenever {}{} read an element of their own, the first of them {} in {}",
                         reader, line, value(party), element(party));
    }
    if (party.first->standstill.moves) return fmt::format("went round a loop at {} that reads no memory", line);
    return fmt::format("waited {} at {}", wait_text(program_, party.first->where.pc), line);
  }

  bool anybody_polls() const { return parties_.front().polls(); }
  const Standstill& standstill() const { return parties_.front().first->standstill; }

  std::string why_nobody_ends_it() const {
    if (!anybody_polls()) return "";
    const Standstill& all = standstill();
    if (all.within_the_block) return " Only threads of this block could change that, and all that have not ended wait.";
    std::string text = all.other_blocks == 0 ? " No other thread that has started is left to change that."
                       : all.other_blocks == 1
                           ? " The other block that has not ended waits as well."
                           : fmt::format(" The {} other blocks that have not ended wait as well.", all.other_blocks);
    if (all.blocks_not_started != 0)
      text += fmt::format(" {} of the launch's {} blocks never started: the GPU holds {} at a time.",
                          all.blocks_not_started, launch_.grid.count(), launch_.resident_blocks);
    return text;
  }

  /// Whether anything in the kernel but these loops may write to the space that the first party polls.
  bool is_written_elsewhere() const {
    const Space space = parties_.front().first->space;
    for (std::uint32_t pc = 0; pc < program_.code.size(); ++pc) {
      const Instruction& instruction = program_.code[pc];
      const bool polled =
          std::ranges::any_of(parties_, [&](const Party& party) { return party.first->where.pc == pc; });
      const bool writes = instruction.elements != 0 && instruction.kind != AccessKind::load &&
                          (instruction.generic || instruction.space == space);
      if ((writes && !polled) || program_.text(pc).find("cp.") != std::string::npos) return true;
    }
    return false;
  }

  std::string hint() const {
    const Party& one = parties_.front();
    if (!one.polls())
      return "If the loop waits for another thread, the compiler read its condition once, before the loop: read it "
             "with an atomic or through a volatile pointer.";
    if (is_grid_sync(one))
      return "Every thread of every block must come to grid.sync() equally often, also one that has nothing to do.";
    if (is_mbarrier(one))
      return fmt::format(
          "A phase ends when as many threads have arrived as the barrier was initialised for, and all bytes have come "
          "that it was told to expect: compare both numbers with what comes.{}",
          program_.text(one.first->where.pc).find(".parity") == std::string::npos
              ? ""
              : " Where it serves several rounds, the parity to wait for flips from one to the next (parity ^= 1), and "
                "the first phase's is 0.");
    if (standstill().blocks_not_started != 0)
      return "A block must not wait for one that starts only when another has ended: launch no more blocks than the "
             "GPU holds, or give out the work by a counter, so that blocks wait for earlier ones only.";
    if (!is_written_elsewhere())
      return fmt::format(
          "Nothing else in this kernel writes {} memory, so what the loop waits for must be there before "
          "it.",
          name_of(one.first->space));
    if (std::ranges::any_of(parties_, [&](const Party& party) {
          return !party.polls() && instruction_of(party).flow == Flow::block_barrier;
        }))
      return "Those that wait at the barrier cannot write meanwhile: write before it, and hold no lock across it.";
    if (one.first->access != AccessKind::load)
      return "If it is a lock: whoever takes it must release it on every way out, and must not take it twice.";
    return "Does some thread write what the loop waits for, on every way through the kernel? If it is a count, compare "
           "the number of those that add to it with the number that is waited for.";
  }

  const machine::Launch& launch_;
  const machine::Program& program_;
  std::uint64_t block_;
  std::vector<Party> parties_;
};

}  // namespace

const char* wait_text(const machine::Program& program, std::uint32_t pc) {
  switch (program.code[pc].flow) {
    case Flow::block_barrier:
      return "at the block barrier";
    case Flow::warp_barrier:
      return "at the warp barrier";
    default:
      return "for other lanes";
  }
}

Diagnosis livelock(const machine::Launch& launch, const std::vector<SavedFault>& faults) {
  return Wording(launch, faults).diagnosis();
}

}  // namespace warpwright::observe
