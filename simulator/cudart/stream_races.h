// Problem: a program that forgets to order its streams is right here, and by luck on a GPU.
// Idea: what operations of several streams touch is kept, byte by byte, until the host has waited for them. Each new
// operation is held against those that are not ordered before it (stream_order.h): where one of the two writes what the
// other uses, they race. Whether they met does not matter.
// Invariant: of each stream and allocation, a byte is remembered once for each kind of use, by its last user: whoever
// is ordered behind the last is ordered behind all. Two operations that the program orders are never reported.
// Host code is held against the same uses, where it can be seen (host_guard.h). It may also know without waiting, by an
// update of system scope in memory that it reaches: then of that operation, and what is ordered before it, nothing is
// held against it any more.
// Left out: what was issued before there was a second stream, or memory that host code reaches too. Of one allocation,
// uses beyond `most_uses` are forgotten, the oldest first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
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

/// One access by the program's own code.
struct HostAccess {
  std::string by = "host code";  // or the API function that it is in
  std::string does;              // "reads", "writes", or "uses" where that is not known
  std::uint64_t allocation = 0;
  std::size_t offset = 0;
  CallSite site;
};

class StreamRaces {
 public:
  /// Diagnoses of kind "race" between an operation, which was just issued, and earlier ones; then keeps it. `order` is
  /// that of the streams. A pair of calls is told once.
  std::vector<observe::Diagnosis> add(Operation operation, std::vector<observe::Part> parts, const StreamOrder& order);
  /// The diagnosis of an access by host code while an operation may be under way that is in its way: nothing when there
  /// is none, or the pair was told.
  std::optional<observe::Diagnosis> add(const HostAccess& access, const StreamOrder& order);
  /// What is used by operations that may be under way for all that the host knows: bytes that it must not read, and
  /// bytes that it must not write.
  struct Busy {
    observe::ByteSet to_read, to_write;
  };
  Busy busy(std::uint64_t allocation, const StreamOrder& order) const;
  /// Allocations, with their bases, of which something else may be busy than at the last call, but for what the host
  /// has waited for.
  std::map<std::uint64_t, std::uint64_t> take_changed() { return std::exchange(changed_, {}); }
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
  /// Whether the use is in the way of host code that reads, or writes.
  bool meets_host(const UseOf& use, bool writes, const StreamOrder& order) const;
  static observe::Diagnosis diagnosis_of(const Operation& operation, const Race& race);

  std::map<std::uint64_t, std::vector<UseOf>> uses_;    // by allocation, oldest first
  std::set<std::pair<std::string, std::string>> told_;  // places of calls
  std::map<std::uint64_t, std::uint64_t> changed_;
  StreamOrder::Clock told_host_;  // what the host may know to be over without having waited
};

}  // namespace warpwright::cudart
