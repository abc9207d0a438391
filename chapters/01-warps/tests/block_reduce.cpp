// warps.block_reduce: blocks of any size, summed in two levels.
#include <limits>

#include "expect.h"
#include "failure.h"
#include "groups.h"

using namespace warpwright;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

constexpr unsigned sizes[] = {256, 1,  2,   3,   16,  31,  32,  33,   48,   63,  64,
                              65,  96, 100, 255, 257, 500, 992, 1000, 1023, 1024};

std::string shape(std::size_t n, unsigned threads) {
  return fmt::format("n = {}, blocks of {}", thousands(n), so_many(threads, "thread"));
}

std::vector<float> on_device(const std::vector<float>& values, unsigned threads) {
  const DeviceArray<float> in("in", values), sums("sums", (values.size() + threads - 1) / threads);
  warps::block_reduce(in.data(), sums.data(), values.size(), threads, nullptr);
  return sums.download();
}

bool expect_sums(const std::string& input, const std::vector<float>& values, unsigned threads,
                 const Tolerance& tolerance) {
  std::vector<double> expected((values.size() + threads - 1) / threads, 0);
  for (std::size_t i = 0; i < values.size(); ++i) expected[i / threads] += values[i];
  const auto wrong = mismatch("sums", on_device(values, threads), expected, tolerance);
  expect(input, wrong);
  return !wrong && !made_a_mistake();
}

const Tolerance whole = exact("whole numbers this small add up exactly, in any order");

}  // namespace

TEST_F(Right, SumsBlocksOfEverySize) {
  for (const unsigned threads : sizes) {
    for (const std::size_t n : {std::size_t{2} * threads, std::size_t{0}, std::size_t{1}, std::size_t{threads} + 1,
                                std::size_t{3} * threads - 1}) {
      if (!expect_sums(shape(n, threads), whole_numbers(n, -64, 64, n + threads), threads, whole)) return;
    }
  }
}

TEST_F(Right, CountsEveryThreadOnce) {
  for (const unsigned threads : {33u, 48u, 256u, 1000u}) {
    for (unsigned only = 0; only < threads; only += only < 70 ? 1 : 31) {
      std::vector<float> values(threads, 0);
      values[only] = 1;
      if (!expect_sums(shape(threads, threads) + fmt::format(", in[{}] = 1 and the others 0", only), values, threads,
                       whole))
        return;
    }
  }
}

TEST_F(Right, SumsRealNumbers) {
  for (const unsigned threads : {256u, 1000u}) {
    const std::size_t n = std::size_t{20} * threads;
    const SumReference largest{0, threads * 1000.0};
    if (!expect_sums(shape(n, threads) + ", numbers in [-1000, 1000)", real_numbers(n, -1000, 1000, 7), threads,
                     sum_tolerance(threads, largest)))
      return;
  }
}

TEST_F(Right, SpoilsOnlyTheBlockOfANaN) {
  for (const unsigned threads : {48u, 256u}) {
    for (const float special : {not_a_number, infinity, -infinity}) {
      for (const unsigned at : {0u, 31u, threads - 1, threads + 1}) {
        auto values = whole_numbers(std::size_t{3} * threads, -8, 8, at);
        values[at] = special;
        if (!expect_sums(shape(values.size(), threads) + fmt::format(", in[{}] = {}", at, special), values, threads,
                         whole))
          return;
      }
    }
  }
}

TEST_F(Safely, TouchesNothingElse) {
  for (const unsigned threads : {1u, 33u, 256u, 1000u}) {
    const auto values = whole_numbers(std::size_t{2} * threads + 1, -8, 8, threads);
    const DeviceArray<float> in("in", values), sums("sums", 3);
    warps::block_reduce(in.data(), sums.data(), values.size(), threads, nullptr);
    warps::expect_unchanged(shape(values.size(), threads), "in", in, values);
  }
}

namespace {

constexpr unsigned contract_sizes[] = {256, 1024, 64, 48, 1000};
constexpr std::size_t contract_blocks = 16;

observe::Report launch_of(unsigned threads) {
  const DeviceArray<float> in("in", whole_numbers(contract_blocks * threads, -8, 8, 1)), sums("sums", contract_blocks);
  return profile([&] { warps::block_reduce(in.data(), sums.data(), contract_blocks * threads, threads, nullptr); })
      .front();
}

double warps_of_block(unsigned threads) { return static_cast<double>(warps::warps_of(threads)); }

/// Bytes of shared memory that a block has.
double shared_bytes(const observe::Report& launch) {
  double bytes = launch.dynamic_shared_bytes;
  for (const auto& array : launch.program().shared) bytes += static_cast<double>(array.bytes);
  return bytes;
}

}  // namespace

TEST_F(Contract, OneBarrierIsEnough) {
  for (const unsigned threads : contract_sizes) {
    const auto launch = launch_of(threads);
    expect_exactly(launch, counters::block_barriers, contract_blocks,
                   "the warps have to wait for each other once, between the two levels");
    expect_at_least(launch, counters::barrier_arrivals, contract_blocks * warps_of_block(threads),
                    "__syncthreads() is for all threads of the block");
    if (HasFailure()) return;
  }
}

TEST_F(Contract, Needs128BytesOfSharedMemoryAtMost) {
  for (const unsigned threads : contract_sizes) {
    const auto launch = launch_of(threads);
    if (shared_bytes(launch) <= 128) continue;
    fail({.text = fmt::format("expected at most 128 bytes of shared memory for blocks of {} threads; they have {:.0f}\n"
                              "because 1024 threads are 32 warps, and each has one sum of 4 bytes to hand over",
                              threads, shared_bytes(launch))});
    return;
  }
}

TEST_F(Contract, EveryWarpSumsByShuffles) {
  for (const unsigned threads : {256u, 1024u, 64u}) {
    const auto launch = launch_of(threads);
    expect_at_least(launch, warps::shuffles_executed, 5 * contract_blocks * warps_of_block(threads),
                    "each warp brings its 32 values together in five rounds");
    expect_at_most(launch, warps::shuffles_executed, 5 * contract_blocks * (warps_of_block(threads) + 1),
                   "the sums of the warps are brought together by one warp");
    expect_exactly(launch, counters::load_sectors, contract_blocks * threads / 8.0,
                   "8 floats share a sector, and each is loaded once");
    if (HasFailure()) return;
  }
}

TEST_F(Contract, TheWarpsNeedNoAtomics) {
  expect_exactly(launch_of(256), counters::atomics, 0, "warp 0 adds the sums");
}
