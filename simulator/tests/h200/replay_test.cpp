// The recording, replayed: the H200's results are what the checks expect, which shows that the manual was read rightly;
// and the simulated GPU's are the H200's wherever the manual defines the result, and near enough elsewhere.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <map>

#include "h200/recording.h"

namespace warpwright::h200 {
namespace {

constexpr int most_shown = 3;  // of one instruction

bool is_recorded() { return std::filesystem::exists(WARPWRIGHT_RECORDING); }

class Replay : public testing::Test {
 protected:
  void SetUp() override {
    if (!is_recorded()) GTEST_SKIP() << "nothing is recorded yet: see recorder.cpp";
    recording_ = read(WARPWRIGHT_RECORDING);
    for (const Check& check : all_checks()) checks_.emplace(name_of(check), check);
  }

  /// Calls `compare(form, check, operands, i)` for every result, until it has failed often enough.
  template <class Compare>
  void for_each_result(Compare compare) {
    for (const Form& form : recording_.forms) {
      const auto check = checks_.find(form.name);
      if (check == checks_.end()) continue;  // one that is no more
      const Group& group = recording_.groups[form.group];
      ASSERT_EQ(group.sources, check->second.sources) << form.name;
      int shown = 0;
      for (std::size_t i = 0; i < group.tuples.size() && shown < most_shown; ++i)
        if (!compare(form, check->second, checks::as_seen(check->second, group.tuples[i]), i)) ++shown;
    }
  }

  Recording recording_;
  std::map<std::string, Check> checks_;
};

TEST_F(Replay, OfTheH200IsWhatTheManualSays) {
  for_each_result([](const Form& form, const Check& check, const std::vector<Bits>& operands, std::size_t i) {
    if (checks::is_right(check, operands, form.results[i])) return true;
    ADD_FAILURE() << fmt::format("{} = {:#x} on the H200, expected {:#x}", checks::written(check, operands),
                                 form.results[i], check.expected(operands));
    return false;
  });
}

TEST_F(Replay, OnTheSimulatedGpuGivesTheSameBits) {
  std::string name;
  std::vector<Bits> simulated;
  for_each_result([&](const Form& form, const Check& check, const std::vector<Bits>& operands, std::size_t i) {
    if (name != form.name) {
      name = form.name;
      simulated = checks::results_of(check, recording_.groups[form.group].tuples);
    }
    if (simulated[i] == form.results[i]) return true;
    // Where the manual leaves the result open, both lie within what it allows.
    const bool is_open = check.any_nan || check.accepts;
    if (is_open && checks::is_right(check, operands, simulated[i])) return true;
    ADD_FAILURE() << fmt::format("{} = {:#x} here, {:#x} on the H200", checks::written(check, operands), simulated[i],
                                 form.results[i]);
    return false;
  });
}

TEST_F(Replay, HoldsEveryInstruction) {
  for (const Form& form : recording_.forms) checks_.erase(form.name);
  for (const auto& [name, check] : checks_) ADD_FAILURE() << name << " is not recorded: see recorder.cpp";
}

}  // namespace
}  // namespace warpwright::h200
