#include "state.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "files.h"
#include "problem.h"
#include "scratch.h"

namespace warpwright::lab {
namespace {

namespace fs = std::filesystem;

class StateFile : public testing::Test {
 protected:
  State open() {
    return State(file_, [this](const std::string& what) { complaints_.push_back(what); });
  }
  Scratch scratch_;
  fs::path file_ = scratch_ / ".lab/state.json";
  std::vector<std::string> complaints_;
};

TEST_F(StateFile, RemembersFromRunToRun) {
  {
    State state = open();
    EXPECT_EQ(state.hints_shown("reduce.v0"), 0);
    EXPECT_EQ(state.verdict("reduce.v0", "text"), std::nullopt);
    state.remember_hints("reduce.v0", 2);
    state.remember_verdict("reduce.v0", "text", true);
    state.remember_verdict("reduce.v0", "other text", false);
  }
  const State state = open();
  EXPECT_EQ(state.hints_shown("reduce.v0"), 2);
  EXPECT_EQ(state.hints_shown("reduce.v1"), 0);
  EXPECT_EQ(state.verdict("reduce.v0", "text"), true);
  EXPECT_EQ(state.verdict("reduce.v0", "other text"), false);
  EXPECT_EQ(state.verdict("reduce.v0", "a third"), std::nullopt);
  EXPECT_TRUE(complaints_.empty());
}

TEST_F(StateFile, TakesTheNewerVerdictOnATextThatIsTestedAgain) {
  State state = open();
  state.remember_verdict("reduce.v0", "text", false);
  state.remember_verdict("reduce.v0", "text", true);
  EXPECT_EQ(open().verdict("reduce.v0", "text"), true);
}

TEST_F(StateFile, ForgetsTheOldestOfManyTexts) {
  State state = open();
  for (int i = 0; i < 17; ++i) state.remember_verdict("reduce.v0", std::to_string(i), true);
  EXPECT_EQ(state.verdict("reduce.v0", "0"), std::nullopt);
  EXPECT_EQ(state.verdict("reduce.v0", "1"), true);
  EXPECT_EQ(state.verdict("reduce.v0", "16"), true);
}

TEST_F(StateFile, LosesNothingWhenTwoRunAtOnce) {
  State watching = open(), asked = open();
  asked.remember_hints("reduce.v0", 1);
  watching.remember_verdict("reduce.v0", "text", true);
  const State state = open();
  EXPECT_EQ(state.hints_shown("reduce.v0"), 1);
  EXPECT_EQ(state.verdict("reduce.v0", "text"), true);
}

TEST_F(StateFile, PutsADamagedFileAsideAndGoesOn) {
  for (const char* damaged :
       {"{\"exercises\": {\"reduce.v0\"", "[]", R"({"exercises": {"reduce.v0": {"hints": "two"}}})"}) {
    complaints_.clear();
    write_file(file_, damaged);
    State state = open();
    ASSERT_EQ(complaints_.size(), 1u) << damaged;
    EXPECT_NE(complaints_[0].find("is damaged and was moved to state.json.damaged"), std::string::npos);
    EXPECT_EQ(read_file(file_.string() + ".damaged"), damaged);
    state.remember_hints("reduce.v0", 1);
    EXPECT_EQ(open().hints_shown("reduce.v0"), 1);
  }
}

TEST_F(StateFile, SaysOnceThatItCannotBeWrittenAndGoesOn) {
  fs::create_directories(scratch_.folder());
  write_file(scratch_ / ".lab", "a file where the folder should be");
  State state = open();
  state.remember_hints("reduce.v0", 1);
  state.remember_hints("reduce.v0", 2);
  EXPECT_EQ(state.hints_shown("reduce.v0"), 2);
  ASSERT_EQ(complaints_.size(), 1u);
  EXPECT_NE(complaints_[0].find("what happens now will not be remembered"), std::string::npos) << complaints_[0];
}

}  // namespace
}  // namespace warpwright::lab
