#include "observe/shuffle_check.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>

#include "observe/per_block.h"
#include "observe/report.h"
#include "observe/sightings.h"
#include "observe/wording.h"

namespace warpwright::observe {
namespace {

using machine::each_lane;
using machine::has_lane;
using machine::lane_bit;
using machine::Lanes;
using machine::warp_size;

enum class Mistake : std::uint32_t { lane_not_named, named_lane_elsewhere, source_absent };

struct Example {
  std::uint32_t warp = 0;
  int lane = 0;
  Lanes lanes = 0;  // that execute it together
  Lanes live = 0;
  Lanes mask = 0;  // that `lane` gave
  std::uint32_t source = 0;
};

struct Order {
  std::uint64_t shuffles = 0;  // of the block so far
};

class ShuffleCheck final : public Observer {
 public:
  std::uint32_t wants() const override { return on_shuffle | on_block; }
  std::unique_ptr<Observer> fork() const override { return make_shuffle_check(); }
  void launch_begin(const machine::Launch& launch) override { launch_ = &launch; }
  void block_begin(std::uint64_t block) override {
    orders_.begin(block, [] { return std::make_unique<Order>(); }).shuffles = 0;
  }
  void block_end(std::uint64_t block) override { orders_.end(block); }

  void shuffle(const Shuffle& shuffle) override {
    const std::uint64_t order = ++orders_.at(shuffle.where.block).shuffles;
    for (const int lane : each_lane(shuffle.lanes)) {
      const Lanes mask = shuffle.masks[lane];
      const int source = static_cast<int>(shuffle.sources[lane]);
      if (!has_lane(mask, lane)) see(Mistake::lane_not_named, shuffle, order, lane);
      const Lanes elsewhere = mask & shuffle.live & ~shuffle.lanes;
      if (elsewhere != 0) see(Mistake::named_lane_elsewhere, shuffle, order, lane);
      const bool reads_another = has_lane(shuffle.in_range, lane) && !has_lane(shuffle.lanes, source);
      if (reads_another && !has_lane(elsewhere, source)) see(Mistake::source_absent, shuffle, order, lane);
    }
  }

  void join(Observer& other) override { seen_.join(static_cast<ShuffleCheck&>(other).seen_); }

  void report(Report& report) const override {
    const machine::Program& program = *launch_->program;
    for (const auto& sighting : seen_.by_line(program)) {
      const auto mistake = static_cast<Mistake>(sighting.key.what);
      const Example& example = sighting.example;
      const std::uint32_t thread = example.warp * warp_size + static_cast<std::uint32_t>(example.lane);
      Diagnosis diagnosis =
          diagnosis_at(program, mistake == Mistake::source_absent ? "shuffle source" : "shuffle mask", sighting.key.pc);
      diagnosis.message = fmt::format("{} (lane {} of warp {}) {}", who_text(*launch_, sighting.block, thread),
                                      example.lane, example.warp, words(mistake, example));
      diagnosis.hint = hint(mistake, example);
      diagnosis.who = thread_of(*launch_, sighting.block, thread);
      diagnosis.count = sighting.count;
      report.diagnose(std::move(diagnosis));
    }
  }

 private:
  void see(Mistake mistake, const Shuffle& shuffle, std::uint64_t order, int lane) {
    seen_.see({shuffle.where.pc, shuffle.where.pc, static_cast<std::uint32_t>(mistake)}, shuffle.where.block, order,
              [&] {
                return Example{shuffle.where.warp,   lane, shuffle.lanes, shuffle.live, shuffle.masks[lane],
                               shuffle.sources[lane]};
              });
  }

  bool was_launched(const Example& example, std::uint32_t lane) const {
    return example.warp * warp_size + lane < launch_->threads_per_block();
  }

  std::string words(Mistake mistake, const Example& example) const {
    switch (mistake) {
      case Mistake::lane_not_named:
        return fmt::format(
            "gives the member mask 0x{:08x}, which does not name lane {} itself. The result is undefined.",
            example.mask, example.lane);
      case Mistake::named_lane_elsewhere: {
        const Lanes elsewhere = example.mask & example.live & ~example.lanes;
        return fmt::format(
            "gives the member mask 0x{:08x}, but only {} of the warp execute this shuffle together: {} {} alive and "
            "elsewhere. The result is undefined.",
            example.mask, lanes_text(example.lanes), lanes_text(elsewhere),
            machine::count_lanes(elsewhere) == 1 ? "is" : "are");
      }
      case Mistake::source_absent:
        return fmt::format("reads the value of lane {}, which {}. The result is undefined.", example.source,
                           absence(example));
    }
    return "";
  }

  std::string absence(const Example& example) const {
    if (!was_launched(example, example.source))
      return fmt::format("does not exist: the block has {} threads", launch_->threads_per_block());
    if (has_lane(example.live, static_cast<int>(example.source))) return "does not execute this shuffle with it";
    return "has exited";
  }

  std::string hint(Mistake mistake, const Example& example) const {
    switch (mistake) {
      case Mistake::lane_not_named:
        return "The arguments are (mask, value, lane or distance, width). Is the mask missing? With all lanes it is "
               "0xffffffff.";
      case Mistake::named_lane_elsewhere:
        return "Move the shuffle to where all named lanes execute it, or name only the lanes that come here.";
      case Mistake::source_absent:
        if (!was_launched(example, example.source))
          return "Launch a multiple of 32 threads and give the extra ones a value that changes nothing, 0 for a sum.";
        return "Keep all lanes until the shuffle is done, and give those without input a value that changes nothing, 0 "
               "for a sum.";
    }
    return "";
  }

  const machine::Launch* launch_ = nullptr;
  PerBlock<Order> orders_;
  Sightings<Example> seen_;
};

}  // namespace

std::unique_ptr<Observer> make_shuffle_check() { return std::make_unique<ShuffleCheck>(); }

}  // namespace warpwright::observe
