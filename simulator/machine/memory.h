// Problem: a wrong address must be named as what it is: a host pointer, a freed pointer, one past the end.
// Idea: device memory is one reserved range of addresses, handed out in ascending order and never twice.
// Invariant: an address inside the range was handed out at most once in the life of the process.
// Left out: who may reserve addresses is the operating system's business; see reservation.h in cudart/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace warpwright::machine {

using Address = std::uint64_t;

struct Allocation {
  Address base = 0;
  std::size_t bytes = 0;      // as asked for
  bool freed = false;
  std::string origin;         // what made it: "cudaMalloc", or a __device__ variable's name
  std::uint64_t number = 0;   // from 1, in order of allocation

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
  /// Makes pages readable and writable, or gives them back. Rounded outwards to pages by the implementation.
  /// False when the host has no memory left.
  virtual bool commit(Address at, std::size_t size) = 0;
  virtual void release(Address at, std::size_t size) = 0;
};

/// What an address is, for messages.
struct AddressInfo {
  enum class Kind : std::uint8_t { inside, past_end, before_start, freed, host, null, never_allocated };
  Kind kind = Kind::never_allocated;
  std::optional<Allocation> allocation;  // the one that it is in, behind or before
  std::int64_t offset = 0;               // bytes from that allocation's base
};

class DeviceMemory {
 public:
  static constexpr std::size_t alignment = 256;  // of every allocation, as cudaMalloc's
  static constexpr std::size_t guard = 4096;     // least unused space between two allocations

  /// `capacity`: bytes that may be allocated at a time, the simulated card's memory.
  DeviceMemory(Reservation& reservation, std::size_t capacity);

  /// 0 when there is no room. Contents are a fixed, unhelpful pattern (0xCD).
  Address allocate(std::size_t bytes, std::string origin);
  /// False when `base` is not the base of a live allocation.
  bool free(Address base);

  /// The live allocation that holds all of [address, address + bytes), or null. Safe while kernels run; the pointer
  /// stays valid until that allocation is freed.
  const Allocation* find(Address address, std::size_t bytes) const;
  AddressInfo describe(Address address) const;

  std::size_t capacity() const { return capacity_; }
  std::size_t in_use() const { return in_use_; }
  std::vector<Allocation> live() const;

 private:
  mutable std::mutex mutex_;
  Reservation& reservation_;
  std::size_t capacity_;
  std::size_t in_use_ = 0;
  Address next_;
  std::uint64_t count_ = 0;
  std::map<Address, Allocation> allocations_;  // by base; freed ones stay, to be named
};

}  // namespace warpwright::machine
