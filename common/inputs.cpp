#include "inputs.h"

#include <cmath>
#include <utility>

namespace warpwright {

std::uint64_t Random::next() {
  state_ += 0x9e3779b97f4a7c15u;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

std::vector<float> whole_numbers(std::size_t n, int low, int high, std::uint64_t seed) {
  Random random(seed);
  std::vector<float> values(n);
  for (float& value : values) {
    do {
      value = static_cast<float>(low + static_cast<int>(random.below(static_cast<std::uint64_t>(high - low) + 1)));
    } while (value == 0);
  }
  return values;
}

std::vector<float> real_numbers(std::size_t n, double low, double high, std::uint64_t seed) {
  Random random(seed);
  std::vector<float> values(n);
  for (float& value : values) value = static_cast<float>(low + (high - low) * random.unit());
  return values;
}

std::vector<float> cancelling_numbers(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  std::vector<float> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<float>(random.unit());
  for (std::size_t i = 0; i + 1 < n; i += 2) {
    if (i % 8 == 0) continue;  // one pair in four stays small
    values[i] = static_cast<float>(1e4 * (1 + random.unit()));
    values[i + 1] = -values[i];
  }
  for (std::size_t i = n; i > 1; --i) std::swap(values[i - 1], values[random.below(i)]);
  return values;
}

SumReference sum_reference(std::span<const float> values) {
  SumReference reference;
  for (float value : values) {
    reference.sum += value;
    reference.sum_of_absolutes += std::abs(static_cast<double>(value));
  }
  return reference;
}

}  // namespace warpwright
