#include "observe/instructions.h"

#include <string_view>
#include <vector>

#include "observe/metrics.h"
#include "observe/operands.h"
#include "observe/report.h"

namespace warpwright::observe {
namespace {

class Instructions final : public Observer {
 public:
  std::uint32_t wants() const override { return on_profile; }
  std::unique_ptr<Observer> fork() const override { return make_instructions(); }

  void launch_begin(const machine::Launch& launch) override {
    program_ = launch.program;
    counts_.assign(program_->code.size(), {});
  }

  void profile(const machine::Profile& profile) override { counts_ = profile.counts(); }

  void join(Observer& other) override {
    const auto& theirs = static_cast<Instructions&>(other);
    for (std::size_t pc = 0; pc < counts_.size(); ++pc) counts_[pc] += theirs.counts_[pc];
  }

  void report(Report& report) const override {
    for (const std::string_view name :
         {metric::warp_instructions, metric::thread_instructions, metric::thread_instructions_on})
      report.add(name, 0);
    for (std::uint32_t pc = 0; pc < counts_.size(); ++pc) {
      const machine::Profile::Count& count = counts_[pc];
      if (count.warps == 0) continue;
      report.add(pc, metric::warp_instructions, static_cast<double>(count.warps));
      report.add(pc, metric::thread_instructions, static_cast<double>(count.threads));
      report.add(pc, metric::thread_instructions_on, static_cast<double>(count.on));
      report.add(pc, metric::instructions_of(opcode_of(program_->text(pc))), static_cast<double>(count.warps));
    }
  }

 private:
  const machine::Program* program_ = nullptr;
  std::vector<machine::Profile::Count> counts_;  // by pc
};

}  // namespace

std::unique_ptr<Observer> make_instructions() { return std::make_unique<Instructions>(); }

}  // namespace warpwright::observe
