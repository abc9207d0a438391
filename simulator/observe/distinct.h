// Problem: costs of memory are numbers of distinct sectors or words among at most 32, needed millions of times a
// second.
// Idea: numbers in ascending or descending order are distinct where neighbours differ; any other order goes through a
// hash table that fits two cache lines.
#pragma once

#include <cstdint>
#include <cstring>

namespace warpwright::observe {

/// A set of at most 32 numbers, kept as indices into the caller's array.
class SmallSet {
 public:
  explicit SmallSet(const std::uint64_t* numbers) : numbers_(numbers) { std::memset(slots_, 0, sizeof slots_); }

  /// Whether numbers[index] is not in the set yet; it is afterwards.
  bool insert(unsigned index) {
    const std::uint64_t number = numbers_[index];
    unsigned slot = static_cast<unsigned>(number * 0x9E3779B97F4A7C15u >> 57);
    while (slots_[slot] != 0) {
      if (numbers_[slots_[slot] - 1] == number) return false;
      slot = (slot + 1) % slot_count;
    }
    slots_[slot] = static_cast<std::uint8_t>(index + 1);
    return true;
  }

 private:
  static constexpr unsigned slot_count = 128;
  const std::uint64_t* numbers_;
  std::uint8_t slots_[slot_count];  // index + 1, or 0
};

/// How many different numbers there are among the first `count`, at most 32.
inline unsigned count_distinct(const std::uint64_t* numbers, unsigned count) {
  if (count == 0) return 0;
  unsigned steps = 0;
  std::uint64_t up = 0;
  std::uint64_t down = 0;
  for (unsigned i = 1; i < count; ++i) {
    const std::uint64_t step = numbers[i] - numbers[i - 1];
    steps += step != 0;
    up |= step;
    down |= std::uint64_t{0} - step;
  }
  if (up >> 63 == 0 || down >> 63 == 0) return steps + 1;
  SmallSet seen(numbers);
  unsigned distinct = 0;
  for (unsigned i = 0; i < count; ++i) distinct += seen.insert(i);
  return distinct;
}

}  // namespace warpwright::observe
