#include "observe/barriers.h"

#include <array>
#include <string_view>
#include <vector>

#include "observe/metrics.h"
#include "observe/per_block.h"
#include "observe/report.h"

namespace warpwright::observe {
namespace {

class Barriers final : public Observer {
 public:
  std::uint32_t wants() const override { return on_barrier | on_warp_sync | on_shuffle | on_block; }
  std::unique_ptr<Observer> fork() const override { return make_barriers(); }

  void launch_begin(const machine::Launch& launch) override { counts_.assign(launch.program->code.size(), {}); }

  void block_begin(std::uint64_t block) override {
    latest_.begin(block, [] { return std::make_unique<LatestArrivals>(); });
  }
  void block_end(std::uint64_t block) override { latest_.end(block); }

  void barrier_arrival(const BarrierArrival& arrival) override {
    ++counts_[arrival.where.pc].arrivals;
    latest_.at(arrival.where.block)[arrival.barrier] = arrival.where.pc;
  }
  // The release itself may come from an exit: the last threads that a barrier waited for are gone.
  void barrier_release(const BarrierRelease& release) override {
    ++counts_[latest_.at(release.where.block)[release.barrier]].completed;
  }
  void warp_sync(const WarpSync& sync) override { ++counts_[sync.where.pc].warp_barriers; }
  void shuffle(const Shuffle& shuffle) override { ++counts_[shuffle.where.pc].shuffles; }

  void join(Observer& other) override {
    auto& theirs = static_cast<Barriers&>(other).counts_;
    for (std::size_t pc = 0; pc < counts_.size(); ++pc) {
      counts_[pc].completed += theirs[pc].completed;
      counts_[pc].arrivals += theirs[pc].arrivals;
      counts_[pc].warp_barriers += theirs[pc].warp_barriers;
      counts_[pc].shuffles += theirs[pc].shuffles;
    }
  }

  void report(Report& report) const override {
    for (const std::string_view name :
         {metric::block_barriers, metric::block_barrier_arrivals, metric::warp_barriers, metric::shuffles})
      report.add(name, 0);
    for (std::uint32_t pc = 0; pc < counts_.size(); ++pc) {
      add(report, pc, metric::block_barriers, counts_[pc].completed);
      add(report, pc, metric::block_barrier_arrivals, counts_[pc].arrivals);
      add(report, pc, metric::warp_barriers, counts_[pc].warp_barriers);
      add(report, pc, metric::shuffles, counts_[pc].shuffles);
    }
  }

 private:
  struct Count {
    std::uint64_t completed = 0;
    std::uint64_t arrivals = 0;
    std::uint64_t warp_barriers = 0;
    std::uint64_t shuffles = 0;
  };

  static void add(Report& report, std::uint32_t pc, std::string_view name, std::uint64_t value) {
    if (value != 0) report.add(pc, name, static_cast<double>(value));
  }

  using LatestArrivals = std::array<std::uint32_t, 16>;  // by barrier: pc

  std::vector<Count> counts_;  // by pc
  PerBlock<LatestArrivals> latest_;
};

}  // namespace

std::unique_ptr<Observer> make_barriers() { return std::make_unique<Barriers>(); }

}  // namespace warpwright::observe
