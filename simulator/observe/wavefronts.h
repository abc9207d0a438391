// Problem: a number of wavefronts is not a picture; a picture wants to know which bank serves which lane in which.
// Idea: the rule of banks.h, played: in each pass, the k-th word that a bank is asked for is served in the k-th
// wavefront.
// Invariant: as many wavefronts as shared_cost() counts. Which word comes first is this file's choice, by lanes; the
// hardware's order is not known.
#pragma once

#include <array>
#include <vector>

#include "observe/banks.h"

namespace warpwright::observe {

struct Wavefront {
  std::array<int, banks> lane;  // by bank: the first lane that is served there, or -1
  machine::Lanes lanes = 0;     // all that are served, with at least a part of their bytes
};

/// The wavefronts of one warp instruction, arguments as in shared_cost().
std::vector<Wavefront> wavefronts(SharedOperation operation, unsigned bytes, machine::Lanes lanes,
                                  const std::uint64_t* addresses);

}  // namespace warpwright::observe
