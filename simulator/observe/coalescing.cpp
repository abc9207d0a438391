#include "observe/coalescing.h"

#include <array>
#include <string_view>
#include <vector>

#include "observe/metrics.h"
#include "observe/recurring.h"
#include "observe/report.h"
#include "observe/sectors.h"
#include "observe/worst.h"

namespace warpwright::observe {
namespace {

struct Operation {
  std::string_view requests, sectors, bytes;
};

constexpr Operation loads = {metric::global_load_requests, metric::global_load_sectors, metric::global_load_bytes};
constexpr Operation stores = {metric::global_store_requests, metric::global_store_sectors, metric::global_store_bytes};
constexpr Operation atomics = {metric::global_atomic_requests, metric::global_atomic_sectors,
                               metric::global_atomic_bytes};

const Operation& operation_of(machine::AccessKind kind) {
  switch (kind) {
    case machine::AccessKind::load:
      return loads;
    case machine::AccessKind::store:
      return stores;
    default:
      return atomics;
  }
}

class Coalescing final : public Observer {
 public:
  std::uint32_t wants() const override { return on_global_access; }
  std::unique_ptr<Observer> fork() const override { return make_coalescing(); }

  void launch_begin(const machine::Launch& launch) override {
    launch_ = &launch;
    counts_ = std::vector<Count>(launch.program->code.size());
  }

  void access(const Access& access) override {
    if (access.bulk) return;
    Count& count = counts_[access.where.pc];
    const unsigned cost =
        count.recurring.cost(access, sector_bytes, [&] { return sectors(access.lanes, access.addresses->list()); });
    ++count.requests;
    count.sectors += cost;
    count.lanes += static_cast<std::uint64_t>(machine::count_lanes(access.lanes));
    count.worst.see(access, cost, ideal_sectors(access.bytes, access.lanes));
  }

  void join(Observer& other) override {
    auto& theirs = static_cast<Coalescing&>(other).counts_;
    for (std::size_t pc = 0; pc < counts_.size(); ++pc) {
      counts_[pc].requests += theirs[pc].requests;
      counts_[pc].sectors += theirs[pc].sectors;
      counts_[pc].lanes += theirs[pc].lanes;
      counts_[pc].worst.join(theirs[pc].worst);
    }
  }

  void report(Report& report) const override {
    for (const Operation* operation : {&loads, &stores, &atomics})
      for (const std::string_view name : {operation->requests, operation->sectors, operation->bytes})
        report.add(name, 0);
    for (std::uint32_t pc = 0; pc < counts_.size(); ++pc) {
      const Count& count = counts_[pc];
      if (count.requests == 0) continue;
      const machine::Instruction& instruction = launch_->program->code[pc];
      const Operation& operation = operation_of(instruction.kind);
      report.add(pc, operation.requests, static_cast<double>(count.requests));
      report.add(pc, operation.sectors, static_cast<double>(count.sectors));
      report.add(pc, operation.bytes, static_cast<double>(count.lanes * instruction.bytes));
      report.worst(pc, relative_to_allocations(*count.worst.exemplar()));
    }
  }

 private:
  struct Count {
    std::uint64_t requests = 0;
    std::uint64_t sectors = 0;
    std::uint64_t lanes = 0;
    Worst worst;
    Recurring<unsigned> recurring;
  };

  /// The exemplar with each address counted from the start of the allocation that it lies in.
  Exemplar relative_to_allocations(Exemplar exemplar) const {
    for (const int lane : machine::each_lane(exemplar.lanes)) {
      const machine::Allocation* allocation = launch_->memory->find(exemplar.addresses[lane], exemplar.bytes);
      exemplar.addresses[lane] = allocation != nullptr ? exemplar.addresses[lane] - allocation->base : 0;
    }
    return exemplar;
  }

  const machine::Launch* launch_ = nullptr;
  std::vector<Count> counts_;  // by pc
};

}  // namespace

std::unique_ptr<Observer> make_coalescing() { return std::make_unique<Coalescing>(); }

}  // namespace warpwright::observe
