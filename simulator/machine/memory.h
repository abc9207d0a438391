// Problem: a wrong address must be named as what it is: a host pointer, a freed pointer, one past the end.
// Idea: device memory is one reserved range of addresses, handed out in ascending order and never twice. The list of
// allocations is therefore sorted as it grows, and nothing in it ever moves: readers need no lock.
// Invariant: an address inside the range was handed out at most once in the life of the process.
// Left out: who may reserve addresses is the operating system's business; see reservation.h in cudart/. There the bytes
// of device memory may lie elsewhere than at their addresses; who has an address asks for its `place`.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "machine/contents.h"

namespace warpwright::machine {

using Address = std::uint64_t;

/// Who may use an allocation. A kernel may use all three; host code and copies may not.
enum class Place : std::uint8_t {
  device,   // cudaMalloc, __device__ and __constant__ variables
  host,     // pinned host memory, which a kernel reaches through unified addressing
  managed,  // cudaMallocManaged, __managed__ variables
};

struct Allocation {
  Address base = 0;
  std::size_t bytes = 0;  // as asked for
  bool freed = false;
  Place place = Place::device;
  std::string origin;                       // what made it: "cudaMalloc", or a __device__ variable's name
  std::uint64_t number = 0;                 // from 1, in order of allocation
  std::shared_ptr<Contents> contents = {};  // which bytes were written; null when nobody watches
  std::uint64_t shift = 0;                  // the byte of an address is at `address + shift` in the host's memory
  bool constant = false;                    // a __constant__ variable

  bool contains(Address address, std::size_t size) const {
    return address >= base && size <= bytes && address - base <= bytes - size;
  }
};

/// Where device memory comes from: a range of addresses that nothing else in the process uses.
class Reservation {
 public:
  virtual ~Reservation() = default;
  virtual Address base() const = 0;
  virtual std::size_t bytes() const = 0;
  /// How far behind its address the byte of an address lies that is the device's alone.
  virtual std::uint64_t shift() const { return 0; }
  /// Makes pages readable and writable, or gives them back: where the bytes lie. Rounded outwards to pages by the
  /// implementation. False when the host has no memory left.
  virtual bool commit(Address at, std::size_t size) = 0;
  /// The same for bytes that are the host's too: it reaches them at the address itself, `shift()` before them.
  virtual bool commit_shared(Address at, std::size_t size) { return commit(at, size); }
  virtual void release(Address at, std::size_t size) = 0;
  /// Whether the host has something at an address that is none of these.
  virtual bool host_has(Address) const { return false; }
};

/// What an address is, for messages.
struct AddressInfo {
  enum class Kind : std::uint8_t { inside, past_end, before_start, freed, host, null, never_allocated };
  Kind kind = Kind::never_allocated;
  std::optional<Allocation> allocation;  // the one that it is in, behind or before
  std::int64_t offset = 0;               // bytes from that allocation's base
};

/// Allocations in ascending order of address. Grows only at its end, and never moves what it holds: reading `size()`
/// and then any element below it is safe beside an append.
class AllocationList {
 public:
  std::size_t size() const { return size_.load(std::memory_order_acquire); }
  const Allocation& operator[](std::size_t index) const { return const_cast<AllocationList&>(*this)[index]; }
  Allocation& operator[](std::size_t index);
  void append(Allocation allocation);
  /// Number of allocations whose base is at or below `address`.
  std::size_t count_up_to(Address address) const;

 private:
  static constexpr std::size_t first_chunk = 256;  // chunk k holds first_chunk << k allocations
  std::array<std::unique_ptr<Allocation[]>, 40> chunks_;
  std::atomic<std::size_t> size_ = 0;
};

class DeviceMemory {
 public:
  static constexpr std::size_t alignment = 256;  // at least, of every allocation, as cudaMalloc's
  /// Unused space after an allocation: as much as the allocation itself, within these bounds, so that an index that is
  /// wrong by a factor of two still meets nothing.
  static constexpr std::size_t least_guard = std::size_t{1} << 20;
  static constexpr std::size_t most_guard = std::size_t{1} << 30;
  /// An allocation's contents are 0xCD up to this many bytes and zero behind: filling gigabytes would cost seconds.
  static constexpr std::size_t poisoned = std::size_t{64} << 20;

  /// `capacity`: bytes of Place::device that may be allocated at a time, the simulated card's memory.
  DeviceMemory(Reservation& reservation, std::size_t capacity);

  /// 0 when there is no room, or when `bytes` is 0.
  Address allocate(std::size_t bytes, std::string origin, Place place = Place::device, bool constant = false);
  /// Whether allocations that cudaMalloc and its like make from now on remember which of their bytes were written.
  void watch_contents(bool watch) { watches_contents_ = watch; }
  /// Says of the host that it writes; kernels' writes are the observers' to tell.
  void host_writes(Address address, std::size_t bytes);
  /// A launch has run unwatched: of what is live, everything counts as written.
  void give_up_contents();
  /// False when `base` is not the base of a live allocation. No kernel may be running.
  bool free(Address base);

  /// Lets kernels reach host memory that the program has allocated elsewhere. False when part of it is in reach
  /// already. No kernel may be running.
  bool register_host(Address base, std::size_t bytes, std::string origin);
  /// False when `base` is not the base of registered host memory. No kernel may be running.
  bool unregister_host(Address base);
  bool has_registered_host() const;
  /// Whether there is memory, not registered, that host code reaches too.
  bool has_shared() const { return shared_ > 0; }

  /// The live allocation that holds all of [address, address + bytes), or null. Safe while kernels run, without a lock;
  /// the pointer stays valid for good, its allocation live until it is freed.
  const Allocation* find(Address address, std::size_t bytes) const;
  /// The same, asking first whether `hint` still serves, and leaving there what was found. A hint of null is no hint.
  const Allocation* find(Address address, std::size_t bytes, const Allocation*& hint) const {
    if (hint != nullptr && hint->contains(address, bytes) && !hint->freed) return hint;
    const Allocation* found = find(address, bytes);
    if (found != nullptr) hint = found;
    return found;
  }
  AddressInfo describe(Address address) const;
  /// Whether the host has something of its own at an address.
  bool host_has(Address address) const { return reservation_.host_has(address); }
  /// Where the host has the byte of an address: of live device memory wherever the reservation keeps it, of everything
  /// else at the address itself.
  std::byte* place(Address address) const;

  std::size_t capacity() const { return capacity_; }
  std::size_t in_use() const;
  /// Without registered host memory.
  std::vector<Allocation> live() const;

 private:
  const Allocation* find_registered(Address address, std::size_t bytes) const;

  mutable std::mutex mutex_;  // of those that change something
  Reservation& reservation_;
  std::size_t capacity_;
  std::size_t in_use_ = 0;
  std::size_t shared_ = 0;  // allocations
  Address next_;
  bool watches_contents_ = false;
  AllocationList allocations_;  // freed ones stay, to be named
  std::deque<Allocation> registered_;
};

}  // namespace warpwright::machine
