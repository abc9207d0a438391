// vectors.any_type: copies of every type, between places of every alignment.
#include <algorithm>
#include <numeric>

#include "traffic.h"
#include "vectors.h"

using namespace warpwright;

namespace {

struct Case {
  std::size_t size, n, from, to;  // `from` and `to`: bytes behind a multiple of 256
};

std::string words_of(const Case& of) {
  return fmt::format("{} of {}, from byte {} of an array to byte {} of another", so_many(of.n, "element"),
                     so_many(of.size, "byte"), of.from, of.to);
}

/// Words of bytes that differ from their neighbours.
std::vector<std::uint32_t> some_bytes(std::size_t bytes) {
  Random random(bytes);
  std::vector<std::uint32_t> words((bytes + 3) / 4);
  for (auto& word : words) word = static_cast<std::uint32_t>(random.next());
  return words;
}

/// False if a byte is wrong, or a mistake was made on the way: the test has failed.
bool expect_copied(const Case& of) {
  if (!takes_few_blocks([] {
        const DeviceArray<std::uint32_t> in("in", 64), out("out", 64);
        vectors::any_type(in.data(), out.data(), 4, 64, nullptr);
      }))
    return false;
  const std::size_t bytes = of.size * of.n;
  const auto source = some_bytes(of.from + bytes);
  // Both arrays end, but for up to three bytes, where the elements end.
  const DeviceArray<std::uint32_t> in("in", source), out("out", (of.to + bytes + 3) / 4);
  vectors::any_type(reinterpret_cast<const char*>(in.data()) + of.from, reinterpret_cast<char*>(out.data()) + of.to,
                    of.size, of.n, nullptr);
  const auto result = out.download();
  const auto* const wanted = reinterpret_cast<const unsigned char*>(source.data()) + of.from;
  const auto* const got = reinterpret_cast<const unsigned char*>(result.data());
  const auto* const poison = reinterpret_cast<const unsigned char*>(&poison_word);
  for (std::size_t i = 0; i < 4 * result.size(); ++i) {
    const bool inside = i >= of.to && i < of.to + bytes;
    if (got[i] == (inside ? wanted[i - of.to] : poison[i % 4])) continue;
    const std::string byte = fmt::format("byte {} of element {}", (i - of.to) % of.size, (i - of.to) / of.size);
    const char* const was =
        got[i] == poison[i % 4] ? " was never written: it still holds the poison that the test put there" : " is wrong";
    expect(words_of(of), inside ? byte + was : fmt::format("byte {} of out was written, where no element lies", i));
    return false;
  }
  return !made_a_mistake();
}

observe::Report launch_of(const Case& of) {
  const std::size_t bytes = of.size * of.n;
  const DeviceArray<std::uint32_t> in("in", some_bytes(of.from + bytes)), out("out", (of.to + bytes + 3) / 4);
  auto launches = profile([&] {
    vectors::any_type(reinterpret_cast<const char*>(in.data()) + of.from, reinterpret_cast<char*>(out.data()) + of.to,
                      of.size, of.n, nullptr);
  });
  for (std::size_t i = 1; i < launches.size(); ++i) {
    for (const auto& [metric, value] : launches[i].metrics) launches.front().metrics[metric] += value;
  }
  return launches.front();
}

}  // namespace

TEST_F(Right, CopiesElementsOfEverySize) {
  for (const std::size_t size : {4, 1, 2, 3, 6, 8, 12, 16, 24, 32, 40}) {
    for (const std::size_t n : {5, 0, 1, 2, 3, 7, 31, 32, 33, 257, 1000}) {
      if (!expect_copied({size, n, 0, 0})) return;
    }
  }
  expect_copied({4, long_length, 0, 0});
}

TEST_F(Right, CopiesFromAndToEveryPlace) {
  for (const std::size_t size : {1, 2, 4, 8}) {
    for (std::size_t from = 0; from < 17; from += size) {
      for (std::size_t to = 0; to < 17; to += size) {
        if (!expect_copied({size, 100, from, to})) return;
      }
    }
  }
}

TEST_F(Safely, TouchesNothingElse) {
  for (const Case& of : {Case{3, 5, 1, 2}, Case{2, 33, 6, 6}, Case{12, 10, 4, 12}, Case{1, 1, 15, 15}})
    expect_copied(of);
}

TEST_F(Contract, TheWidestUnitIsUsed) {
  for (const Case& of :
       {Case{4, 4096, 0, 0}, Case{3, 4096, 0, 0}, Case{1, 16384, 0, 0}, Case{12, 1024, 0, 0}, Case{8, 2048, 8, 0},
        Case{4, 4096, 0, 8}, Case{4, 4096, 4, 8}, Case{2, 4096, 4, 2}, Case{2, 4096, 0, 6}, Case{1, 4096, 1, 0},
        Case{3, 1365, 0, 0}, Case{4, 2047, 8, 0}, Case{1, 4097, 4, 4}}) {
    const std::size_t unit = std::gcd(std::gcd(of.from, of.to), std::size_t{16}), bytes = of.size * of.n;
    const auto launch = launch_of(of);
    const std::string why = fmt::format("{}, both pointers are multiples of {}: 32 lanes carry {} bytes at a time",
                                        words_of(of), unit, 32 * unit);
    // Two more: a last warp that is not full, and the rest.
    const double most = static_cast<double>((bytes + 32 * unit - 1) / (32 * unit)) + (bytes % unit == 0 ? 0 : unit);
    expect_at_most(launch, counters::global_loads, most, why);
    expect_at_most(launch, counters::global_stores, most, why);
    expect_exactly(launch, counters::bytes_stored, static_cast<double>(bytes), "every byte is to be copied once");
    if (HasFailure()) return;
  }
}

TEST_F(Contract, EveryThreadHasSomethingToDo) {
  expect_an_element_for_each_thread(launch_of({1, 1 << 14, 0, 0}), 1 << 14);
}
