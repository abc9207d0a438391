#include "observe/shared_init.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "observe/happens_before.h"
#include "observe/per_block.h"
#include "observe/report.h"
#include "observe/sightings.h"
#include "observe/synchronisation.h"
#include "observe/wording.h"

namespace warpwright::observe {
namespace {

using machine::AccessKind;
using machine::warp_size;

/// What an instruction does to an element, as far as definedness goes.
enum class Role : std::uint8_t { reads, writes, updates };

Role role_of(const machine::Program& program, std::uint32_t pc) {
  switch (program.code[pc].access) {
    case AccessKind::load:
      return Role::reads;
    case AccessKind::store:
      return Role::writes;
    default:
      // An exchange gives an element its first value as well as a store does.
      return program.text(pc).find(".exch") != std::string::npos ? Role::writes : Role::updates;
  }
}

struct Example {
  std::uint32_t thread = 0;
  std::uint64_t offset = 0;  // in the shared window
};

/// A read of an element that was not written yet. If another thread writes it later, and nothing orders the two, the
/// read might as well have come second: that is a race, and not told here.
struct EarlyRead {
  Stamp stamp = 0;
  Example example;
  std::uint64_t order = 0;
  std::uint64_t count = 0;
};

/// What is remembered of a block's shared memory.
struct Written {
  Written(std::size_t cells, std::uint32_t threads, const Synchronisation& synchronisation)
      : by(cells, 0), clocks(threads, synchronisation.partial_block_barriers) {}

  void begin_block() {
    if (clocks.exhausted()) clocks.start_over();
    clocks.begin_block();
    order = 0;
    if (++life == 0) {  // wrapped around
      std::ranges::fill(by, 0);
      life = 1;
    }
  }

  std::uint32_t life = 0;         // counts the blocks that this state served
  std::vector<std::uint32_t> by;  // by cell: the life in which it was written last
  Clocks clocks;
  std::map<std::pair<std::size_t, std::uint32_t>, EarlyRead> early_reads;  // by cell and pc
  std::uint64_t order = 0;                                                 // of accesses in the block
};

class SharedInit final : public Observer {
 public:
  std::uint32_t wants() const override { return on_access | on_barrier | on_warp_sync | on_block; }
  std::unique_ptr<Observer> fork() const override { return make_shared_init(); }

  void launch_begin(const machine::Launch& launch) override {
    launch_ = &launch;
    const machine::Program& program = *launch.program;
    cell_shift_ = static_cast<unsigned>(std::countr_zero(program.shared_granule));
    synchronisation_ = synchronisation_of(program);
    cells_ = (launch.shared_window_bytes() >> cell_shift_) + warp_size;
    roles_.resize(program.code.size());
    for (std::uint32_t pc = 0; pc < roles_.size(); ++pc) roles_[pc] = role_of(program, pc);
  }

  void block_begin(std::uint64_t block) override {
    const auto make = [&] { return std::make_unique<Written>(cells_, launch_->threads_per_block(), synchronisation_); };
    written_.begin(block, make).begin_block();
  }
  void block_end(std::uint64_t block) override {
    settle(written_.at(block), block);
    written_.end(block);
  }
  void fault(const Fault& fault) override { settle(written_.at(fault.access.where.block), fault.access.where.block); }

  void barrier_arrival(const BarrierArrival& arrival) override {
    written_.at(arrival.where.block)
        .clocks.arrive(arrival.barrier, arrival.where.warp, arrival.waits, arrival.expected_threads);
  }
  void barrier_release(const BarrierRelease& release) override {
    written_.at(release.where.block).clocks.release(release.barrier);
  }
  void warp_sync(const WarpSync& sync) override {
    written_.at(sync.where.block).clocks.warp_sync(sync.where.warp, sync.lanes);
  }

  void access(const Access& access) override {
    if (access.space != machine::Space::shared) return;
    Written& written = written_.at(access.where.block);
    ++written.order;
    const Role role = roles_[access.where.pc];
    const std::uint32_t cells_a_lane = access.bytes >> cell_shift_;
    if (access.stride.regular && access.stride.stride == access.bytes && cells_a_lane != 0) {
      std::uint32_t* row = &written.by[access.stride.first >> cell_shift_];
      const std::uint32_t cells = cells_a_lane * warp_size;
      if (role == Role::writes && written.early_reads.empty()) {
        std::fill_n(row, cells, written.life);
        return;
      }
      std::uint32_t difference = 0;
      for (std::uint32_t cell = 0; cell < cells; ++cell) difference |= row[cell] ^ written.life;
      if (difference == 0) return;  // all written before
    } else if (cells_a_lane == 1 && were_written(written, access)) {
      return;
    }
    for (const int lane : machine::each_lane(access.lanes)) one_lane(written, access, role, lane);
  }

  void join(Observer& other) override { reads_.join(static_cast<SharedInit&>(other).reads_); }

  void report(Report& report) const override {
    const machine::Program& program = *launch_->program;
    for (const auto& read : reads_.by_line(program)) {
      Diagnosis diagnosis = diagnosis_at(program, "uninitialised", read.key.pc);
      const auto offset = static_cast<std::int64_t>(read.example.offset);
      diagnosis.message = fmt::format(
          "{} {} {} here, but no thread of this block has written it. It holds whatever an earlier block left there.",
          who_text(*launch_, read.block, read.example.thread), does(program.code[read.key.pc].access),
          shared_element_text(*launch_, read.key.pc, offset));
      const std::optional<machine::SharedArray> array = shared_array_at(*launch_, offset);
      diagnosis.hint = fmt::format(
          "Write every element of {} that is read later, also where there is no input for it: for a sum, write 0.",
          array ? array->name : "the array");
      diagnosis.who = thread_of(*launch_, read.block, read.example.thread);
      diagnosis.count = read.count;
      report.diagnose(std::move(diagnosis));
    }
  }

 private:
  /// Of an access to one cell a lane.
  bool were_written(const Written& written, const Access& access) const {
    std::uint32_t difference = 0;
    const auto look = [&](int lane) { difference |= written.by[access.addresses[lane] >> cell_shift_] ^ written.life; };
    if (access.lanes == machine::all_lanes)
      for (int lane = 0; lane < warp_size; ++lane) look(lane);
    else
      for (const int lane : machine::each_lane(access.lanes)) look(lane);
    return difference == 0;
  }

  void one_lane(Written& written, const Access& access, Role role, int lane) {
    const std::uint64_t offset = access.addresses[lane];
    const std::size_t last = (offset + access.bytes - 1) >> cell_shift_;
    const std::uint32_t me = access.where.warp * warp_size + static_cast<std::uint32_t>(lane);
    for (std::size_t cell = offset >> cell_shift_; cell <= last; ++cell) {
      if (written.by[cell] == written.life) continue;
      if (role != Role::writes) {
        EarlyRead& read = written.early_reads[{cell, access.where.pc}];
        if (read.count++ == 0) {
          read.stamp = written.clocks.now();
          read.example = {me, offset};
          read.order = written.order;
        }
      }
      if (role != Role::reads) first_write(written, access.where.block, cell, me);
    }
  }

  void first_write(Written& written, std::uint64_t block, std::size_t cell, std::uint32_t me) {
    written.by[cell] = written.life;
    auto read = written.early_reads.lower_bound({cell, 0});
    while (read != written.early_reads.end() && read->first.first == cell) {
      if (written.clocks.ordered(read->second.stamp, read->second.example.thread, me))
        see(read->first.second, read->second, block);
      read = written.early_reads.erase(read);
    }
  }

  void settle(Written& written, std::uint64_t block) {
    for (const auto& [key, read] : written.early_reads) see(key.second, read, block);
    written.early_reads.clear();
  }

  void see(std::uint32_t pc, const EarlyRead& read, std::uint64_t block) {
    reads_.see(
        {pc, pc, 0}, block, read.order, [&] { return read.example; }, read.count);
  }

  const machine::Launch* launch_ = nullptr;
  unsigned cell_shift_ = 2;
  std::size_t cells_ = 0;
  Synchronisation synchronisation_;
  std::vector<Role> roles_;  // by pc
  PerBlock<Written> written_;
  Sightings<Example> reads_;
};

}  // namespace

std::unique_ptr<Observer> make_shared_init() { return std::make_unique<SharedInit>(); }

}  // namespace warpwright::observe
