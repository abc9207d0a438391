#include "observe/divergence.h"

#include <vector>

#include "observe/metrics.h"
#include "observe/per_block.h"
#include "observe/report.h"

namespace warpwright::observe {
namespace {

using WarpSet = std::uint32_t;  // a block has at most 32 warps

class Divergence final : public Observer {
 public:
  std::uint32_t wants() const override { return on_branch | on_block | on_profile; }
  std::unique_ptr<Observer> fork() const override { return make_divergence(); }

  void launch_begin(const machine::Launch& launch) override {
    launch_ = &launch;
    counts_.assign(launch.program->code.size(), {});
  }

  void block_begin(std::uint64_t block) override {
    Parted& parted = parted_.begin(block, [&] { return std::make_unique<Parted>(counts_.size()); });
    parted.anywhere = 0;
    for (const std::uint32_t pc : parted.touched) parted.at[pc] = 0;
    parted.touched.clear();
  }

  void block_end(std::uint64_t block) override { parted_.end(block); }

  void branch(const Branch& branch) override {
    Count& count = counts_[branch.where.pc];
    ++count.divergent;
    Parted& parted = parted_.at(branch.where.block);
    const WarpSet warp = WarpSet{1} << branch.where.warp;
    WarpSet& here = parted.at[branch.where.pc];
    if (here == 0) parted.touched.push_back(branch.where.pc);
    count.warps += (here & warp) == 0;
    divergent_warps_ += (parted.anywhere & warp) == 0;
    here |= warp;
    parted.anywhere |= warp;
  }

  void profile(const machine::Profile& profile) override {
    const std::vector<machine::Profile::Count> executed = profile.counts();
    for (std::size_t pc = 0; pc < counts_.size(); ++pc) {
      const machine::Instruction& instruction = launch_->program->code[pc];
      const bool is_conditional =
          instruction.flow == machine::Flow::branch && instruction.guard != machine::no_register;
      if (is_conditional) counts_[pc].branches = static_cast<std::uint64_t>(executed[pc].warps);
    }
  }

  void join(Observer& other) override {
    auto& theirs = static_cast<Divergence&>(other);
    divergent_warps_ += theirs.divergent_warps_;
    for (std::size_t pc = 0; pc < counts_.size(); ++pc) {
      counts_[pc].branches += theirs.counts_[pc].branches;
      counts_[pc].divergent += theirs.counts_[pc].divergent;
      counts_[pc].warps += theirs.counts_[pc].warps;
    }
  }

  void report(Report& report) const override {
    report.add(metric::launched_blocks, static_cast<double>(launch_->grid.count()));
    report.add(metric::launched_warps, static_cast<double>(launch_->grid.count() * launch_->warps_per_block()));
    report.add(metric::branches, 0);
    report.add(metric::divergent_branches, 0);
    double elsewhere = static_cast<double>(divergent_warps_);
    for (std::uint32_t pc = 0; pc < counts_.size(); ++pc) {
      const Count& count = counts_[pc];
      if (count.branches == 0) continue;
      report.add(pc, metric::branches, static_cast<double>(count.branches));
      report.add(pc, metric::divergent_branches, static_cast<double>(count.divergent));
      report.add(pc, metric::divergent_warps, static_cast<double>(count.warps));
      elsewhere -= static_cast<double>(count.warps);
    }
    // A warp that parts at two branches is one warp of the kernel.
    report.add(metric::divergent_warps, elsewhere);
  }

 private:
  struct Count {
    std::uint64_t branches = 0;
    std::uint64_t divergent = 0;
    std::uint64_t warps = 0;
  };
  /// Of one block: its warps whose lanes parted.
  struct Parted {
    explicit Parted(std::size_t instructions) : at(instructions, 0) {}
    WarpSet anywhere = 0;
    std::vector<WarpSet> at;             // by pc
    std::vector<std::uint32_t> touched;  // pcs where `at` is not 0
  };

  const machine::Launch* launch_ = nullptr;
  std::vector<Count> counts_;  // by pc
  std::uint64_t divergent_warps_ = 0;
  PerBlock<Parted> parted_;
};

}  // namespace

std::unique_ptr<Observer> make_divergence() { return std::make_unique<Divergence>(); }

}  // namespace warpwright::observe
