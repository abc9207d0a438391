// Problem: the layouts of loops and branches that a compiler may choose cannot be listed.
// Idea: make random structured programs (if, while, do, break, continue, return), lay their blocks out in any order,
// and follow each lane through the graph with three lines of C++.
// Invariant: every lane's path depends on its own state alone and ends: loops have fuel.
// Left out: gotos into loops; those are written by hand in the tests.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace warpwright::kernels {

/// A control-flow graph over one word of state. Entering block b changes the state to `next_state(state, b)`.
class RandomFlow {
 public:
  /// `may_return`: whether lanes may leave in the middle.
  RandomFlow(std::uint32_t seed, bool may_return);

  /// The body of a kernel: each thread starts with the input's word as its state and writes its last state.
  std::string ptx() const;
  /// The text of an instruction that only this block has.
  static std::string marker(int block) { return "mov.u32 %r20, " + std::to_string(1000 + block); }

  struct Path {
    std::uint32_t state = 0;
    std::vector<int> blocks;
  };
  /// Where a lane goes that starts with this state.
  Path follow(std::uint32_t state) const;

  /// Blocks that no loop and no branch encloses, in order.
  const std::vector<int>& top_level() const { return top_level_; }

 private:
  enum class End : std::uint8_t { jump, branch, leave };
  struct Block {
    End end = End::leave;
    int taken = -1;  // jump: where to. branch: where to when the state's bit is set (and, in loops, fuel is left)
    int other = -1;
    bool burns_fuel = false;
  };
  struct Loop {
    int continues_at = -1;
    int breaks_to = -1;
  };

  int add() {
    blocks_.emplace_back();
    return static_cast<int>(blocks_.size()) - 1;
  }
  bool chance(unsigned percent) { return random_() % 100 < percent; }
  void jump(int from, int to) { blocks_[from] = {End::jump, to, -1, false}; }
  void branch(int from, int taken, int other, bool burns_fuel) {
    blocks_[from] = {End::branch, taken, other, burns_fuel};
  }
  /// Statements from block `from` on; returns the block that they end in.
  int statements(int from, int depth, const Loop* loop);
  int statement(int from, int depth, const Loop* loop);
  int if_statement(int from, int depth, const Loop* loop);
  int while_loop(int from, int depth);
  int do_loop(int from, int depth);
  int jump_away(int from, const Loop* loop);

  std::mt19937 random_;
  bool may_return_;
  std::vector<Block> blocks_;
  std::vector<int> layout_;
  std::vector<int> top_level_;
};

}  // namespace warpwright::kernels
