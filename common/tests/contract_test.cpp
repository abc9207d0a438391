#include "contract.h"

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include "observe/metrics.h"

namespace warpwright {
namespace {

/// A launch of 16 blocks in which one load had a 4-way conflict in an array that begins at byte 128.
struct Made {
  machine::Program program;
  observe::Report launch{program};

  Made() {
    program.shared = {{.name = "tile", .offset = 128, .bytes = 1024, .dynamic = false}};
    launch.kernel = "sum_tiles";
    launch.grid = {16, 1, 1};
    launch.block = {256, 1, 1};
    observe::InstructionReport load;
    load.text = "ld.shared.f32 %f1, [%r1]";
    load.file = "common/words.h";
    load.line = 1;
    load.metrics[std::string(observe::metric::shared_load_conflicts)] = 48;
    observe::Exemplar worst;
    worst.lanes = machine::all_lanes;
    worst.cost = 4;
    worst.ideal = 1;
    worst.shared = observe::SharedOperation::load;
    for (int lane = 0; lane < 32; ++lane) worst.addresses[lane] = 128 + 16u * lane;
    load.worst = worst;
    launch.metrics = load.metrics;
    launch.instructions[7] = load;
  }
};

std::string failure_of(const std::function<void()>& claim) {
  testing::TestPartResultArray results;
  {
    testing::ScopedFakeTestPartResultReporter reporter(
        testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &results);
    claim();
  }
  std::string text;
  for (int i = 0; i < results.size(); ++i) text += results.GetTestPartResult(i).message();
  return text;
}

TEST(ContractMessage, NamesTheLineTheLanesAndTheCounts) {
  const Made made;
  const std::string text =
      failure_of([&] { expect_exactly(made.launch, counters::bank_conflicts, 0, "neighbours never meet"); });
  EXPECT_EQ(text,
            "Failed\ncommon/words.h:1\n"
            "4-way conflict: lanes 0, 8, 16, 24 read words 0, 32, 64, 96 of tile, all in bank 0\n"
            "wavefront   0       8       16      24    31  <- bank; # serves a word\n"
            "        1   #...#...#...#...#...#...#...#...  lanes 0 to 7\n"
            "        2   #...#...#...#...#...#...#...#...  lanes 8 to 15\n"
            "        3   #...#...#...#...#...#...#...#...  lanes 16 to 23\n"
            "        4   #...#...#...#...#...#...#...#...  lanes 24 to 31\n"
            "expected 0 bank conflicts; counted 0 on stores, 48 on loads (3 a block), in 16 blocks of 256 threads\n"
            "because neighbours never meet");
}

TEST(ContractMessage, SumsUpWhatIsHeldToANumber) {
  Made made;
  made.launch.metrics[std::string(observe::metric::shared_store_conflicts)] = 32;
  const std::string text =
      failure_of([&] { expect_at_most(made.launch, counters::bank_conflicts, 16, "few neighbours meet"); });
  EXPECT_NE(text.find("expected at most 16 bank conflicts (1 a block); counted 80 (5 a block): 32 on stores (2 a "
                      "block), 48 on loads (3 a block), in 16 blocks"),
            std::string::npos)
      << text;
}

TEST(ContractMessage, IsSilentWhenItHolds) {
  const Made made;
  EXPECT_EQ(failure_of([&] {
              expect_exactly(made.launch, counters::load_conflicts, 48, "");
              expect_at_most(made.launch, counters::load_conflicts, 48, "");
              expect_at_least(made.launch, counters::load_conflicts, 48, "");
              expect_exactly(made.launch, counters::atomics, 0, "");
            }),
            "");
}

TEST(ContractMessage, BlamesNoLineForWhatIsMissing) {
  const Made made;
  const std::string text =
      failure_of([&] { expect_at_least(made.launch, counters::block_barriers, 4, "it must wait"); });
  EXPECT_EQ(text,
            "Failed\nexpected at least 4 block barriers; counted 0, in 16 blocks of 256 threads\nbecause it must wait");
}

TEST(ContractMessage, CountsByLineWhereNoneAloneHasTooMany) {
  Made made;
  made.launch.instructions[8] = made.launch.instructions[7];
  made.launch.instructions[8].line = 4;
  made.launch.instructions[8].metrics[std::string(observe::metric::shared_load_conflicts)] = 3;
  made.launch.metrics[std::string(observe::metric::shared_load_conflicts)] = 51;
  const auto at_most = [&](double most) {
    return failure_of([&] { expect_at_most(made.launch, counters::load_conflicts, most, "so"); });
  };
  EXPECT_NE(at_most(50).find("blocks of 256 threads\n48 of them in line 1, 3 in line 4\nbecause so"), std::string::npos)
      << at_most(50);
  EXPECT_EQ(at_most(47).find("in line"), std::string::npos) << at_most(47);
}

TEST(ContractMessage, NamesTheInstructionWhereThereIsNoSourceLine) {
  Made made;
  made.launch.instructions[7].file.clear();
  made.launch.instructions[7].worst.reset();
  made.launch.instructions[7].ptx_line = 88;
  const std::string text = failure_of([&] { expect_at_most(made.launch, counters::load_conflicts, 1, "so"); });
  EXPECT_EQ(text.find("Failed\nat ld.shared.f32 %f1, [%r1] (PTX line 88)\nexpected at most 1"), 0u) << text;
}

TEST(ContractMessage, DescribesScatteredSectors) {
  observe::InstructionReport load;
  load.text = "ld.global.f32 %f1, [%rd1]";
  observe::Exemplar worst;
  worst.lanes = machine::all_lanes;
  worst.cost = 32;
  worst.ideal = 4;
  for (int lane = 0; lane < 32; ++lane) worst.addresses[lane] = 4096u * lane;
  load.worst = worst;
  EXPECT_EQ(
      describe_sectors(load),
      "32 sectors where 4 would do: lanes 0, 1, 2, 3, ... read at bytes 0, 4,096, 8,192, 12,288, ... of their array");
}

}  // namespace
}  // namespace warpwright
