// Problem: an mbarrier is a word of shared memory whose bits the manual does not define.
// Idea: ours holds the phase, the arrivals that are expected and pending, and the bytes that are on their way; the
// operations are those of PTX ISA, "mbarrier". A phase is complete when neither arrivals nor bytes are pending.
// Invariant: an operation on a word that no mbarrier.init has made one ends the launch.
// Left out: barriers of other blocks of a cluster.
#pragma once

#include <cstddef>
#include <cstdint>

#include "machine/program.h"

namespace warpwright::isa {

class Mbarrier {
 public:
  static constexpr std::uint32_t most_arrivals = (1u << 20) - 1;
  static constexpr std::int32_t most_bytes = (1 << 20) - 1;

  explicit Mbarrier(std::uint32_t expected) : expected_(expected), pending_(expected) {}
  /// What `word`, which is one, says.
  static Mbarrier from(std::uint64_t word);
  static bool is_one(std::uint64_t word) { return word >> 62 == mark; }
  std::uint64_t word() const;

  /// Whether the number of the phase that is not complete yet is odd.
  bool phase() const { return phase_; }
  std::uint32_t pending() const { return pending_; }
  /// False when more arrive than are pending.
  bool arrive(std::uint32_t count);
  void expect_more_arrivals(std::uint32_t count) { pending_ += count; }
  void drop(std::uint32_t count) { expected_ -= count; }
  /// False when more bytes are on their way than an mbarrier counts.
  bool expect_bytes(std::uint32_t bytes);
  bool complete_bytes(std::uint32_t bytes);

 private:
  static constexpr std::uint64_t mark = 1;  // in the two highest bits; fresh shared memory has others
  void complete_if_done();

  std::uint32_t expected_ = 0, pending_ = 0;
  std::int32_t bytes_ = 0;
  bool phase_ = false;
};

/// Registers of all of these: source[0] is the address, `offset` added to it; source[1] the count, the number of bytes,
/// or what test_wait compares with; destination the state or, of test_wait, the predicate.
enum class MbarrierOperation : std::uint8_t {
  init,
  inval,
  arrive,
  arrive_drop,
  arrive_expect_bytes,
  arrive_drop_expect_bytes,
  expect_bytes,
  complete_bytes,
  test_wait,
  test_wait_parity,
  pending_count,               // of a state, in source[1]
  arrive_when_copied,          // cp.async.mbarrier.arrive
  arrive_when_copied_no_count  // .noinc
};
machine::Execute mbarrier(MbarrierOperation operation);

/// Tells the mbarrier at this place of the block's shared memory that bytes have come; false when there is none, or
/// when they are more than it counts.
bool complete_bytes(std::byte* at, std::uint32_t bytes);

}  // namespace warpwright::isa
