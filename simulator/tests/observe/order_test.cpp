// The race detector against the textbook: random short programs over one element, judged by vector clocks of single
// threads and a full history. The detector must find a race exactly when the textbook does, and name two accesses that
// really race.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "observe/shared_race.h"
#include "scene.h"

namespace warpwright::observe::testing {
namespace {

constexpr std::uint32_t threads = 96;
constexpr std::uint32_t warps = threads / warp_size;

enum class Touch { read, write, atomic };

class Textbook {
 public:
  struct Entry {
    Touch touch;
    std::uint32_t thread, line, time;
  };

  /// Adds the access and says with which earlier ones it races.
  std::vector<Entry> access(Touch touch, std::uint32_t thread, std::uint32_t line) {
    std::vector<Entry> races;
    for (const Entry& earlier : history_) {
      const bool conflict = (touch == Touch::write || earlier.touch == Touch::write) ||
                            (touch == Touch::atomic) != (earlier.touch == Touch::atomic);
      if (conflict && clock_[thread][earlier.thread] < earlier.time) races.push_back(earlier);
    }
    history_.push_back({touch, thread, line, ++clock_[thread][thread]});
    return races;
  }

  using Clock = std::array<std::uint32_t, threads>;
  static void learn(Clock& known, const Clock& more) {
    for (std::uint32_t i = 0; i < threads; ++i) known[i] = std::max(known[i], more[i]);
  }

  void meet(const std::vector<std::uint32_t>& there) {
    Clock together{};
    for (const std::uint32_t thread : there) learn(together, clock_[thread]);
    for (const std::uint32_t thread : there) clock_[thread] = together;
  }

  Clock& clock(std::uint32_t thread) { return clock_[thread]; }

 private:
  std::array<Clock, threads> clock_{};
  std::vector<Entry> history_;
};

std::vector<std::uint32_t> threads_of(std::uint32_t warp, Lanes lanes) {
  std::vector<std::uint32_t> numbers;
  for (const int lane : machine::each_lane(lanes))
    numbers.push_back(warp * warp_size + static_cast<std::uint32_t>(lane));
  return numbers;
}

/// Which synchronisation a random program draws from.
struct Mix {
  bool partial_warps = false;
  bool partial_blocks = false;
  bool atomics = false;
};

/// Plays one random program. Every access has a line of its own, so that lines identify accesses.
void play_and_compare(unsigned seed, const Mix& mix) {
  std::mt19937 random(seed);
  Scene scene(1, threads);
  const std::uint32_t cell = scene.shared_array("cell", 4);
  const auto block_barrier = scene.at_line(900, "bar.sync 0");
  const auto warp_barrier = scene.at_line(901, mix.partial_warps ? "bar.warp.sync %r1" : "bar.warp.sync -1");
  const auto named = scene.at_line(902, mix.partial_blocks ? "bar.sync 1, 64" : "add.s32 %r1, %r2, %r3");
  const auto arrival = scene.at_line(903, mix.partial_blocks ? "bar.arrive 2, 64" : "add.s32 %r1, %r2, %r3");
  constexpr std::uint32_t most = 14;
  std::vector<std::uint32_t> pcs;
  std::vector<Touch> touches;
  for (std::uint32_t line = 1; line <= most; ++line) {
    const unsigned pick = random() % (mix.atomics ? 4 : 3);
    touches.push_back(pick == 3 ? Touch::atomic : pick == 2 ? Touch::write : Touch::read);
    const char* texts[] = {"ld.shared.u32 %r1, [%r2]", "st.shared.u32 [%r2], %r1", "red.shared.add.u32 [%r2], 1"};
    pcs.push_back(scene.at_line(line, texts[static_cast<int>(touches.back())]));
  }

  Play play(scene, make_shared_race());
  play.begin(0);
  Textbook textbook;
  std::vector<std::pair<Textbook::Entry, Textbook::Entry>> expected;  // the pairs that the first racing access meets
  // Few lanes and often the same, so that threads meet again.
  const auto some_lanes = [&] { return lanes(static_cast<int>(random() % 3), static_cast<int>(random() % 3) + 2); };
  for (std::uint32_t line = 1; line <= most && expected.empty();) {
    const std::uint32_t warp = random() % warps;
    switch (random() % 8) {
      case 0:
        play.block_barrier(block_barrier);
        {
          std::vector<std::uint32_t> all(threads);
          for (std::uint32_t thread = 0; thread < threads; ++thread) all[thread] = thread;
          textbook.meet(all);
        }
        break;
      case 1:
      case 2: {
        const Lanes there = mix.partial_warps && random() % 4 != 0 ? some_lanes() : all_lanes;
        play.warp_barrier(warp_barrier, warp, there);
        textbook.meet(threads_of(warp, there));
        break;
      }
      case 3: {
        if (!mix.partial_blocks) break;
        const std::uint32_t other = (warp + 1) % warps;
        auto both = threads_of(warp, all_lanes);
        const auto others = threads_of(other, all_lanes);
        if (random() % 2 == 0) {
          play.arrive(named, warp, all_lanes, 1, 64).arrive(named, other, all_lanes, 1, 64).release(named, 1);
          both.insert(both.end(), others.begin(), others.end());
          textbook.meet(both);
        } else {
          // `warp` arrives and goes on; `other` waits and learns what `warp` knew.
          Textbook::Clock together{};
          for (const std::uint32_t thread : both) Textbook::learn(together, textbook.clock(thread));
          play.arrive(arrival, warp, all_lanes, 2, 64, false);
          play.arrive(named, other, all_lanes, 2, 64).release(named, 2);
          textbook.meet(others);
          for (const std::uint32_t thread : others) Textbook::learn(textbook.clock(thread), together);
        }
        break;
      }
      default: {
        const bool alone = touches[line - 1] == Touch::write && random() % 8 != 0;
        const Lanes active = alone               ? lane(static_cast<int>(random() % 5))
                             : random() % 4 == 0 ? all_lanes
                                                 : some_lanes();
        play.access(pcs[line - 1], warp, active, all_at(cell));
        for (const std::uint32_t thread : threads_of(warp, active)) {
          const auto races = textbook.access(touches[line - 1], thread, line);
          for (const auto& earlier : races) expected.push_back({{touches[line - 1], thread, line, 0}, earlier});
        }
        ++line;
      }
    }
  }

  const std::vector<Diagnosis> found = play.diagnoses();
  ASSERT_EQ(found.empty(), expected.empty()) << "seed " << seed;
  for (const Diagnosis& race : found)
    EXPECT_TRUE(std::ranges::any_of(expected,
                                    [&](const auto& pair) {
                                      return pair.first.line == race.line && pair.first.thread == race.who->thread.x &&
                                             pair.second.line == race.other->line &&
                                             pair.second.thread == race.other->who.thread.x;
                                    }))
        << "seed " << seed << ": " << race.message;
}

void play_many(const Mix& mix) {
  for (unsigned seed = 1; seed <= 6000 && !::testing::Test::HasFailure(); ++seed) play_and_compare(seed, mix);
}

TEST(HappensBefore, IsExactWithBarriersOfWholeBlocksAndWarps) { play_many({}); }
TEST(HappensBefore, IsExactWithAtomics) { play_many({.atomics = true}); }
TEST(HappensBefore, IsExactWithBarriersOfSomeLanes) { play_many({.partial_warps = true}); }
TEST(HappensBefore, IsExactWithBarriersOfSomeWarps) { play_many({.partial_blocks = true}); }
TEST(HappensBefore, IsExactWithAllOfThem) {
  play_many({.partial_warps = true, .partial_blocks = true, .atomics = true});
}

}  // namespace
}  // namespace warpwright::observe::testing
