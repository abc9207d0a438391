#include "cudart/host_guard.h"

#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "cudart/runtime.h"

namespace warpwright::cudart {
namespace {

using Host = AddressReservation::Host;

std::size_t page() {
  static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

void let_host(Host host, machine::Address base, const observe::ByteSet::Range& range) {
  AddressReservation::let_host(host, base + range.first, range.end - range.first);
}

}  // namespace

void HostGuard::open(const machine::Allocation& allocation) {
  let_host(Host::reads_and_writes, allocation.base, {0, allocation.bytes});
  closed_.erase(allocation.number);
}

void HostGuard::refresh() {
  std::map<std::uint64_t, machine::Address> changed = runtime().races.take_changed();
  if (!closed_.empty() && host_ != runtime().order.host())
    for (const auto& [number, closed] : closed_) changed.emplace(number, closed.base);
  if (changed.empty()) return;
  host_ = runtime().order.host();
  for (const auto& [number, base] : changed) refresh(number, base);
}

void HostGuard::refresh(std::uint64_t number, machine::Address base) {
  const machine::Allocation* allocation = runtime().memory.find(base, 1);
  // Memory of the device alone is always closed, and registered memory is mapped once.
  if (allocation == nullptr || allocation->place == machine::Place::device || allocation->shift == 0) {
    closed_.erase(number);
    return;
  }
  const StreamRaces::Busy busy = runtime().races.busy(number, runtime().order);
  const auto ranges = [&](const observe::ByteSet& bytes) {
    Ranges found = bytes.whole_pages(allocation->bytes, page());
    if (found.size() > most_ranges) found.resize(most_ranges);
    return found;
  };
  Closed wanted{base, ranges(busy.to_read), ranges(busy.to_write)};
  const auto found = closed_.find(number);
  if (found != closed_.end() && found->second.to_read == wanted.to_read && found->second.to_write == wanted.to_write)
    return;
  if (found != closed_.end()) open(*allocation);
  if (wanted.to_write.empty()) return;
  for (const auto& range : wanted.to_write) let_host(Host::reads, base, range);
  for (const auto& range : wanted.to_read) let_host(Host::nothing, base, range);
  closed_[number] = std::move(wanted);
}

}  // namespace warpwright::cudart
