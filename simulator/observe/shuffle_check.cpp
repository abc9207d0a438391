#include "observe/shuffle_check.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
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

enum class Mistake : std::uint32_t { lane_not_named, named_lane_elsewhere, source_absent, width };

/// PTX ISA, "shfl.sync": bits 8 to 12 of the last operand say which bits of a lane's number choose its segment. They
/// come from CUDA's `width` as 32 - width, and are the highest bits when that is a power of two.
Lanes segment_bits(std::uint32_t control) { return control >> 8 & 31; }
std::uint32_t width_of(std::uint32_t control) { return warp_size - segment_bits(control); }

struct Example {
  std::uint32_t warp = 0;
  int lane = 0;
  Lanes lanes = 0;  // that execute it together
  Lanes live = 0;
  Lanes mask = 0;  // that `lane` gave
  std::uint32_t source = 0;
  std::uint32_t control = 0;
  std::uint32_t elsewhere_at = 0;  // pc of the first named lane that is elsewhere
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
    if (is_plain(shuffle)) return;
    for (const int lane : each_lane(shuffle.lanes)) {
      const Lanes mask = shuffle.masks[lane];
      const int source = static_cast<int>(shuffle.sources[lane]);
      if (!has_lane(mask, lane)) see(Mistake::lane_not_named, shuffle, order, lane);
      const Lanes elsewhere = mask & shuffle.live & ~shuffle.lanes;
      if (elsewhere != 0) see(Mistake::named_lane_elsewhere, shuffle, order, lane);
      const bool reads_another = has_lane(shuffle.in_range, lane) && !has_lane(shuffle.lanes, source);
      if (reads_another && !has_lane(elsewhere, source)) see(Mistake::source_absent, shuffle, order, lane);
      if (shuffle.controls != nullptr && !std::has_single_bit(width_of(shuffle.controls[lane])))
        see(Mistake::width, shuffle, order, lane);
    }
  }

  void wrong_mask(const WrongMask& wrong) override {
    Shuffle like{.where = wrong.where, .lanes = wrong.lanes, .live = wrong.live, .masks = wrong.masks};
    like.at = wrong.at;
    const std::uint64_t order = ++orders_.at(wrong.where.block).shuffles;
    for (const int lane : each_lane(wrong.lanes)) {
      if (!has_lane(wrong.masks[lane], lane)) see(Mistake::lane_not_named, like, order, lane);
      if ((wrong.masks[lane] & wrong.live & ~wrong.lanes) != 0) see(Mistake::named_lane_elsewhere, like, order, lane);
    }
  }

  void join(Observer& other) override { seen_.join(static_cast<ShuffleCheck&>(other).seen_); }

  void report(Report& report) const override {
    const machine::Program& program = *launch_->program;
    for (const auto& sighting : seen_.by_line(program)) {
      const auto mistake = static_cast<Mistake>(sighting.key.what);
      const Example& example = sighting.example;
      const std::uint32_t thread = example.warp * warp_size + static_cast<std::uint32_t>(example.lane);
      Diagnosis diagnosis = diagnosis_at(program, kind_of(mistake, sighting.key.pc), sighting.key.pc);
      diagnosis.message = fmt::format("{} (lane {} of warp {}) {}", who_text(*launch_, sighting.block, thread),
                                      example.lane, example.warp, words(mistake, example, sighting.key.pc));
      diagnosis.hint = hint(mistake, sighting.key.pc, example);
      if (mistake == Mistake::named_lane_elsewhere) add_elsewhere(diagnosis, sighting.key.pc, sighting.block, example);
      diagnosis.who = thread_of(*launch_, sighting.block, thread);
      diagnosis.count = sighting.count;
      report.diagnose(std::move(diagnosis));
    }
  }

 private:
  /// Whether all lanes give one mask, which names them and nobody alive elsewhere, and one good width, and read one
  /// another: told without looking at single lanes, as nearly all shuffles are of this kind.
  static bool is_plain(const Shuffle& shuffle) {
    if (shuffle.lanes != machine::all_lanes || shuffle.controls == nullptr) return false;
    std::uint32_t differs = 0;
    for (int lane = 0; lane < warp_size; ++lane)
      differs |= (shuffle.masks[lane] ^ machine::all_lanes) | (shuffle.controls[lane] ^ shuffle.controls[0]);
    return differs == 0 && std::has_single_bit(width_of(shuffle.controls[0]));
  }

  const char* noun(std::uint32_t pc) const {
    const std::string& text = launch_->program->text(pc);
    const std::size_t start = text.starts_with('@') ? text.find(' ') + 1 : 0;
    const auto is = [&](const char* mnemonic) {
      return text.compare(start, std::string(mnemonic).size(), mnemonic) == 0;
    };
    return is("shfl")    ? "shuffle"
           : is("vote")  ? "vote"
           : is("match") ? "match"
           : is("bar")   ? "warp barrier"
                         : "reduction";
  }

  std::string kind_of(Mistake mistake, std::uint32_t pc) const {
    switch (mistake) {
      case Mistake::source_absent:
        return "shuffle source";
      case Mistake::width:
        return "shuffle width";
      default:
        return std::string(noun(pc)) + " mask";
    }
  }

  /// Where the lanes are that were named and did not come.
  void add_elsewhere(Diagnosis& diagnosis, std::uint32_t pc, std::uint64_t block, const Example& example) const {
    if (example.elsewhere_at == pc) return;
    const machine::Program& program = *launch_->program;
    const Lanes elsewhere = example.mask & example.live & ~example.lanes;
    const auto lane = static_cast<std::uint32_t>(machine::first_lane(elsewhere));
    diagnosis.message +=
        fmt::format(" This is the {} at {}{}; lane {} is at {}{}.", noun(pc), line_text(program, pc),
                    caller_text(program, pc, example.elsewhere_at), lane, line_text(program, example.elsewhere_at),
                    caller_text(program, example.elsewhere_at, pc));
    diagnosis.other =
        other_at(program, example.elsewhere_at, thread_of(*launch_, block, example.warp * warp_size + lane));
  }

  void see(Mistake mistake, const Shuffle& shuffle, std::uint64_t order, int lane) {
    seen_.see({shuffle.where.pc, shuffle.where.pc, static_cast<std::uint32_t>(mistake)}, shuffle.where.block, order,
              [&] {
                const Lanes elsewhere = shuffle.masks[lane] & shuffle.live & ~shuffle.lanes;
                return Example{.warp = shuffle.where.warp,
                               .lane = lane,
                               .lanes = shuffle.lanes,
                               .live = shuffle.live,
                               .mask = shuffle.masks[lane],
                               .source = shuffle.sources != nullptr ? shuffle.sources[lane] : 0,
                               .control = shuffle.controls != nullptr ? shuffle.controls[lane] : 0,
                               .elsewhere_at = shuffle.at != nullptr && elsewhere != 0
                                                   ? shuffle.at[machine::first_lane(elsewhere)]
                                                   : shuffle.where.pc};
              });
  }

  bool was_launched(const Example& example, std::uint32_t lane) const {
    return example.warp * warp_size + lane < launch_->threads_per_block();
  }

  std::string words(Mistake mistake, const Example& example, std::uint32_t pc) const {
    switch (mistake) {
      case Mistake::lane_not_named:
        return fmt::format(
            "gives the member mask 0x{:08x}, which does not name lane {} itself. The result is undefined.",
            example.mask, example.lane);
      case Mistake::named_lane_elsewhere: {
        const Lanes elsewhere = example.mask & example.live & ~example.lanes;
        return fmt::format(
            "gives the member mask 0x{:08x}, but only {} of the warp execute this {} together: {} {} alive and "
            "elsewhere. The result is undefined.",
            example.mask, lanes_text(example.lanes), noun(pc), lanes_text(elsewhere),
            machine::count_lanes(elsewhere) == 1 ? "is" : "are");
      }
      case Mistake::source_absent:
        return fmt::format("reads the value of lane {}, which {}. The result is undefined.", example.source,
                           absence(example));
      case Mistake::width:
        return fmt::format(
            "shuffles with the width {}, which is no power of two from 1 to 32: lanes that belong to different groups "
            "of {} are mixed. The result is undefined.",
            width_of(example.control), width_of(example.control));
    }
    return "";
  }

  std::string absence(const Example& example) const {
    if (!was_launched(example, example.source))
      return fmt::format("does not exist: the block has {} threads", launch_->threads_per_block());
    if (has_lane(example.live, static_cast<int>(example.source))) return "does not execute this shuffle with it";
    return "has exited";
  }

  std::string hint(Mistake mistake, std::uint32_t pc, const Example& example) const {
    switch (mistake) {
      case Mistake::lane_not_named:
        if (launch_->program->code[pc].flow == machine::Flow::warp_barrier)
          return "Name every lane that comes here, or none: __syncwarp() is for the whole warp.";
        return "The arguments are (mask, value, lane or distance, width). Is the mask missing? With all lanes it is "
               "0xffffffff.";
      case Mistake::named_lane_elsewhere:
        return "Move it to where all named lanes execute it, or name only the lanes that come here.";
      case Mistake::source_absent:
        if (!was_launched(example, example.source))
          return "Launch a multiple of 32 threads and give the extra ones a value that changes nothing, 0 for a sum. "
                 "If the "
                 "size is given, let each lane name one that is there, itself if need be.";
        if (!has_lane(example.mask, static_cast<int>(example.source)))
          return "Read from a lane that the mask names: the first one is __ffs(mask) - 1. Or let all lanes come here, "
                 "and name them.";
        return "Keep all lanes until the shuffle is done: no return before it, no if around it, and equally many "
               "rounds of a loop for all. Those without input bring a value that changes nothing, 0 for a sum.";
      case Mistake::width:
        return "Give each group the next power of two of lanes, and those without input a value that changes nothing, "
               "0 for a sum.";
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
