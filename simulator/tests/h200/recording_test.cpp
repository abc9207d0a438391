#include "h200/recording.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

namespace warpwright::h200 {
namespace {

const std::filesystem::path folder = testing::TempDir();

TEST(Plan, HoldsEveryCheckOnceOnOperandsOfItsTypes) {
  const Checks checks = all_checks();
  const Recording planned = plan(checks);
  ASSERT_EQ(planned.forms.size(), checks.size());
  for (const Check& check : checks) {
    const auto form = std::ranges::find(planned.forms, name_of(check), &Form::name);
    ASSERT_NE(form, planned.forms.end()) << name_of(check);
    EXPECT_EQ(planned.groups[form->group].sources, check.sources);
  }
}

TEST(Plan, TriesEdgesAndOthers) {
  const Recording planned = plan({{"neg.f32", "f32", {"f32"}, {}}, {"add.s32", "s32", {"s32", "s32"}, {}}});
  for (const Group& group : planned.groups)
    for (const Bits edge : checks::edges(group.sources.front()))
      EXPECT_TRUE(std::ranges::any_of(group.tuples, [&](const auto& tuple) { return tuple.front() == edge; }));
  for (const Group& group : planned.groups) EXPECT_EQ(group.tuples.size() % 64, 0u);
}

TEST(Recording, IsReadAsItWasWritten) {
  Recording made = plan({{"cvt.u8.f32", "u8", {"f32"}, {}},
                         {"setp.eq.s64", "pred", {"s64", "s64"}, {}},
                         {"lop3.b32", "b32", {"b32", "b32", "b32", "imm:0xe8"}, {}}});
  made.made = "somewhere";
  for (Form& form : made.forms)
    for (std::size_t i = 0; i < made.groups[form.group].tuples.size(); ++i) form.results.push_back(i % 200);
  write(made, folder / "recording.zst");
  const Recording back = read(folder / "recording.zst");
  EXPECT_EQ(back.made, "somewhere");
  ASSERT_EQ(back.forms.size(), 3u);
  for (std::size_t f = 0; f < 3; ++f) {
    EXPECT_EQ(back.forms[f].name, made.forms[f].name);
    EXPECT_EQ(back.forms[f].results, made.forms[f].results);
    EXPECT_EQ(back.groups[back.forms[f].group].tuples, made.groups[made.forms[f].group].tuples);
  }
  EXPECT_NE(std::ranges::find(back.forms, "lop3.b32 0xe8", &Form::name), back.forms.end());
}

TEST(Recording, IsMadeOfAPlanAndResults) {
  const Recording planned = plan({{"cvt.u8.f32", "u8", {"f32"}, {}}});
  write_plan(planned, folder / "some.plan");
  std::string results = "an H200\n";
  for (std::size_t i = 0; i < planned.groups[0].tuples.size(); ++i) results += std::string("\1\2\3\4", 4);
  std::ofstream(folder / "some.results", std::ios::binary) << results;
  const Recording recording = read_results(folder / "some.plan", folder / "some.results");
  EXPECT_EQ(recording.made, "an H200");
  EXPECT_EQ(recording.forms[0].results.at(5), 0x04030201u);
  std::ofstream(folder / "short.results", std::ios::binary) << results.substr(0, results.size() - 1);
  EXPECT_THROW(read_results(folder / "some.plan", folder / "short.results"), std::runtime_error);
  std::ofstream(folder / "long.results", std::ios::binary) << results << "x";
  EXPECT_THROW(read_results(folder / "some.plan", folder / "long.results"), std::runtime_error);
}

TEST(Recording, ThatIsDamagedSaysSo) {
  std::ofstream(folder / "noise.zst") << "no recording";
  EXPECT_THROW(read(folder / "noise.zst"), std::runtime_error);
  EXPECT_THROW(read(folder / "missing.zst"), std::runtime_error);
}

}  // namespace
}  // namespace warpwright::h200
