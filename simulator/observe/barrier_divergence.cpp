#include "observe/barrier_divergence.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "observe/per_block.h"
#include "observe/report.h"
#include "observe/sightings.h"
#include "observe/wording.h"

namespace warpwright::observe {
namespace {

using machine::Lanes;
using machine::warp_size;

/// Threads that came to one phase of a barrier from one instruction.
struct Party {
  std::uint32_t pc = 0;
  std::vector<Lanes> by_warp;
  std::uint32_t first_thread() const {
    std::uint32_t warp = 0;
    while (by_warp[warp] == 0) ++warp;
    return warp * warp_size + static_cast<std::uint32_t>(machine::first_lane(by_warp[warp]));
  }
};

/// The phase that a barrier is in.
struct Phase {
  bool whole_block = true;
  std::vector<BarrierArrival> so_far;
};

struct Example {
  std::vector<Lanes> threads;        // at key.pc
  std::vector<Lanes> other_threads;  // at key.other_pc
  std::uint32_t thread = 0;
  std::uint32_t other_thread = 0;
};

struct Block {
  std::array<Phase, 16> phases;
  std::uint64_t order = 0;
};

class BarrierDivergence final : public Observer {
 public:
  std::uint32_t wants() const override { return on_barrier | on_block; }
  std::unique_ptr<Observer> fork() const override { return make_barrier_divergence(); }
  void launch_begin(const machine::Launch& launch) override { launch_ = &launch; }

  void block_begin(std::uint64_t number) override {
    Block& block = blocks_.begin(number, [] { return std::make_unique<Block>(); });
    for (Phase& phase : block.phases) start_over(phase);
    block.order = 0;
  }
  void block_end(std::uint64_t number) override { blocks_.end(number); }

  void barrier_arrival(const BarrierArrival& arrival) override {
    Phase& phase = blocks_.at(arrival.where.block).phases[arrival.barrier];
    phase.whole_block &= arrival.waits && arrival.expected_threads == launch_->threads_per_block();
    phase.so_far.push_back(arrival);
  }

  void barrier_release(const BarrierRelease& release) override {
    Block& block = blocks_.at(release.where.block);
    Phase& phase = block.phases[release.barrier];
    ++block.order;
    const bool one_place = std::ranges::all_of(
        phase.so_far, [&](const BarrierArrival& arrival) { return arrival.where.pc == phase.so_far.front().where.pc; });
    if (phase.whole_block && !one_place) see(phase, release.where.block, block.order);
    start_over(phase);
  }

  void join(Observer& other) override { seen_.join(static_cast<BarrierDivergence&>(other).seen_); }

  void report(Report& report) const override {
    const machine::Program& program = *launch_->program;
    for (const auto& sighting : seen_.by_line(program)) {
      const auto [pc, other_pc, what] = sighting.key;
      const Example& example = sighting.example;
      Diagnosis diagnosis = diagnosis_at(program, "barrier divergence", pc);
      const std::string block = block_text(*launch_, sighting.block);
      const std::string threads = threads_text(*launch_, example.threads);
      const std::string others = threads_text(*launch_, example.other_threads);
      const std::string caller = caller_text(program, pc, other_pc);
      if (on_one_line(program, pc, other_pc) && caller.empty()) {
        // A compiler repeats a barrier where it unrolls a loop, and nowhere else.
        diagnosis.message = fmt::format(
            "In {}, {} and {} waited at the barrier at {} in different rounds of its loop. A barrier holds only when "
            "all threads of the block come to the same one.",
            block, threads, others, line_text(program, pc));
        diagnosis.hint = "Let all threads go round the loop equally often, and put the condition on the work inside.";
      } else {
        diagnosis.message = fmt::format(
            "In {}, {} waited at the barrier at {}{}, while {} waited at the barrier at {}{}. A barrier holds only "
            "when all threads of the block come to the same one.",
            block, threads, line_text(program, pc), caller, others, line_text(program, other_pc),
            caller_text(program, other_pc, pc));
        diagnosis.hint = "Move __syncthreads() out of the condition or loop that only some threads enter.";
      }
      diagnosis.who = thread_of(*launch_, sighting.block, example.thread);
      diagnosis.other = other_at(program, other_pc, thread_of(*launch_, sighting.block, example.other_thread));
      diagnosis.count = sighting.count;
      report.diagnose(std::move(diagnosis));
    }
  }

 private:
  static void start_over(Phase& phase) {
    phase.whole_block = true;
    phase.so_far.clear();
  }

  /// The party of the lowest thread meets each of the others.
  void see(const Phase& phase, std::uint64_t block, std::uint64_t order) {
    std::vector<Party> parties;
    for (const BarrierArrival& arrival : phase.so_far) {
      auto party = std::ranges::find(parties, arrival.where.pc, &Party::pc);
      if (party == parties.end())
        party = parties.insert(party, {arrival.where.pc, std::vector<Lanes>(launch_->warps_per_block(), 0)});
      party->by_warp[arrival.where.warp] |= arrival.lanes;
    }
    std::ranges::sort(parties, {}, &Party::first_thread);
    const Party& one = parties.front();
    for (std::size_t i = 1; i < parties.size(); ++i) {
      const Party& other = parties[i];
      seen_.see({one.pc, other.pc, 0}, block, order, [&] {
        return Example{one.by_warp, other.by_warp, one.first_thread(), other.first_thread()};
      });
    }
  }

  const machine::Launch* launch_ = nullptr;
  PerBlock<Block> blocks_;
  Sightings<Example> seen_;
};

}  // namespace

std::unique_ptr<Observer> make_barrier_divergence() { return std::make_unique<BarrierDivergence>(); }

}  // namespace warpwright::observe
