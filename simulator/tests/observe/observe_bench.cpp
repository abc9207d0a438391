// Nanoseconds an event: what each observer costs the machine. The events are those of tree reductions and of matrix
// tiles.
#include <benchmark/benchmark.h>

#include <array>

#include "observe/bank_conflicts.h"
#include "observe/coalescing.h"
#include "observe/definedness.h"
#include "observe/divergence.h"
#include "observe/instructions.h"
#include "observe/shared_race.h"
#include "scene.h"

namespace warpwright::observe::testing {
namespace {

using Make = std::unique_ptr<Observer> (*)();
using AddressOf = std::uint64_t (*)(int lane, int warp);

/// A memory instruction by 256 threads, over and over, with a block barrier after each round of warps.
void accesses(benchmark::State& state, Make make, const char* text, AddressOf address_of, Lanes active) {
  Scene scene(1, 256);
  scene.shared_array("tile", 1 << 16);
  const auto pc = scene.at_line(1, text);
  const auto barrier = scene.at_line(2, "bar.sync 0");
  const machine::Instruction& instruction = scene.program.code[pc];
  const std::unique_ptr<Observer> observer = make();
  observer->launch_begin(scene.launch);
  observer->block_begin(0);
  std::vector<machine::Addresses> addresses;
  for (int warp = 0; warp < 8; ++warp) {
    std::array<std::uint64_t, warp_size> of_lanes;
    for (int lane = 0; lane < warp_size; ++lane) of_lanes[lane] = address_of(lane, warp);
    addresses.emplace_back(of_lanes.data(), 0, active);
  }
  for (auto _ : state) {
    for (std::uint32_t warp = 0; warp < 8; ++warp)
      observer->access({instruction, {0, warp, pc}, active, &addresses[warp]});
    const std::array<Lanes, 8> arrived{};
    observer->barrier_release({{0, 0, barrier}, 0, 256, arrived.data()});
  }
  state.counters["ns_per_event"] = benchmark::Counter(8 * static_cast<double>(state.iterations()),
                                                      benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

// What warps of a block do to a tile of 32 x 32 or 32 x 33 words.
std::uint64_t neighbours(int lane, int warp) { return 4u * (32 * warp + lane); }
std::uint64_t neighbours16(int lane, int warp) { return 16u * (32 * warp + lane); }
std::uint64_t column(int lane, int warp) { return 4u * (32 * lane + warp); }
std::uint64_t padded_column(int lane, int warp) { return 4u * (33 * lane + warp); }
std::uint64_t swizzled(int lane, int warp) { return 4u * (32 * warp + (lane ^ 5)); }
std::uint64_t scattered(int lane, int warp) { return 4u * (32 * warp + lane * 37u % 64); }
std::uint64_t one_word(int, int) { return 0; }

constexpr Lanes half = 0x0000ffff;

#define ACCESSES(make, text, address_of, active) \
  BENCHMARK_CAPTURE(accesses, make##_##address_of##_##active, make_##make, text, address_of, active)

ACCESSES(coalescing, "ld.global.f32", neighbours, all_lanes);
ACCESSES(coalescing, "ld.global.v4.f32", neighbours16, all_lanes);
ACCESSES(coalescing, "ld.global.f32", column, all_lanes);
ACCESSES(coalescing, "ld.global.f32", scattered, all_lanes);
ACCESSES(coalescing, "ld.global.f32", neighbours, half);
ACCESSES(bank_conflicts, "ld.shared.f32", neighbours, all_lanes);
ACCESSES(bank_conflicts, "ld.shared.f32", one_word, all_lanes);
ACCESSES(bank_conflicts, "ld.shared.f32", padded_column, all_lanes);
ACCESSES(bank_conflicts, "ld.shared.f32", column, all_lanes);
ACCESSES(bank_conflicts, "ld.shared.f32", swizzled, all_lanes);
ACCESSES(bank_conflicts, "ld.shared.f32", scattered, all_lanes);
ACCESSES(bank_conflicts, "ld.shared.v4.f32", neighbours16, all_lanes);
ACCESSES(bank_conflicts, "ld.shared.f32", neighbours, half);
ACCESSES(shared_race, "ld.shared.f32", neighbours, all_lanes);
ACCESSES(shared_race, "st.shared.f32", neighbours, all_lanes);
ACCESSES(shared_race, "ld.shared.f32", one_word, all_lanes);
ACCESSES(shared_race, "ld.shared.f32", padded_column, all_lanes);
ACCESSES(shared_race, "st.shared.f32", padded_column, all_lanes);
ACCESSES(shared_race, "st.shared.v4.f32", neighbours16, all_lanes);
ACCESSES(shared_race, "st.shared.f32", neighbours, half);
ACCESSES(definedness, "st.shared.f32", neighbours, all_lanes);
ACCESSES(definedness, "st.shared.f32", padded_column, all_lanes);

void runs(benchmark::State& state) {
  Scene scene(1, 256);
  for (int i = 0; i < 64; ++i) scene.at_line(i + 1, "add.f32 %f1, %f1, %f2");
  machine::Profile profile(scene.program);
  std::uint32_t pc = 0;
  for (auto _ : state) {
    profile.add(pc, 8, all_lanes, all_lanes);
    pc = (pc + 8) % 56;
  }
}
BENCHMARK(runs);

void branches(benchmark::State& state) {
  Scene scene(1, 256);
  const auto pc = scene.at_line(1, "@%p1 bra $L1");
  const std::unique_ptr<Observer> observer = make_divergence();
  observer->launch_begin(scene.launch);
  observer->block_begin(0);
  for (auto _ : state) observer->branch({{0, 3, pc}, all_lanes, lanes(0, 3)});
}
BENCHMARK(branches);

}  // namespace
}  // namespace warpwright::observe::testing
