#include "picture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <sstream>

#include "observe/sectors.h"

namespace warpwright {
namespace {

using observe::SharedOperation;

observe::Exemplar access(std::uint32_t bytes, const std::function<std::uint64_t(int)>& address_of,
                         machine::Lanes lanes = machine::all_lanes) {
  observe::Exemplar made;
  made.lanes = lanes;
  made.bytes = bytes;
  for (const int lane : machine::each_lane(lanes)) made.addresses[lane] = address_of(lane);
  return made;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST(PictureOfSectors, ShowsWhatIsWantedAndWhatIsMovedAlong) {
  EXPECT_EQ(picture_of_sectors(access(4, [](int lane) { return 400u + 4u * lane; })),
            "sectors of 32 bytes; # 4 bytes that a lane wants, . moved along\n"
            "       384 |....####|########|########|########|\n"
            "       512 |####....|");
}

TEST(PictureOfSectors, SetsSectorsApartThatDoNotAdjoin) {
  const auto lines = lines_of(picture_of_sectors(access(4, [](int lane) { return lane == 0 ? 0u : 64u; })));
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[1], "         0 |#.......:#.......|");
}

TEST(PictureOfSectors, ShowsTheFirstOfMany) {
  const auto lines = lines_of(picture_of_sectors(access(4, [](int lane) { return 4096u * lane; })));
  ASSERT_EQ(lines.size(), 5u);
  EXPECT_EQ(lines[2], "    16,384 |#.......:#.......:#.......:#.......|");
  EXPECT_EQ(lines[4], "       ...   and 20 more");
}

TEST(PictureOfSectors, ShowsWideAndNarrowLanes) {
  EXPECT_EQ(lines_of(picture_of_sectors(access(
                16, [](int lane) { return 16u * lane; }, 0x3)))[1],
            "         0 |########|");
  EXPECT_EQ(lines_of(picture_of_sectors(access(
                1, [](int lane) { return 1u * lane; }, 0x1f)))[1],
            "         0 |##......|");
}

TEST(PictureOfBanks, ShowsAWavefrontForEachWordOfABank) {
  EXPECT_EQ(picture_of_banks(access(4, [](int lane) { return 8u * lane; }), SharedOperation::load),
            "wavefront   0       8       16      24    31  <- bank; # serves a word\n"
            "        1   #.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.  lanes 0 to 15\n"
            "        2   #.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.  lanes 16 to 31");
}

TEST(PictureOfBanks, ShowsTheFirstAndTheLastOfMany) {
  const auto lines = lines_of(picture_of_banks(access(4, [](int lane) { return 128u * lane; }), SharedOperation::load));
  ASSERT_EQ(lines.size(), 7u);
  EXPECT_EQ(lines[4], "        4   #...............................  lane 3");
  EXPECT_EQ(lines[5], "      ...   27 more");
  EXPECT_EQ(lines[6], "       32   #...............................  lane 31");
}

TEST(PictureOfBanks, ServesLanesWithOneWordTogetherButNotAtomics) {
  const auto one = access(4, [](int lane) { return 4u * (lane % 2); });
  EXPECT_EQ(lines_of(picture_of_banks(one, SharedOperation::load)).size(), 2u);
  EXPECT_EQ(lines_of(picture_of_banks(one, SharedOperation::atomic)).back(),
            "       16   ##..............................  lanes 30 to 31");
}

TEST(Pictures, HaveAsManySectorsAndWavefrontsAsAreCountedAndFitTheTerminal) {
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    const std::uint32_t bytes = 1u << random() % 5;
    const unsigned span = 1u << random() % 9, spread = random() % 40;
    const auto lanes = static_cast<machine::Lanes>(random()) | 1u;
    const auto made = access(
        bytes, [&](int lane) { return bytes * (spread * static_cast<unsigned>(lane) + random() % span); }, lanes);
    const auto operation = static_cast<SharedOperation>(random() % 3);
    const std::string banks = picture_of_banks(made, operation), sectors = picture_of_sectors(made);
    for (const std::string& line : lines_of(banks + "\n" + sectors)) ASSERT_LE(line.size(), 78u) << line;
    const unsigned wavefronts = observe::shared_cost(operation, bytes, lanes, made.addresses.data()).wavefronts;
    ASSERT_EQ(std::stoul(lines_of(banks).back()), wavefronts) << banks;
    const unsigned count = observe::sectors(lanes, made.addresses.data());
    if (count <= 12) {  // all are drawn
      const std::string drawn = sectors.substr(sectors.find('\n'));
      const std::size_t lines = lines_of(sectors).size() - 1;
      const auto ends = std::count(drawn.begin(), drawn.end(), '|') + std::count(drawn.begin(), drawn.end(), ':');
      ASSERT_EQ(static_cast<std::size_t>(ends), count + lines) << sectors;
    }
  }
}

}  // namespace
}  // namespace warpwright
