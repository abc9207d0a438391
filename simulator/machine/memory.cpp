#include "machine/memory.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace warpwright::machine {
namespace {

constexpr std::size_t page = 4096;
// An allocation of this size or more starts at a multiple of it, so that the host can back it with huge pages.
constexpr std::size_t huge_page = std::size_t{2} << 20;
// Linux maps nothing below this address: what lies there is a null pointer plus an index.
constexpr Address null_page_end = Address{64} << 10;

constexpr Address round_up(Address address, std::size_t granule) { return (address + granule - 1) / granule * granule; }

}  // namespace

Allocation& AllocationList::operator[](std::size_t index) {
  const std::size_t chunk = std::bit_width(index / first_chunk + 1) - 1;
  return chunks_[chunk][index - first_chunk * ((std::size_t{1} << chunk) - 1)];
}

void AllocationList::append(Allocation allocation) {
  const std::size_t index = size_.load(std::memory_order_relaxed);
  const std::size_t chunk = std::bit_width(index / first_chunk + 1) - 1;
  if (!chunks_[chunk]) chunks_[chunk] = std::make_unique<Allocation[]>(first_chunk << chunk);
  (*this)[index] = std::move(allocation);
  size_.store(index + 1, std::memory_order_release);
}

std::size_t AllocationList::count_up_to(Address address) const {
  std::size_t low = 0;
  std::size_t high = size();
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if ((*this)[middle].base <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

DeviceMemory::DeviceMemory(Reservation& reservation, std::size_t capacity)
    : reservation_(reservation), capacity_(capacity), next_(reservation.base() + least_guard) {}

Address DeviceMemory::allocate(std::size_t bytes, std::string origin, Place place, bool constant) {
  if (bytes == 0) return 0;
  const std::lock_guard lock(mutex_);
  const Address end = reservation_.base() + reservation_.bytes();
  const Address base = round_up(next_, bytes >= huge_page ? huge_page : page);
  if (place == Place::device && bytes > capacity_ - in_use_) return 0;
  if (base >= end || bytes > end - base) return 0;
  const std::uint64_t shift = reservation_.shift();
  const bool is_shared = place != Place::device;
  if (!(is_shared ? reservation_.commit_shared(base + shift, bytes) : reservation_.commit(base + shift, bytes)))
    return 0;
  std::memset(reinterpret_cast<void*>(base + shift), 0xCD, std::min(bytes, poisoned));

  next_ = round_up(base + bytes, page) + std::clamp(bytes, least_guard, most_guard);
  if (is_shared)
    ++shared_;
  else
    in_use_ += bytes;
  const bool watched = watches_contents_ && !is_shared && origin.starts_with("cuda");
  allocations_.append({base, bytes, false, place, std::move(origin), allocations_.size() + 1,
                       watched ? std::make_shared<Contents>(bytes) : nullptr, shift, constant});
  return base;
}

bool DeviceMemory::free(Address base) {
  const std::lock_guard lock(mutex_);
  const std::size_t count = allocations_.count_up_to(base);
  if (count == 0) return false;
  Allocation& allocation = allocations_[count - 1];
  if (allocation.base != base || allocation.freed) return false;
  allocation.freed = true;
  const bool is_shared = allocation.place != Place::device;
  if (is_shared)
    --shared_;
  else
    in_use_ -= allocation.bytes;
  allocation.contents.reset();
  if (is_shared && allocation.shift != 0) reservation_.release(base, allocation.bytes);
  reservation_.release(base + allocation.shift, allocation.bytes);
  return true;
}

void DeviceMemory::host_writes(Address address, std::size_t bytes) {
  const Allocation* allocation = find(address, bytes);
  if (allocation != nullptr && allocation->contents)
    allocation->contents->host_writes(address - allocation->base, bytes);
}

void DeviceMemory::give_up_contents() {
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < allocations_.size(); ++i)
    if (allocations_[i].contents) allocations_[i].contents->give_up();
}

const Allocation* DeviceMemory::find(Address address, std::size_t bytes) const {
  const std::size_t count = allocations_.count_up_to(address);
  if (count > 0) {
    const Allocation& allocation = allocations_[count - 1];
    if (allocation.contains(address, bytes) && !allocation.freed) return &allocation;
  }
  return registered_.empty() ? nullptr : find_registered(address, bytes);
}

const Allocation* DeviceMemory::find_registered(Address address, std::size_t bytes) const {
  for (const Allocation& allocation : registered_)
    if (!allocation.freed && allocation.contains(address, bytes)) return &allocation;
  return nullptr;
}

bool DeviceMemory::register_host(Address base, std::size_t bytes, std::string origin) {
  const std::lock_guard lock(mutex_);
  if (base < reservation_.base() + reservation_.bytes() && reservation_.base() < base + bytes) return false;
  for (const Allocation& other : registered_)
    if (!other.freed && base < other.base + other.bytes && other.base < base + bytes) return false;
  // Numbers that no allocation of the card's reaches.
  const std::uint64_t number = (std::uint64_t{1} << 40) + registered_.size();
  Allocation& made = registered_.emplace_back();
  made.base = base;
  made.bytes = bytes;
  made.place = Place::host;
  made.origin = std::move(origin);
  made.number = number;
  return true;
}

bool DeviceMemory::unregister_host(Address base) {
  const std::lock_guard lock(mutex_);
  for (Allocation& allocation : registered_) {
    if (allocation.base != base || allocation.freed) continue;
    allocation.freed = true;
    return true;
  }
  return false;
}

bool DeviceMemory::has_registered_host() const {
  const std::lock_guard lock(mutex_);
  return !std::ranges::all_of(registered_, &Allocation::freed);
}

AddressInfo DeviceMemory::describe(Address address) const {
  using Kind = AddressInfo::Kind;
  if (address < null_page_end) return {Kind::null, std::nullopt, static_cast<std::int64_t>(address)};
  if (address < reservation_.base() || address - reservation_.base() >= reservation_.bytes())
    return {Kind::host, std::nullopt, 0};

  const auto relative_to = [address](Kind kind, const Allocation& allocation) {
    return AddressInfo{kind, allocation, static_cast<std::int64_t>(address - allocation.base)};
  };
  const std::size_t below = allocations_.count_up_to(address);
  const Allocation* before = below > 0 ? &allocations_[below - 1] : nullptr;
  const Allocation* after = below < allocations_.size() ? &allocations_[below] : nullptr;
  if (before != nullptr && before->contains(address, 1))
    return relative_to(before->freed ? Kind::freed : Kind::inside, *before);
  // Between two allocations: the nearer one is meant.
  if (after != nullptr && (before == nullptr || after->base - address < address - (before->base + before->bytes)))
    return relative_to(Kind::before_start, *after);
  if (before != nullptr) return relative_to(Kind::past_end, *before);
  return {Kind::never_allocated, std::nullopt, 0};
}

std::byte* DeviceMemory::place(Address address) const {
  const Allocation* allocation = find(address, 1);
  return reinterpret_cast<std::byte*>(address + (allocation != nullptr ? allocation->shift : 0));
}

std::size_t DeviceMemory::in_use() const {
  const std::lock_guard lock(mutex_);
  return in_use_;
}

std::vector<Allocation> DeviceMemory::live() const {
  const std::lock_guard lock(mutex_);
  std::vector<Allocation> result;
  for (std::size_t i = 0; i < allocations_.size(); ++i)
    if (!allocations_[i].freed) result.push_back(allocations_[i]);
  return result;
}

}  // namespace warpwright::machine
