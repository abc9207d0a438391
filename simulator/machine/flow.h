// Problem: lanes that took different paths should run together again wherever the paths meet, not only at the end.
// Idea: rank the basic blocks topologically, each loop in one piece, and always run the group of lanes with the lowest
// rank. Nobody can then pass a meeting point while others are still on their way to it ("thread frontiers", Diamos et
// al., MICRO 2011).
// Invariant: along every edge that is not a loop's back edge the rank rises; a loop's blocks have consecutive ranks.
// Left out: loops with several entries (goto into a loop) are ranked, but may rejoin later than they could.
#pragma once

#include <cstdint>
#include <vector>

#include "machine/program.h"

namespace warpwright::machine {

/// Fills `program.rank` and `program.run_length` from the decoded code, and what instructions know of the shapes of
/// their addresses. A run is a stretch of unguarded straight instructions that no branch enters in the middle.
void analyse_flow(Program& program);

/// Which instructions can come to which, not counting ways that begin another turn of a loop that holds both: two lanes
/// in different branches inside a loop do not wait for each other, but both are awaited where the branches join, and
/// behind the loop.
class Reach {
 public:
  /// `program` has been analysed.
  explicit Reach(const Program& program);
  bool operator()(std::uint32_t from, std::uint32_t to) const {
    const std::uint32_t a = block_of_[from], b = block_of_[to];
    return a == b ? from < to : (bits_[a * words_ + b / 64] >> (b % 64) & 1) != 0;
  }

 private:
  std::vector<std::uint32_t> block_of_;  // by pc
  std::size_t words_ = 0;                // of a row
  std::vector<std::uint64_t> bits_;      // a row for each basic block: those that it comes to
};

}  // namespace warpwright::machine
