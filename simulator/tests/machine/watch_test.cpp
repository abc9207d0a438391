#include <gtest/gtest.h>

#include <set>
#include <tuple>

#include "machine/kernel.h"

namespace warpwright::kernels {
namespace {

using Told = std::tuple<std::uint64_t, std::uint32_t, std::uint32_t, std::uint32_t, Lanes, Lanes>;

std::vector<Told> told_of(const std::vector<observe::Run>& runs) {
  std::vector<Told> told;
  for (const observe::Run& run : runs)
    told.emplace_back(run.where.block, run.where.warp, run.where.pc, run.count, run.lanes, run.on);
  return told;
}

/// Those that an observer hears which sleeps until `from` and falls asleep again at `to`.
std::vector<observe::Run> heard_of(const Outcome& all, const Shape::Heard& heard) {
  std::set<std::pair<std::uint64_t, std::uint32_t>> awake;  // warps
  std::vector<observe::Run> runs;
  for (const observe::Run& run : all.events.runs) {
    const auto warp = std::pair{run.where.block, run.where.warp};
    if (all.program->text(run.where.pc) == heard.from) awake.insert(warp);
    if (!awake.contains(warp)) continue;
    runs.push_back(run);
    if (all.program->text(run.where.pc) == heard.to) awake.erase(warp);
  }
  return runs;
}

TEST(Watch, TellsOfRunsFromThoseThatRouseUntilNoneIsWanted) {
  const char* body = R"(
    mov.u32 %r1, 0;
  loop:
    bar.sync 0;
    and.b32 %r2, %lane, %r1;
    setp.eq.u32 %p1, %r2, 0;
    @%p1 bra some;
    add.u32 %r3, %r3, 1;
    bra join;
  some:
    add.u32 %r4, %r4, 1;
  join:
    bar.sync 1;
    add.u32 %r1, %r1, 1;
    setp.lt.u32 %p2, %r1, 5;
    @%p2 bra loop;)";
  Shape shape = {.grid = {3, 1, 1}, .block = {70, 1, 1}};
  const Outcome all = run(body, shape);
  for (const Shape::Heard& heard :
       {Shape::Heard{"add.u32 %r3, %r3, 1", "bar.sync 1"}, Shape::Heard{"bar.sync 1", "bar.sync 0"},
        Shape::Heard{"bar.sync 0", "bar.sync 0"}, Shape::Heard{"add.u32 %r4, %r4, 1", "nothing"}}) {
    SCOPED_TRACE(heard.from);
    shape.heard = heard;
    const auto expected = told_of(heard_of(all, heard));
    EXPECT_FALSE(expected.empty());
    EXPECT_LT(expected.size(), all.events.runs.size());
    EXPECT_EQ(told_of(run(body, shape).events.runs), expected);
  }
}

}  // namespace
}  // namespace warpwright::kernels
