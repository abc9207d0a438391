#include "files.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "problem.h"
#include "scratch.h"

namespace warpwright::lab {
namespace {

TEST(Files, WritesWhatIsReadBack) {
  const Scratch scratch;
  const std::string text("a\0b\nc", 5);
  write_file(scratch / "new/folder/file", text);
  EXPECT_EQ(read_file(scratch / "new/folder/file"), text);
}

TEST(Files, KeepsTheModeOfAFileThatItReplaces) {
  const Scratch scratch;
  write_file(scratch / "file", "old");
  chmod((scratch / "file").c_str(), 0640);
  write_file(scratch / "file", "new");
  struct stat status = {};
  stat((scratch / "file").c_str(), &status);
  EXPECT_EQ(status.st_mode & 0777u, 0640u);
}

// A limit on the size of files stands for a disk that becomes full in the middle.
TEST(Files, LeavesTheOldFileWhenTheNewOneDoesNotFit) {
  const Scratch scratch;
  write_file(scratch / "file", "old");
  rlimit before = {};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = signal(SIGXFSZ, SIG_IGN);
  rlimit small = before;
  small.rlim_cur = 1000;
  setrlimit(RLIMIT_FSIZE, &small);
  std::string said;
  try {
    write_file(scratch / "file", std::string(5000, 'x'));
  } catch (const Problem& problem) {
    said = problem.what();
  }
  setrlimit(RLIMIT_FSIZE, &before);
  signal(SIGXFSZ, handler);
  EXPECT_EQ(said, "cannot write " + (scratch / "file").string() + ": File too large");
  EXPECT_EQ(read_file(scratch / "file"), "old");
  const auto entries = std::filesystem::directory_iterator(scratch.folder());
  EXPECT_EQ(std::distance(begin(entries), end(entries)), 1) << "a half-written file was left behind";
}

TEST(Files, SayWhichFileIsNotThere) {
  try {
    read_file("no/such/file");
    FAIL();
  } catch (const Problem& problem) {
    EXPECT_STREQ(problem.what(), "cannot read no/such/file: No such file or directory");
  }
}

TEST(Fingerprint, TellsTextsApart) {
  EXPECT_EQ(fingerprint(""), "cbf29ce484222325");  // published test vectors of FNV-1a
  EXPECT_EQ(fingerprint("a"), "af63dc4c8601ec8c");
  EXPECT_EQ(fingerprint("foobar"), "85944171f73967e8");
}

}  // namespace
}  // namespace warpwright::lab
