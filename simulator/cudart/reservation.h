// Problem: a simulated device address must be one that no host object can have, and that host code cannot follow: on a
// machine with a GPU the program is killed there.
// Idea: ask the operating system for two ranges, one behind the other, far larger than any memory and inaccessible. The
// first one has the device's addresses. The bytes are in the second, at the same place; those of managed and pinned
// memory, which is the host's too, are mapped in the first as well: host code can be stopped there (host_guard.h) where
// kernels and copies go on. Pages become usable as they are handed out, and inaccessible again when they are freed.
// Invariant: pages that were not committed, or were released, cannot be touched: the host stops at the access.
// Left out: which part of the range belongs to whom (machine/memory.h), what the host is told when it stops
// (host_access.h), and a host that computes its way into the second range.
#pragma once

#include <cstddef>
#include <cstdint>

#include "machine/memory.h"

namespace warpwright::cudart {

class AddressReservation final : public machine::Reservation {
 public:
  /// Reserves `most` bytes of addresses, or the largest half, quarter... of it that a limit on the address space
  /// allows, and as many for what they hold.
  /// Throws std::bad_alloc when not even `least` can be had.
  explicit AddressReservation(std::size_t most = default_most);
  ~AddressReservation() override;
  AddressReservation(const AddressReservation&) = delete;
  AddressReservation& operator=(const AddressReservation&) = delete;

  machine::Address base() const override { return base_; }
  std::size_t bytes() const override { return bytes_; }
  std::uint64_t shift() const override { return bytes_; }
  bool commit(machine::Address at, std::size_t size) override;
  bool commit_shared(machine::Address at, std::size_t size) override;
  void release(machine::Address at, std::size_t size) override;
  bool host_has(machine::Address at) const override;

  /// What host code may do to shared memory, at the addresses that it knows. From a page's start on.
  enum class Host : std::uint8_t { nothing, reads, reads_and_writes };
  static void let_host(Host host, machine::Address at, std::size_t size);

  static const std::size_t default_most;
  static constexpr std::size_t least = std::size_t{64} << 20;

 private:
  machine::Address base_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace warpwright::cudart
