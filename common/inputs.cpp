#include "inputs.h"

#include <algorithm>
#include <cmath>
#include <thread>
#include <utility>

namespace warpwright {
namespace {

/// Calls fill(first, last) for shares of [0, n) that make up all of it; where n is a matter of seconds, on all of the
/// host's processors.
template <class Fill>
void in_shares(std::size_t n, Fill fill) {
  const std::size_t processors = n < std::size_t{1} << 22 ? 1 : std::max(1u, std::thread::hardware_concurrency());
  const std::size_t share = n / processors + 1;
  std::vector<std::thread> others;
  for (std::size_t first = share; first < n; first += share)
    others.emplace_back(fill, first, std::min(n, first + share));
  fill(0, std::min(n, share));
  for (std::thread& other : others) other.join();
}

}  // namespace

std::uint64_t Random::next() {
  state_ += step;
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
  std::vector<float> values(n);
  in_shares(n, [&](std::size_t first, std::size_t last) {
    Random random(seed);
    random.skip(first);
    for (std::size_t i = first; i < last; ++i) values[i] = static_cast<float>(low + (high - low) * random.unit());
  });
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
