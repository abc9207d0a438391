#include "observe/load_waits.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "observe/metrics.h"
#include "observe/operands.h"
#include "observe/per_block.h"
#include "observe/report.h"

namespace warpwright::observe {
namespace {

using Register = std::uint32_t;

/// What one instruction means for the loads around it.
struct Step {
  enum class Kind : std::uint8_t { other, move, load, free_load, global_store, other_store, fence };
  Kind kind = Kind::other;
  bool begins = false;  // a stretch: a branch leads here
  bool ends = false;    // a stretch: a branch, an exit
  std::vector<Register> uses, results;
};

Step::Kind kind_of(const machine::Instruction& instruction, std::string_view text) {
  using machine::AccessKind, machine::Flow, machine::Space;
  const std::string_view opcode = opcode_of(text);
  if (instruction.flow == Flow::block_barrier || instruction.flow == Flow::warp_barrier || instruction.ordered ||
      opcode == "membar" || opcode == "fence")
    return Step::Kind::fence;
  if (instruction.elements == 0) return opcode == "mov" ? Step::Kind::move : Step::Kind::other;
  if (instruction.kind == AccessKind::store)
    return instruction.generic || instruction.space == Space::global ? Step::Kind::global_store
                                                                     : Step::Kind::other_store;
  if (instruction.kind != AccessKind::load) return Step::Kind::fence;
  if (instruction.generic || instruction.space != Space::global) return Step::Kind::other;
  return text.find(".nc.") != std::string_view::npos ? Step::Kind::free_load : Step::Kind::load;
}

std::vector<Step> steps_of(const machine::Program& program) {
  std::vector<Step> steps(program.code.size());
  std::map<std::string, Register> numbers;
  const auto numbered = [&](const std::vector<std::string>& names) {
    std::vector<Register> registers;
    for (const std::string& name : names)
      registers.push_back(numbers.try_emplace(name, static_cast<Register>(numbers.size())).first->second);
    return registers;
  };
  for (std::uint32_t pc = 0; pc < steps.size(); ++pc) {
    const machine::Instruction& instruction = program.code[pc];
    const Operands operands = operands_of(program.text(pc));
    steps[pc].kind = kind_of(instruction, program.text(pc));
    steps[pc].uses = numbered(operands.read);
    steps[pc].results = numbered(operands.written);
    if (instruction.flow == machine::Flow::branch) steps[instruction.target].begins = true;
    if (instruction.flow == machine::Flow::indexed_branch)
      for (const std::uint32_t target : program.branch_tables[instruction.option]) steps[target].begins = true;
    steps[pc].ends = instruction.flow == machine::Flow::branch || instruction.flow == machine::Flow::indexed_branch ||
                     instruction.flow == machine::Flow::call || instruction.flow == machine::Flow::return_from_call ||
                     instruction.flow == machine::Flow::exit;
  }
  return steps;
}

/// What happens in one stretch, given the registers that are under way when it begins.
struct Outcome {
  std::vector<std::uint32_t> waits;  // by round: pc of the first use
  std::vector<Register> pending;     // under way when it ends, in order
};

/// The outcomes of stretches that have been, so that the same one is thought through once. What is under way has a
/// number in place of its registers; 0 is nothing.
class KnownOutcomes {
 public:
  struct Known {
    std::vector<std::uint32_t> waits;  // by round: pc of the first use
    std::uint32_t pending = 0;
  };

  void begin(std::vector<Step> steps) {
    steps_ = std::move(steps);
    last_.assign(steps_.size(), {});
    bounds_.clear();
    for (const Step& step : steps_) bounds_.push_back({step.begins, step.ends});
    bounds_.push_back({.begins = true, .is_without_loads = true});
    next_load_.resize(steps_.size());
    auto next = static_cast<std::uint32_t>(steps_.size());
    for (auto pc = next; pc-- > 0;) {
      const bool is_load = steps_[pc].kind == Step::Kind::load || steps_[pc].kind == Step::Kind::free_load;
      if (is_load) next = pc;
      next_load_[pc] = next;
      bounds_[pc].is_without_loads =
          !is_load && (bounds_[pc].ends || bounds_[pc + 1].begins || bounds_[pc + 1].is_without_loads);
    }
    known_.clear();
    pendings_ = {{}};
  }
  /// A stretch begins at this instruction.
  bool begins(std::uint32_t pc) const { return bounds_[pc].begins; }
  /// A stretch ends behind this instruction.
  bool ends(std::uint32_t pc) const { return bounds_[pc].ends; }
  /// From this instruction on, a stretch has no load, wherever it ends.
  bool has_no_more_loads(std::uint32_t pc) const { return bounds_[pc].is_without_loads; }
  bool has_load(std::uint32_t first, std::uint32_t end) const { return next_load_[first] < end; }

  const Known& of(std::uint32_t first, std::uint32_t end, std::uint32_t pending) {
    Last& last = last_[end - 1];
    if (last.known == nullptr || last.first != first || last.pending != pending) {
      auto found = known_.find({first, end, pending});
      if (found == known_.end()) found = known_.emplace(Key{first, end, pending}, think(first, end, pending)).first;
      last = {first, pending, &found->second};
    }
    return *last.known;
  }

 private:
  using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;
  struct Last {
    std::uint32_t first = 0, pending = 0;
    const Known* known = nullptr;
  };

  Known think(std::uint32_t first, std::uint32_t end, std::uint32_t pending);

  struct Bounds {
    bool begins = false, ends = false;
    bool is_without_loads = false;  // the stretch, from here on
  };

  std::vector<Step> steps_;                      // by pc
  std::vector<Bounds> bounds_;                   // by pc, and one behind: of the steps, close together
  std::vector<std::uint32_t> next_load_;         // by pc: the first load there or behind
  std::vector<Last> last_;                       // by the stretch's last pc
  std::map<Key, Known> known_;                   // keeps its elements in their places
  std::vector<std::vector<Register>> pendings_;  // by number
};

Outcome outcome_of(const std::vector<Step>& steps, std::uint32_t first, std::uint32_t end,
                   const std::vector<Register>& pending) {
  Outcome outcome;
  std::map<Register, std::size_t> rounds;  // of the loads that a register's value depends on, the last; 0 if none
  for (const Register under_way : pending) rounds[under_way] = 1;
  std::map<Register, bool> loaded;  // straight from memory, or by moves
  for (const Register under_way : pending) loaded[under_way] = true;
  std::size_t stored = 0, fenced = 0;  // the last round that stores, and what no load passes, depend on
  for (std::uint32_t pc = first; pc < end; ++pc) {
    const Step& step = steps[pc];
    std::size_t round = 0;
    for (const Register used : step.uses) {
      if (const auto found = rounds.find(used); found != rounds.end()) round = std::max(round, found->second);
    }
    const bool is_load = step.kind == Step::Kind::load || step.kind == Step::Kind::free_load;
    const bool is_move = step.kind == Step::Kind::move;
    if (!is_move) {
      while (outcome.waits.size() < round) outcome.waits.push_back(pc);
    }
    if (step.kind == Step::Kind::global_store) fenced = std::max(fenced, round);
    if (step.kind == Step::Kind::global_store || step.kind == Step::Kind::other_store) stored = std::max(stored, round);
    if (step.kind == Step::Kind::fence) fenced = std::max({fenced, stored, round});
    const bool moves_loaded = is_move && round > outcome.waits.size();
    if (step.kind == Step::Kind::load) round = std::max(round, fenced) + 1;
    if (step.kind == Step::Kind::free_load) ++round;
    for (const Register result : step.results) {
      rounds[result] = round;
      loaded[result] = is_load || moves_loaded;
    }
  }
  for (const auto& [result, is_loaded] : loaded) {
    if (is_loaded && rounds[result] > outcome.waits.size()) outcome.pending.push_back(result);
  }
  return outcome;
}

KnownOutcomes::Known KnownOutcomes::think(std::uint32_t first, std::uint32_t end, std::uint32_t pending) {
  Outcome outcome = outcome_of(steps_, first, end, pendings_[pending]);
  const auto at = std::ranges::find(pendings_, outcome.pending);
  const auto number = static_cast<std::uint32_t>(at - pendings_.begin());
  if (at == pendings_.end()) pendings_.push_back(std::move(outcome.pending));
  return {std::move(outcome.waits), number};
}

class LoadWaits final : public Observer {
 public:
  std::uint32_t wants() const override { return on_run | on_block; }
  std::unique_ptr<Observer> fork() const override { return make_load_waits(); }

  void launch_begin(const machine::Launch& launch) override {
    known_.begin(steps_of(*launch.program));
    lengths_ = launch.program->run_length;
    waits_.assign(launch.program->code.size(), 0);
    warps_ = static_cast<std::size_t>((launch.block.count() + machine::warp_size - 1) / machine::warp_size);
  }

  void block_begin(std::uint64_t block) override {
    states_.begin(block, [] { return std::make_unique<State>(); }).assign(warps_, {});
  }
  void block_end(std::uint64_t block) override {
    for (Stretch& stretch : states_.at(block)) close(stretch);
    states_.end(block);
  }

  bool run(const Run& run) override {
    Stretch& stretch = states_.at(run.where.block)[run.where.warp];
    const std::uint32_t first = run.where.pc, end = first + run.count;
    if (!stretch.matters() && !known_.has_load(first, end)) return false;
    if (stretch.end != first || stretch.lanes != run.lanes || known_.begins(first)) {
      close(stretch);
      stretch.first = first;
      stretch.lanes = run.lanes;
    }
    if (run.on == 0) {  // nobody executes it
      close(stretch);
      stretch.first = end;
    }
    stretch.end = end;
    // What is under way has been issued in one round: who waits for it waits once, in whatever stretch.
    if (known_.ends(end - 1) || known_.has_no_more_loads(end)) close(stretch);
    return stretch.matters();
  }
  bool rouses(std::uint32_t pc) const override { return known_.has_load(pc, pc + std::max(lengths_[pc], 1u)); }

  void join(Observer& other) override {
    const auto& theirs = static_cast<LoadWaits&>(other).waits_;
    for (std::size_t pc = 0; pc < waits_.size(); ++pc) waits_[pc] += theirs[pc];
  }

  void report(Report& report) const override {
    report.add(metric::global_load_waits, 0);
    for (std::uint32_t pc = 0; pc < waits_.size(); ++pc) {
      if (waits_[pc] != 0) report.add(pc, metric::global_load_waits, static_cast<double>(waits_[pc]));
    }
  }

 private:
  /// Of one warp: the instructions since the last branch, from `first` to before `end`, and what was under way then.
  struct Stretch {
    std::uint32_t first = 0, end = 0;
    machine::Lanes lanes = 0;
    std::uint32_t pending = 0;  // a number of KnownOutcomes
    bool matters() const { return first != end || pending != 0; }
  };
  using State = std::vector<Stretch>;  // by warp

  /// Counts what happened in the stretch. Afterwards it is empty, and what is under way is known.
  void close(Stretch& stretch) {
    if (stretch.first == stretch.end) return;
    const KnownOutcomes::Known& known = known_.of(stretch.first, stretch.end, stretch.pending);
    for (const std::uint32_t pc : known.waits) ++waits_[pc];
    stretch.pending = known.pending;
    stretch.first = stretch.end;
  }

  KnownOutcomes known_;
  std::size_t warps_ = 0;
  std::vector<std::uint32_t> lengths_;  // by pc: of the longest run from there
  std::vector<std::uint64_t> waits_;    // by pc
  PerBlock<State> states_;
};

}  // namespace

std::unique_ptr<Observer> make_load_waits() { return std::make_unique<LoadWaits>(); }

}  // namespace warpwright::observe
