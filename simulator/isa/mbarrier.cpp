#include "isa/mbarrier.h"

#include <cstring>

#include "isa/types.h"
#include "machine/access.h"
#include "machine/block.h"

namespace warpwright::isa {
namespace {

using machine::Instruction;
using machine::Lanes;
using machine::Warp;
using machine::warp_size;
using Operation = MbarrierOperation;

constexpr u64 field(u64 value, unsigned bits, unsigned at) { return (value & ((u64{1} << bits) - 1)) << at; }
constexpr u64 get(u64 word, unsigned bits, unsigned at) { return word >> at & ((u64{1} << bits) - 1); }

[[noreturn]] void fail(Warp& warp, Lanes lanes, std::string_view why) {
  warp.end_launch(observe::FaultKind::bad_barrier, lanes, why);
}

struct Place {
  Lanes lanes = 0;
  std::byte* at[warp_size] = {};
  u64 offset[warp_size] = {};
};

/// Where the active lanes' mbarriers lie, checked and told of.
Place place_of(Warp& warp, const Instruction& instruction) {
  machine::Addresses addresses = machine::addresses_of(warp, instruction);
  const machine::Targets targets = machine::resolve(warp, instruction, addresses);
  Place place;
  for (int t = 0; t < targets.count; ++t) {
    if (targets.of[t].space != machine::Space::shared)
      fail(warp, targets.of[t].lanes, "an mbarrier is an object in shared memory, and this address is another space's");
    place.lanes |= targets.of[t].lanes;
    for (const int lane : machine::each_lane(targets.of[t].lanes)) {
      place.offset[lane] = addresses[lane];
      place.at[lane] = targets.of[t].place(addresses[lane]);
    }
  }
  return place;
}

u64 read_word(Warp& warp, const std::byte* at, int lane) {
  u64 word;
  std::memcpy(&word, at, sizeof word);
  if (!Mbarrier::is_one(word))
    fail(warp, machine::lane_bit(lane),
         "this is no mbarrier: no mbarrier.init was executed for it, or something has overwritten it");
  return word;
}

u32 value(Warp& warp, const Instruction& instruction, int lane, u32 otherwise) {
  return instruction.source[1] == machine::no_register ? otherwise : warp.reg<u32>(instruction.source[1])[lane];
}

constexpr const char* too_many_arrivals = "more threads arrived at this mbarrier than its count expects in one phase";
constexpr const char* too_many_bytes =
    "more bytes are on their way than an mbarrier counts, or came than were expected";

template <Operation operation>
void change(Warp& warp, const Instruction& instruction, Mbarrier& barrier, int lane) {
  const Lanes lanes = machine::lane_bit(lane);
  if constexpr (operation == Operation::arrive || operation == Operation::arrive_drop) {
    const u32 count = value(warp, instruction, lane, 1);
    if constexpr (operation == Operation::arrive_drop) barrier.drop(count);
    if (!barrier.arrive(count)) fail(warp, lanes, too_many_arrivals);
  }
  constexpr bool arrives_and_expects =
      operation == Operation::arrive_expect_bytes || operation == Operation::arrive_drop_expect_bytes;
  if constexpr (arrives_and_expects || operation == Operation::expect_bytes)
    if (!barrier.expect_bytes(value(warp, instruction, lane, 0))) fail(warp, lanes, too_many_bytes);
  if constexpr (operation == Operation::complete_bytes)
    if (!barrier.complete_bytes(value(warp, instruction, lane, 0))) fail(warp, lanes, too_many_bytes);
  if constexpr (operation == Operation::arrive_drop_expect_bytes) barrier.drop(1);
  if constexpr (arrives_and_expects || operation == Operation::arrive_when_copied_no_count)
    if (!barrier.arrive(1)) fail(warp, lanes, too_many_arrivals);
  if constexpr (operation == Operation::arrive_when_copied) {
    barrier.expect_more_arrivals(1);
    barrier.arrive(1);
  }
}

template <Operation operation>
void execute(Warp& warp, const Instruction& instruction) {
  if constexpr (operation == Operation::arrive_when_copied || operation == Operation::arrive_when_copied_no_count)
    warp.async_copies().wait_all(warp, warp.active);
  const Place place = place_of(warp, instruction);
  for (const int lane : machine::each_lane(place.lanes)) {
    u64 word = 0;
    if constexpr (operation == Operation::init) {
      const u32 count = value(warp, instruction, lane, 0);
      if (count == 0 || count > Mbarrier::most_arrivals)
        fail(warp, machine::lane_bit(lane), "the count of an mbarrier is 1 to 1048575");
      word = Mbarrier(count).word();
    } else if constexpr (operation != Operation::inval) {
      word = read_word(warp, place.at[lane], lane);
      Mbarrier barrier = Mbarrier::from(word);
      if (instruction.destination != machine::no_register) warp.reg<u64>(instruction.destination)[lane] = word;
      change<operation>(warp, instruction, barrier, lane);
      word = barrier.word();
    }
    std::memcpy(place.at[lane], &word, sizeof word);
  }
}

/// test_wait and try_wait. Whoever asks has waited long enough for the copies in bulk that the barrier is told of.
template <bool by_parity>
void test_wait(Warp& warp, const Instruction& instruction) {
  const Place place = place_of(warp, instruction);
  Lanes complete = 0;
  for (const int lane : machine::each_lane(place.lanes)) {
    warp.block.bulk_copies_to(place.offset[lane]);
    const bool phase = Mbarrier::from(read_word(warp, place.at[lane], lane)).phase();
    bool waited_for = false;
    if constexpr (by_parity)
      waited_for = (warp.reg<u32>(instruction.source[1])[lane] & 1) != 0;
    else
      waited_for = Mbarrier::from(warp.reg<u64>(instruction.source[1])[lane]).phase();
    if (phase != waited_for) complete |= machine::lane_bit(lane);
  }
  if (complete != place.lanes) warp.note_polling();
  Lanes& predicate = *warp.reg<Lanes>(instruction.destination);
  predicate = (predicate & ~place.lanes) | complete;
}

void pending_count(Warp& warp, const Instruction& instruction) {
  for (const int lane : machine::each_lane(warp.active))
    warp.reg<u32>(instruction.destination)[lane] = Mbarrier::from(warp.reg<u64>(instruction.source[1])[lane]).pending();
}

}  // namespace

Mbarrier Mbarrier::from(std::uint64_t word) {
  Mbarrier barrier(static_cast<std::uint32_t>(get(word, 20, 0)));
  barrier.pending_ = static_cast<std::uint32_t>(get(word, 20, 20));
  barrier.bytes_ = static_cast<std::int32_t>(get(word, 21, 40)) - most_bytes;
  barrier.phase_ = get(word, 1, 61) != 0;
  return barrier;
}

std::uint64_t Mbarrier::word() const {
  return field(expected_, 20, 0) | field(pending_, 20, 20) | field(static_cast<u64>(bytes_ + most_bytes), 21, 40) |
         field(phase_ ? 1 : 0, 1, 61) | mark << 62;
}

bool Mbarrier::arrive(std::uint32_t count) {
  if (count > pending_) return false;
  pending_ -= count;
  complete_if_done();
  return true;
}

bool Mbarrier::expect_bytes(std::uint32_t bytes) {
  if (bytes > static_cast<std::uint32_t>(most_bytes) || bytes_ > most_bytes - static_cast<std::int32_t>(bytes))
    return false;
  bytes_ += static_cast<std::int32_t>(bytes);
  return true;
}

bool Mbarrier::complete_bytes(std::uint32_t bytes) {
  if (bytes > static_cast<std::uint32_t>(most_bytes) || bytes_ < static_cast<std::int32_t>(bytes) - most_bytes)
    return false;
  bytes_ -= static_cast<std::int32_t>(bytes);
  complete_if_done();
  return true;
}

void Mbarrier::complete_if_done() {
  if (pending_ != 0 || bytes_ != 0) return;
  phase_ = !phase_;
  pending_ = expected_;
}

bool complete_bytes(std::byte* at, std::uint32_t bytes) {
  u64 word;
  std::memcpy(&word, at, sizeof word);
  if (!Mbarrier::is_one(word)) return false;
  Mbarrier barrier = Mbarrier::from(word);
  if (!barrier.complete_bytes(bytes)) return false;
  word = barrier.word();
  std::memcpy(at, &word, sizeof word);
  return true;
}

machine::Execute mbarrier(MbarrierOperation operation) {
  switch (operation) {
    case Operation::init:
      return &execute<Operation::init>;
    case Operation::inval:
      return &execute<Operation::inval>;
    case Operation::arrive:
      return &execute<Operation::arrive>;
    case Operation::arrive_drop:
      return &execute<Operation::arrive_drop>;
    case Operation::arrive_expect_bytes:
      return &execute<Operation::arrive_expect_bytes>;
    case Operation::arrive_drop_expect_bytes:
      return &execute<Operation::arrive_drop_expect_bytes>;
    case Operation::expect_bytes:
      return &execute<Operation::expect_bytes>;
    case Operation::complete_bytes:
      return &execute<Operation::complete_bytes>;
    case Operation::test_wait:
      return &test_wait<false>;
    case Operation::test_wait_parity:
      return &test_wait<true>;
    case Operation::pending_count:
      return &pending_count;
    case Operation::arrive_when_copied:
      return &execute<Operation::arrive_when_copied>;
    case Operation::arrive_when_copied_no_count:
      return &execute<Operation::arrive_when_copied_no_count>;
  }
  return nullptr;
}

}  // namespace warpwright::isa
