#include "machine/async_copies.h"

#include <cstring>
#include <utility>

#include "machine/access.h"
#include "machine/block.h"

namespace warpwright::machine {
namespace {

constexpr std::uint32_t chunk = 16;  // bytes of a bulk copy that are told of at a time

/// The store half of a copy as an instruction, to be checked and told of like any other.
Instruction store_of(const AsyncCopy& copy, std::uint32_t bytes) {
  Instruction store;
  store.space = copy.to_shared ? Space::shared : Space::global;
  store.kind = AccessKind::store;
  store.set_elements(bytes, 1);
  store.bulk = copy.bulk;
  store.late = true;
  return store;
}

}  // namespace

void tell_issued(Warp& warp, const AsyncCopy& copy) {
  const observe::CopyIssued issued{warp.where(), copy.lanes, copy.bytes, copy.to.data()};
  for (observe::Observer* observer : warp.block.watch().access[static_cast<std::size_t>(Space::shared)])
    observer->copy_issued(issued);
}

void make_copy(Warp& warp, const AsyncCopy& copy, Lanes lanes) {
  const std::uint32_t piece = copy.bulk ? chunk : copy.bytes;
  const Instruction store = store_of(copy, piece);
  const std::byte* shared = warp.block.shared();
  const DeviceMemory& memory = *warp.block.launch().memory;
  warp.as_if_at(copy.pc, lanes, [&] {
    for (std::uint32_t at = 0; at < copy.bytes; at += piece) {
      Addresses to(copy.to.data(), at, lanes);
      const Targets targets = resolve(warp, store, to);
      for (const int lane : each_lane(lanes)) {
        const std::uint64_t source = copy.from[lane] + at;
        std::byte* destination = targets.of[0].place(to[lane]);
        const std::byte* from = copy.to_shared ? memory.place(source) : shared + source;
        const std::uint32_t read = copy.bulk ? piece : copy.read[lane];
        std::memcpy(destination, from, read);
        std::memset(destination + read, 0, piece - read);
      }
    }
  });
}

void AsyncCopies::issue(AsyncCopy copy) {
  for (const int lane : each_lane(copy.lanes)) copy.group[lane] = open_[lane];
  copies_.push_back(std::move(copy));
}

void AsyncCopies::commit(Lanes lanes) {
  for (const int lane : each_lane(lanes)) ++open_[lane];
}

void AsyncCopies::wait(Warp& warp, Lanes lanes, std::uint32_t newest) {
  make(warp, lanes,
       [&](const AsyncCopy& copy, int lane) { return std::uint64_t{copy.group[lane]} + newest < open_[lane]; });
}

void AsyncCopies::wait_all(Warp& warp, Lanes lanes) {
  make(warp, lanes, [](const AsyncCopy&, int) { return true; });
}

template <class Ready>
void AsyncCopies::make(Warp& warp, Lanes lanes, Ready ready) {
  for (AsyncCopy& copy : copies_) {
    Lanes now = 0;
    for (const int lane : each_lane(copy.lanes & lanes))
      if (ready(copy, lane)) now |= lane_bit(lane);
    if (now == 0) continue;
    make_copy(warp, copy, now);
    copy.lanes &= ~now;
  }
  std::erase_if(copies_, [](const AsyncCopy& copy) { return copy.lanes == 0; });
}

}  // namespace warpwright::machine
