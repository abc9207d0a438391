#include "observe/instructions.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "observe/metrics.h"
#include "observe/operands.h"
#include "observe/report.h"

namespace warpwright::observe {
namespace {

unsigned number_of(machine::Lanes lanes) {
  return lanes == machine::all_lanes ? machine::warp_size : static_cast<unsigned>(machine::count_lanes(lanes));
}

class Instructions final : public Observer {
 public:
  std::uint32_t wants() const override { return on_run; }
  std::unique_ptr<Observer> fork() const override { return make_instructions(); }

  void launch_begin(const machine::Launch& launch) override {
    program_ = launch.program;
    steps_.assign(program_->code.size() + 1, {});
    whole_.assign(program_->code.size(), 0);
    length_.resize(program_->code.size());
    std::ranges::transform(program_->run_length, length_.begin(),
                           [](std::uint32_t straight) { return std::max<std::uint32_t>(straight, 1); });
  }

  void run(const Run& run) override {
    if (run.lanes == machine::all_lanes && run.count == length_[run.where.pc]) {
      ++whole_[run.where.pc];
      if (run.on != machine::all_lanes) {
        const unsigned off = number_of(~run.on);
        steps_[run.where.pc].on -= off;
        steps_[run.where.pc + run.count].on += off;
      }
      return;
    }
    const unsigned threads = number_of(run.lanes);
    const unsigned on = run.on == run.lanes ? threads : number_of(run.on);
    steps_[run.where.pc] += {1, threads, on};
    steps_[run.where.pc + run.count] -= {1, threads, on};
  }

  void join(Observer& other) override {
    const auto& theirs = static_cast<Instructions&>(other);
    for (std::size_t pc = 0; pc < steps_.size(); ++pc) steps_[pc] += theirs.steps_[pc];
    for (std::size_t pc = 0; pc < whole_.size(); ++pc) whole_[pc] += theirs.whole_[pc];
  }

  void report(Report& report) const override {
    for (const std::string_view name :
         {metric::warp_instructions, metric::thread_instructions, metric::thread_instructions_on})
      report.add(name, 0);
    std::vector<Count> steps = steps_;
    for (std::size_t pc = 0; pc < whole_.size(); ++pc) {
      const Count all{whole_[pc], whole_[pc] * machine::warp_size, whole_[pc] * machine::warp_size};
      steps[pc] += all;
      steps[pc + length_[pc]] -= all;
    }
    Count now;
    for (std::uint32_t pc = 0; pc < program_->code.size(); ++pc) {
      now += steps[pc];
      if (now.warps == 0) continue;
      report.add(pc, metric::warp_instructions, static_cast<double>(now.warps));
      report.add(pc, metric::thread_instructions, static_cast<double>(now.threads));
      report.add(pc, metric::thread_instructions_on, static_cast<double>(now.on));
      report.add(pc, metric::instructions_of(opcode_of(program_->text(pc))), static_cast<double>(now.warps));
    }
  }

 private:
  struct Count {
    std::int64_t warps = 0;
    std::int64_t threads = 0;
    std::int64_t on = 0;
    Count& operator+=(const Count& more) {
      warps += more.warps;
      threads += more.threads;
      on += more.on;
      return *this;
    }
    Count& operator-=(const Count& less) {
      warps -= less.warps;
      threads -= less.threads;
      on -= less.on;
      return *this;
    }
  };
  const machine::Program* program_ = nullptr;
  std::vector<Count> steps_;  // by pc, and one behind: by how much the counts change from the instruction before
  // What is told most often is counted apart, in one step: whole warps that go from a pc as far as they can.
  std::vector<std::int64_t> whole_;    // by pc where they begin
  std::vector<std::uint32_t> length_;  // by pc: how many instructions that is
};

}  // namespace

std::unique_ptr<Observer> make_instructions() { return std::make_unique<Instructions>(); }

}  // namespace warpwright::observe
