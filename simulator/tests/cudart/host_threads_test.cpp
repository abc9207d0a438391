// Blocks are spread over threads of the host, and what is said of a launch does not depend on how many there are. Each
// kernel here makes one mistake in every block, so that every observer has something to say on each of the threads.
#include <functional>
#include <string>
#include <vector>

#include "kernels.h"
#include "mistaken.h"
#include "observe/report_json.h"
#include "session_fixture.h"

namespace warpwright::cudart {
namespace {

constexpr int blocks = 64;
constexpr int threads_in_all = blocks * 64;

class HostThreads : public Session {
 protected:
  using Say = std::function<std::string(const std::vector<observe::Report>&)>;

  /// Expects that one, two and four threads say the same of what `launch` launches, and speak of a mistake of this
  /// kind.
  static void expect_the_same(const std::string& kind, const std::function<void()>& launch, const Say& say) {
    std::string by_one;
    for (const unsigned threads : {1u, 2u, 4u}) {
      settings().host_threads = threads;
      for (int round = 0; round < 4; ++round) {
        launch();
        const std::vector<observe::Report> launches = take_launches();
        reset_errors();
        ASSERT_EQ(launches.size(), 1u);
        const std::string json = say(launches);
        if (by_one.empty()) by_one = json;
        ASSERT_EQ(json, by_one) << threads << " threads, round " << round;
      }
    }
    EXPECT_NE(by_one.find("\"kind\": \"" + kind + "\""), std::string::npos) << by_one;
  }

  /// Everything: counters by kernel and by line, diagnoses, coverage.
  static void expect_one_report(const std::string& kind, const std::function<void()>& launch) {
    expect_the_same(kind, launch, [](const std::vector<observe::Report>& launches) {
      return observe::to_json(device_name(), launches, {});
    });
  }
};

/// Which of the blocks that race are named depends on which came first (observe/global_race.h).
TEST_F(HostThreads, TellOfARaceBetweenBlocksAtTheSameLines) {
  Buffer<int> out(64);
  expect_the_same(
      "race", [&] { kernels::race_between_blocks(blocks, out.get()); },
      [](const std::vector<observe::Report>& launches) {
        std::vector<observe::Report> nameless = launches;
        for (observe::Diagnosis& race : nameless.front().diagnoses) {
          race.message.clear();
          race.count = 0;
          race.who = race.other->who = {};
        }
        return observe::to_json(device_name(), nameless, {});
      });
}

TEST_F(HostThreads, TellTheSameRaceInBlocks) {
  Buffer<int> out(threads_in_all);
  expect_one_report("race", [&] { kernels::race_in_blocks(blocks, out.get()); });
}

TEST_F(HostThreads, TellTheSameUninitialisedMemory) {
  Buffer<float> in(threads_in_all), out(threads_in_all);
  expect_one_report("uninitialised", [&] { kernels::add_unwritten(blocks, in.get(), out.get()); });
}

TEST_F(HostThreads, TellTheSameUninitialisedSharedMemory) {
  Buffer<float> out(threads_in_all);
  expect_one_report("uninitialised", [&] { kernels::read_unwritten_tile(blocks, out.get()); });
}

TEST_F(HostThreads, TellTheSameBarrierDivergence) {
  Buffer<int> out(2 * blocks);
  expect_one_report("barrier divergence", [&] { kernels::part_at_barriers(blocks, out.get()); });
}

TEST_F(HostThreads, TellTheSameShuffle) {
  Buffer<int> out(threads_in_all);
  expect_one_report("shuffle source", [&] { kernels::shuffle_from_nobody(blocks, out.get()); });
}

TEST_F(HostThreads, TellOfTheFirstBlockThatReadsOutOfBounds) {
  Buffer<float> data(1000);
  ASSERT_EQ(cudaMemset(data.get(), 0, 4000), cudaSuccess);
  expect_one_report("out of bounds", [&] { kernels::scale(blocks, 64, 0, data.get(), 1.0f, threads_in_all); });
}

TEST_F(HostThreads, TellOfTheFirstBlockThatBreaksAnAssertion) {
  expect_one_report("assertion", [] {
    kernels::insist_on_early_blocks(blocks);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorAssert);
  });
}

}  // namespace
}  // namespace warpwright::cudart
