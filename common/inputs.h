// Problem: a kernel that drops, doubles or reorders values must not pass because its input is too kind.
// Idea: values from a seeded generator of our own, the same on every machine, in two sorts: whole numbers small enough
// that every order of addition is exact, so that one lost value is seen; and real numbers, which round as data does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace warpwright {

/// A reproducible stream of numbers (splitmix64).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  /// Leaves out so many numbers.
  void skip(std::uint64_t count) { state_ += count * step; }
  /// Uniform in [0, 1), a multiple of 2^-53.
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  /// Uniform in [0, bound).
  std::uint64_t below(std::uint64_t bound) { return next() % bound; }

 private:
  static constexpr std::uint64_t step = 0x9e3779b97f4a7c15u;
  std::uint64_t state_;
};

/// Whole numbers in [low, high], none of them 0, so that every single one counts.
std::vector<float> whole_numbers(std::size_t n, int low, int high, std::uint64_t seed);

/// Uniform in [low, high).
std::vector<float> real_numbers(std::size_t n, double low, double high, std::uint64_t seed);

/// Pairs of large opposite values, shuffled, among small ones: the sum is far smaller than what is added.
std::vector<float> cancelling_numbers(std::size_t n, std::uint64_t seed);

/// The sum in double precision, and that of the absolute values, both far more exact than any float.
struct SumReference {
  double sum = 0;
  double sum_of_absolutes = 0;
};
SumReference sum_reference(std::span<const float> values);

}  // namespace warpwright
