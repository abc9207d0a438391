// warps.identify: places as the hardware gives them, for blocks of every shape.
#include <fmt/core.h>

#include "claims.h"
#include "contract.h"
#include "device_array.h"
#include "profile.h"
#include "warps.h"
#include "words.h"

using namespace warpwright;

namespace {

struct Shape {
  dim3 grid, block;
  std::size_t threads() const { return std::size_t{block.x} * block.y * block.z; }
  std::size_t all_threads() const { return threads() * grid.x * grid.y * grid.z; }
};

std::string name_of(const Shape& shape) {
  return fmt::format("blocks of ({}, {}, {}) threads", shape.block.x, shape.block.y, shape.block.z);
}

/// What is wrong with the places, in words, or nothing.
std::optional<std::string> mismatch(const std::vector<warps::Place>& places, const Shape& shape) {
  for (std::size_t i = 0; i < places.size(); ++i) {
    const std::size_t thread = i % shape.threads(), block = i / shape.threads();
    const auto name =
        fmt::format("places[{}], of thread ({}, {}, {}) of block {},", i, thread % shape.block.x,
                    thread / shape.block.x % shape.block.y, thread / shape.block.x / shape.block.y, block);
    if (is_poison(places[i])) return name + " was never written: it still holds the poison that the test put there";
    if (places[i].warp != thread / 32 || places[i].lane != thread % 32)
      return fmt::format("{} is warp {}, lane {}\nexpected warp {}, lane {}", name, places[i].warp, places[i].lane,
                         thread / 32, thread % 32);
  }
  return std::nullopt;
}

void expect_places(const Shape& shape) {
  const DeviceArray<warps::Place> places("places", shape.all_threads());
  warps::identify(places.data(), shape.grid, shape.block, nullptr);
  expect(name_of(shape), mismatch(places.download(), shape));
}

}  // namespace

TEST_F(Right, CountsAlongX) {
  for (const unsigned threads : {1, 31, 32, 33, 48, 256, 1000, 1024}) expect_places({dim3(3), dim3(threads)});
}

TEST_F(Right, CountsXFirstThenYThenZ) {
  for (const dim3 block : {dim3(32, 2), dim3(8, 4), dim3(16, 16), dim3(5, 7), dim3(1, 33), dim3(4, 4, 4), dim3(3, 5, 7),
                           dim3(1, 1, 64), dim3(2, 1, 40)})
    expect_places({dim3(2), block});
}

TEST_F(Right, StartsAgainInEveryBlock) { expect_places({dim3(2, 3, 4), dim3(10, 4, 2)}); }

TEST_F(Contract, EveryThreadStoresItsOwnPlaceOnce) {
  const Shape shape{dim3(64), dim3(16, 16)};
  const DeviceArray<warps::Place> places("places", shape.all_threads());
  const auto launch = profile([&] { warps::identify(places.data(), shape.grid, shape.block, nullptr); }).front();
  const auto bytes = static_cast<double>(shape.all_threads() * sizeof(warps::Place));
  expect_exactly(launch, counters::bytes_stored, bytes, "each thread has one place of 8 bytes to tell");
  expect_exactly(launch, counters::divergent_branches, 0, "all threads do the same arithmetic; no branch is needed");
}
