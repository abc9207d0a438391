// Problem: every access to global memory is held against all earlier ones of the launch, and a word of notes for each
// byte of a gigabyte is too much.
// Idea: warps touch memory in stretches: neighbouring lanes, neighbouring elements. A line of 128 bytes keeps a list of
// the stretches that were touched and by whom; a coalesced kernel has one or two for each line. Of readers two are
// enough: order comes in blocks and warps, so that a writer who is not ordered behind some reader is not ordered behind
// one of any two in different blocks, or in different warps.
// Invariant: a stretch that is forgotten was ordered before one that covers it and conflicts with at least as much.
// Left out: readers beyond two where flags order blocks one by one: such readers may be missed. Stretches
// beyond a number for each line are not remembered, which bounds the memory.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "machine/memory.h"
#include "observe/accessors.h"
#include "observe/happens_before.h"

namespace warpwright::observe {

/// Neighbouring lanes of a warp touch neighbouring elements; or one thread, or several, one element.
struct Stretch {
  std::uint32_t block = 0;
  Stamp stamp = 0;
  Who who = 0;               // the instruction, and the thread that touches the first byte
  std::uint8_t first = 0;    // byte in the line
  std::uint8_t bytes = 0;    // 1 to 128
  std::uint8_t shift = 7;    // an element is 1 << shift bytes; 7 when all is one thread's
  std::uint8_t another = 0;  // lanes from `who` to another one that touches the same bytes; 0: nobody else

  std::uint32_t end() const { return std::uint32_t{first} + bytes; }
  bool overlaps(const Stretch& other) const { return first < other.end() && other.first < end(); }
  bool covers(const Stretch& other) const { return first <= other.first && end() >= other.end(); }
  std::uint32_t thread_at(std::uint32_t byte) const { return thread_in(who) + ((byte - first) >> shift); }
  /// Whether each byte that both touch is touched by the same thread.
  bool same_threads(const Stretch& other) const {
    return another == 0 && other.another == 0 && shift == other.shift && block == other.block &&
           thread_in(who) ==
               thread_in(other.who) + ((static_cast<int>(first) - static_cast<int>(other.first)) >> shift) &&
           ((first ^ other.first) & ((1u << shift) - 1)) == 0;
  }
};

/// What is known of 128 bytes. As long as a host's cache line.
class alignas(64) Line {
 public:
  static constexpr std::uint32_t bytes = 128;
  /// Stretches: 40 of them outside the line make its notes five and a half times as long as the memory they are about.
  /// A line whose words are all written apart has 32.
  static constexpr std::uint32_t most = 43;

  Line() = default;
  ~Line() { delete[] more_; }
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;

  void lock() {
    while (locked_.exchange(true, std::memory_order_acquire)) {
    }
  }
  void unlock() { locked_.store(false, std::memory_order_release); }

  std::uint32_t size() const { return size_; }
  Stretch& operator[](std::uint32_t index) { return index < inside ? inside_[index] : more_[index - inside]; }
  void add(const Stretch& stretch);
  void remove(std::uint32_t index) { (*this)[index] = (*this)[--size_]; }

 private:
  static constexpr std::uint32_t inside = 3;
  std::atomic<bool> locked_ = false;
  std::uint16_t size_ = 0;
  std::uint16_t room_ = 0;  // of more_
  Stretch* more_ = nullptr;
  Stretch inside_[inside];
};

/// The lines of a launch. Shared by its host threads.
class GlobalShadow {
 public:
  /// The lines of one allocation, which come into being as they are touched.
  class Lines {
   public:
    explicit Lines(const machine::Allocation& allocation);
    ~Lines();
    Lines(const Lines&) = delete;
    Lines& operator=(const Lines&) = delete;
    bool contains(machine::Address address, std::size_t size) const {
      return address >= base_ && address - base_ + size <= bytes_;
    }
    /// The line that holds an address, counted from the allocation's first.
    Line& at(machine::Address address);
    machine::Address base() const { return base_; }

   private:
    static constexpr std::size_t page_lines = 512;
    machine::Address base_;
    std::size_t bytes_;
    std::vector<std::atomic<Line*>> pages_;
  };

  Lines& lines_of(const machine::Allocation& allocation);

 private:
  std::mutex mutex_;
  std::unordered_map<std::uint64_t, std::unique_ptr<Lines>> lines_;  // by allocation number
};

}  // namespace warpwright::observe
