// memory.cache_hints: streams are marked as such, and the table is not.
#include <string_view>

#include "failure.h"
#include "memory.h"
#include "observe/metrics.h"
#include "traffic.h"

using namespace warpwright;

namespace {

struct Input {
  std::vector<float> table;
  std::vector<std::uint32_t> indices;
};

Input input_of(std::size_t n, std::size_t table_size) {
  Random random(n);
  Input input{any_floats(table_size, 1), std::vector<std::uint32_t>(n)};
  for (std::uint32_t& index : input.indices) index = static_cast<std::uint32_t>(random.below(table_size));
  return input;
}

bool expect_looked_up(std::size_t n, std::size_t table_size) {
  if (!takes_few_blocks([] {
        const DeviceArray<float> one("table", 1), out("out", 2);
        const DeviceArray<std::uint32_t> indices("indices", std::vector<std::uint32_t>{0, 0});
        memory::cache_hints(one.data(), indices.data(), out.data(), 2, nullptr);
      }))
    return false;
  const Input input = input_of(n, table_size);
  const DeviceArray<float> table("table", input.table), out("out", n);
  const DeviceArray<std::uint32_t> indices("indices", input.indices);
  memory::cache_hints(table.data(), indices.data(), out.data(), n, nullptr);
  std::vector<float> expected;
  for (const std::uint32_t index : input.indices) expected.push_back(input.table[index]);
  return expect_floats(fmt::format("{}, a table of {}", length(n), table_size), "out", out.download(), expected,
                       "values are copied");
}

constexpr std::size_t contract_n = 1 << 12;

observe::Report launch_of_contract() {
  const Input input = input_of(contract_n, 500);
  const DeviceArray<float> table("table", input.table), out("out", contract_n);
  const DeviceArray<std::uint32_t> indices("indices", input.indices);
  return profile([&] { memory::cache_hints(table.data(), indices.data(), out.data(), contract_n, nullptr); }).front();
}

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

/// Whether an instruction says that its data is used once.
bool streams(const observe::InstructionReport& instruction) {
  return has(instruction.text, ".cs") || has(instruction.text, ".lu") || has(instruction.text, "L1::evict_first") ||
         has(instruction.text, "L1::no_allocate");
}

/// Whether it keeps its data out of a cache.
bool avoids_caches(const observe::InstructionReport& instruction) {
  return streams(instruction) || has(instruction.text, ".cg") || has(instruction.text, ".cv") ||
         has(instruction.text, ".volatile");
}

/// Bytes that instructions of one sort move, and one of them to show.
template <class Is>
std::pair<double, const observe::InstructionReport*> bytes_of(const observe::Report& launch, std::string_view metric,
                                                              Is is) {
  double bytes = 0;
  const observe::InstructionReport* shown = nullptr;
  for (const auto& [pc, instruction] : launch.instructions) {
    const auto found = instruction.metrics.find(std::string(metric));
    if (found == instruction.metrics.end() || !is(instruction)) continue;
    bytes += found->second;
    shown = &instruction;
  }
  return {bytes, shown};
}

void complain(const observe::InstructionReport* shown, const std::string& text) {
  fail({.file = shown == nullptr ? "" : shown->file,
        .line = shown == nullptr ? 0 : shown->line,
        .text = (shown == nullptr ? "" : shown->text + "\n") + text});
}

}  // namespace

TEST_F(Right, LooksEveryLengthUp) {
  for (const std::size_t n : lengths()) {
    if (!expect_looked_up(n, 1) || !expect_looked_up(n, 1000)) return;
  }
  expect_looked_up(long_length / 4, 1000);
}

TEST_F(Safely, TouchesNothingElse) {
  for (const std::size_t n : {1, 33, 257, 1000}) {
    const Input input = input_of(n, 100);
    const DeviceArray<float> table("table", input.table), out("out", n);
    const DeviceArray<std::uint32_t> indices("indices", input.indices);
    memory::cache_hints(table.data(), indices.data(), out.data(), n, nullptr);
    expect_floats(length(n) + ", after the run", "table", table.download(), input.table, "the table is read only");
    if (indices.download() != input.indices) expect(length(n), "the indices were changed");
  }
}

TEST_F(Contract, WhatStreamsIsMarked) {
  const auto launch = launch_of_contract();
  const auto not_marked = [](const auto& instruction) { return !streams(instruction); };
  const auto [stored, store] = bytes_of(launch, observe::metric::global_store_bytes, not_marked);
  if (stored != 0)
    complain(store, fmt::format("{} bytes are stored without a hint\nexpected 0, because a result is used once: its "
                                "store should be a streaming one",
                                count_text(stored)));
  const auto [loaded, load] = bytes_of(launch, observe::metric::global_load_bytes, not_marked);
  if (loaded > 4 * contract_n)
    complain(load,
             fmt::format("{} bytes are loaded without a hint\nexpected at most {}, those of the table, because an "
                         "index is used once: its load should be a streaming one",
                         count_text(loaded), thousands(4 * contract_n)));
}

TEST_F(Contract, TheTableStaysInTheCaches) {
  const auto launch = launch_of_contract();
  const auto [bytes, load] = bytes_of(launch, observe::metric::global_load_bytes,
                                      [](const auto& instruction) { return avoids_caches(instruction); });
  if (bytes > 4 * contract_n)
    complain(load,
             fmt::format("{} bytes are loaded past a cache, or to be evicted first\nexpected at most {}, those of "
                         "the indices, because the table is used again and again",
                         count_text(bytes), thousands(4 * contract_n)));
}

TEST_F(Contract, EveryElementIsLoadedAndStoredOnce) {
  const auto launch = launch_of_contract();
  expect_exactly(launch, counters::bytes_loaded, 8.0 * contract_n, "an element takes one index and one entry");
  expect_exactly(launch, counters::bytes_stored, 4.0 * contract_n, "an element has one result");
}

TEST_F(Contract, EveryBlockHasItsShare) { expect_even_shares(launch_of_contract(), contract_n); }
