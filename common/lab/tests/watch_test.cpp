#include "watch.h"

#include <gtest/gtest.h>
#include <poll.h>

#include <fstream>

#include "files.h"
#include "scratch.h"

namespace warpwright::lab {
namespace {

class Watched : public testing::Test {
 protected:
  Watched() { write_file(file_, "first"); }
  bool woken(const FileWatch& watch) {
    pollfd descriptor = {watch.descriptor(), POLLIN, 0};
    return poll(&descriptor, 1, 1000) == 1;
  }
  Scratch scratch_;
  std::filesystem::path file_ = scratch_ / "v0.cu";
};

TEST_F(Watched, FileIsUnchangedUntilItIsSaved) {
  FileWatch watch(file_);
  EXPECT_FALSE(watch.changed());
  EXPECT_FALSE(watch.changed());
}

TEST_F(Watched, SaveInPlaceWakesAndIsReportedOnce) {
  FileWatch watch(file_);
  std::ofstream(file_) << "second";
  EXPECT_TRUE(woken(watch));
  EXPECT_TRUE(watch.changed());
  EXPECT_FALSE(watch.changed());
}

TEST_F(Watched, SaveByRenamingIsSeenAgainAndAgain) {
  FileWatch watch(file_);
  for (int i = 0; i < 3; ++i) {
    write_file(file_, std::to_string(i));
    EXPECT_TRUE(woken(watch));
    EXPECT_TRUE(watch.changed());
  }
}

TEST_F(Watched, FileThatIsAwayForAMomentIsNoChange) {
  FileWatch watch(file_);
  std::filesystem::remove(file_);
  EXPECT_FALSE(watch.changed());
  write_file(file_, "back");
  EXPECT_TRUE(watch.changed());
}

}  // namespace
}  // namespace warpwright::lab
