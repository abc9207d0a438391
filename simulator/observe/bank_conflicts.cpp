#include "observe/bank_conflicts.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "observe/banks.h"
#include "observe/metrics.h"
#include "observe/recurring.h"
#include "observe/report.h"
#include "observe/worst.h"

namespace warpwright::observe {
namespace {

struct Names {
  std::string_view requests, wavefronts, conflicts;
};

constexpr Names names[] = {
    {metric::shared_load_requests, metric::shared_load_wavefronts, metric::shared_load_conflicts},
    {metric::shared_store_requests, metric::shared_store_wavefronts, metric::shared_store_conflicts},
    {metric::shared_atomic_requests, metric::shared_atomic_wavefronts, metric::shared_atomic_conflicts},
};

const Names& names_of(machine::AccessKind kind) {
  switch (kind) {
    case machine::AccessKind::load:
      return names[0];
    case machine::AccessKind::store:
      return names[1];
    default:
      return names[2];
  }
}

class BankConflicts final : public Observer {
 public:
  std::uint32_t wants() const override { return on_shared_access; }
  std::unique_ptr<Observer> fork() const override { return make_bank_conflicts(); }

  void launch_begin(const machine::Launch& launch) override {
    program_ = launch.program;
    counts_ = std::vector<Count>(program_->code.size());
  }

  void access(const Access& access) override {
    if (access.bulk) return;
    Count& count = counts_[access.where.pc];
    // The banks look the same from every unit of the window on.
    const std::uint64_t period = std::max(access.bytes, bank_bytes);
    if (const SharedCost* cost = count.recurring.latest(access, period); cost != nullptr)
      count.add(access, *cost);
    else
      add_another(count, access, period);
  }

  void join(Observer& other) override {
    auto& theirs = static_cast<BankConflicts&>(other).counts_;
    for (std::size_t pc = 0; pc < counts_.size(); ++pc) {
      counts_[pc].requests += theirs[pc].requests;
      counts_[pc].wavefronts += theirs[pc].wavefronts;
      counts_[pc].conflicts += theirs[pc].conflicts;
      counts_[pc].worst.join(theirs[pc].worst);
    }
  }

  void report(Report& report) const override {
    for (const Names& of : names)
      for (const std::string_view name : {of.requests, of.wavefronts, of.conflicts}) report.add(name, 0);
    for (std::uint32_t pc = 0; pc < counts_.size(); ++pc) {
      const Count& count = counts_[pc];
      if (count.requests == 0) continue;
      const machine::Instruction& instruction = program_->code[pc];
      const Names& of = names_of(instruction.kind);
      const double trips = instruction.compares ? compare_trips : 1;
      report.add(pc, of.requests, static_cast<double>(count.requests));
      report.add(pc, of.wavefronts, trips * static_cast<double>(count.wavefronts));
      report.add(pc, of.conflicts, static_cast<double>(count.conflicts));
      Exemplar worst = *count.worst.exemplar();
      worst.shared = shared_operation(instruction.kind, instruction.counts_up);
      report.worst(pc, worst);
    }
  }

 private:
  struct Count {
    std::uint64_t requests = 0;
    std::uint64_t wavefronts = 0;
    std::uint64_t conflicts = 0;
    Worst worst;
    Recurring<SharedCost> recurring;

    [[gnu::always_inline]] void add(const Access& access, const SharedCost& cost) {
      ++requests;
      wavefronts += cost.wavefronts;
      conflicts += cost.conflicts();
      worst.see(access, cost.wavefronts, cost.passes);
    }
  };
  [[gnu::noinline]] void add_another(Count& count, const Access& access, std::uint64_t period) const {
    count.add(access, count.recurring.cost(access, period, [&] {
      const machine::Instruction& instruction = program_->code[access.where.pc];
      return shared_cost(shared_operation(instruction.kind, instruction.counts_up), access.bytes, access.lanes,
                         access.addresses->list());
    }));
  }
  const machine::Program* program_ = nullptr;
  std::vector<Count> counts_;  // by pc
};

}  // namespace

std::unique_ptr<Observer> make_bank_conflicts() { return std::make_unique<BankConflicts>(); }

}  // namespace warpwright::observe
