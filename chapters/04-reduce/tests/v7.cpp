// reduce.v7: a quarter of the loads, by a grid that the GPU's size decides.
#include <cuda_runtime_api.h>

#include "techniques.h"

using namespace warpwright;

namespace {

template <unsigned block_threads>
void v7(const float* in, float* out, float* workspace, std::size_t n, cudaStream_t stream) {
  reduce::v7(in, out, workspace, n, block_threads, stream);
}

double multiprocessors() {
  int count = 0;
  cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0);
  return count;
}

/// Large enough that a thread of any grid that a GPU holds at once has several values to sum.
constexpr std::size_t large = std::size_t{1} << 23;

}  // namespace

TEST_F(Right, SumsEveryLength) { reduce::expect_every_length(v7<256>); }

TEST_F(Right, SumsRealNumbers) { reduce::expect_real_numbers(v7<256>); }

TEST_F(Right, KeepsNaNAndInfinity) { reduce::expect_nan_and_infinity(v7<256>); }

TEST_F(Right, SumsWithAnyBlockOfWholeWarps) {
  for (const reduce::Version version : {v7<32>, v7<64>, v7<96>, v7<224>, v7<992>, v7<1024>}) {
    reduce::expect_every_length(version);
    if (HasFailure() || made_a_mistake()) return;
  }
}

TEST_F(Right, SumsMoreThanTheGridHasThreadsFor) {
  for (const std::size_t n : {large / 2, large + 3}) {
    const auto values = whole_numbers(n, -8, 8, n);
    const auto whole = exact("whole numbers this small add up exactly, in any order");
    if (!reduce::expect_sum(v7<256>, reduce::length(n), values, sum_reference(values).sum, whole)) return;
  }
}

TEST_F(Safely, TouchesNothingElse) {
  reduce::expect_own_memory_only(v7<256>);
  reduce::expect_own_memory_only(v7<96>);
}

TEST_F(Contract, AQuarterOfTheLoadsDo) {
  const auto launch = reduce::first_launch(v7<256>);
  expect_at_most(launch, counters::global_loads, static_cast<double>(reduce::contract_n) / 128,
                 "a warp loads 128 floats at a time, four for each lane");
  reduce::expect_values_in_flight(launch, 4);
}

// At a size at which each thread comes round several times.
TEST_F(Contract, ReadsAndWritesNothingTwice) {
  reduce::expect_no_needless_traffic(reduce::first_launch(v7<256>, large), large);
}

TEST_F(Contract, TheGridStopsGrowing) {
  const auto launch = reduce::first_launch(v7<256>, large), larger = reduce::first_launch(v7<256>, 2 * large);
  expect_at_most(larger, counters::blocks, reduce::blocks_of(launch),
                 "that is the grid for half as many values: more of them are for the threads to walk through, once the "
                 "GPU is full");
  expect_at_least(larger, counters::blocks, multiprocessors(),
                  "that is how many multiprocessors the GPU has: with fewer blocks, some have nothing to do");
}

TEST_F(Contract, TwoLaunchesDo) {
  const DeviceArray<float> in("in", whole_numbers(large, -8, 8, large));
  const DeviceArray<float> out("out", 1), workspace("workspace", reduce::workspace_floats(large));
  const auto launches = profile([&] { v7<256>(in.data(), out.data(), workspace.data(), large, nullptr); });
  if (launches.size() <= 2) return;
  fail({.text = "expected at most 2 launches for n = " + thousands(large) + "; there are " +
                thousands(launches.size()) +
                "\nbecause one block that walks through the partial sums in strides sums any number of them"});
}

TEST_F(Contract, OneBarrierOfTheBlockIsEnough) { reduce::expect_one_barrier(reduce::first_launch(v7<256>)); }

TEST_F(Contract, SharedMemoryHoldsOneSumFromEachWarp) {
  reduce::expect_little_shared_memory(reduce::first_launch(v7<256>));
}

TEST_F(Contract, LanesPassSumsOnByShuffles) { reduce::expect_shuffles(reduce::first_launch(v7<256>)); }

TEST_F(Contract, EveryWarpComesToEveryBarrier) {
  reduce::expect_whole_blocks_at_barriers(reduce::first_launch(v7<256>));
}
