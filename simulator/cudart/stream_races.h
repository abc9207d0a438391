// Problem: a program that forgets to order its streams is right here, and by luck on a GPU.
// Idea: what operations of several streams touch is kept, byte by byte, until the host has waited for them. Each new
// operation is held against those that are not ordered before it (stream_order.h): where one of the two writes what the
// other uses, they race. Whether they met does not matter.
// Invariant: of each stream and allocation, a byte is remembered once for each kind of use, by its last user: whoever
// is ordered behind the last is ordered behind all. Two operations that the program orders are never reported.
// Left out: what was issued before there was a second stream; host code's own accesses. Of one allocation, uses beyond
// `most_uses` are forgotten, the oldest first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cudart/call_site.h"
#include "cudart/stream_order.h"
#include "observe/report.h"
#include "observe/uses.h"

namespace warpwright::cudart {

/// Work of a stream.
struct Operation {
  std::string name;               // of the kernel, or of the function that was called
  bool is_launch = false;         // of that kernel
  std::string stream;             // in words: "stream 2"
  bool waits_for_default = true;  // not cudaStreamNonBlocking
  CallSite site;
  StreamOrder::Stamp stamp = {};
  StreamOrder::Clock known = {};  // what was over when it began
};

class StreamRaces {
 public:
  /// Diagnoses of kind "race" between an operation, which was just issued, and earlier ones; then keeps it. `order` is
  /// that of the streams. A pair of calls is told once.
  std::vector<observe::Diagnosis> add(Operation operation, std::vector<observe::Part> parts, const StreamOrder& order);
  /// The memory is gone, and its address is never used again.
  void forget(std::uint64_t allocation) { uses_.erase(allocation); }
  /// What was told may be told again: somebody else asks.
  void tell_again() { told_.clear(); }

 private:
  static constexpr std::size_t most_uses = 256;

  struct UseOf {
    std::shared_ptr<const Operation> operation;
    observe::Part part;
  };
  struct Race {
    const UseOf* earlier = nullptr;
    const observe::Part* part = nullptr;
    std::size_t offset = 0;
    bool same_value = false;
  };

  std::vector<Race> races_with(const std::vector<observe::Part>& parts, const StreamOrder& order,
                               StreamOrder::Stream stream) const;
  void keep(const std::shared_ptr<const Operation>& operation, std::vector<observe::Part> parts,
            const StreamOrder& order);
  static observe::Diagnosis diagnosis_of(const Operation& operation, const Race& race);

  std::map<std::uint64_t, std::vector<UseOf>> uses_;    // by allocation, oldest first
  std::set<std::pair<std::string, std::string>> told_;  // places of calls
};

}  // namespace warpwright::cudart
