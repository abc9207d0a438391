// Problem: a simulated device address must be one that no host object can have.
// Idea: ask the operating system for a range that is far larger than any memory and inaccessible; make pages usable as
// they are handed out, inaccessible again when they are freed.
// Invariant: pages that were not committed, or were released, cannot be touched: the host stops at the access.
// Left out: which part of the range belongs to whom (machine/memory.h).
#pragma once

#include <cstddef>

#include "machine/memory.h"

namespace warpwright::cudart {

class AddressReservation final : public machine::Reservation {
 public:
  /// Reserves `most` bytes, or the largest half, quarter... of it that a limit on the address space allows.
  /// Throws std::bad_alloc when not even `least` can be had.
  explicit AddressReservation(std::size_t most = default_most);
  ~AddressReservation() override;
  AddressReservation(const AddressReservation&) = delete;
  AddressReservation& operator=(const AddressReservation&) = delete;

  machine::Address base() const override { return base_; }
  std::size_t bytes() const override { return bytes_; }
  bool commit(machine::Address at, std::size_t size) override;
  void release(machine::Address at, std::size_t size) override;

  static const std::size_t default_most;
  static constexpr std::size_t least = std::size_t{64} << 20;

 private:
  machine::Address base_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace warpwright::cudart
