#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>

#include "machine/kernel.h"

namespace warpwright::kernels {
namespace {

/// A warp in random groups, with random values and predicates; some lanes have exited.
struct Round {
  explicit Round(std::uint32_t seed) {
    std::mt19937 random(seed);
    exited = seed % 3 == 0 ? 0 : static_cast<Lanes>(random() & random() & random());
    std::array<Lanes, 4> groups{};
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      group[lane] = seed % 4 == 0 ? 0 : random() % 4;
      groups[group[lane]] |= machine::lane_bit(static_cast<int>(lane));
      // Few values, so that matches happen, in the upper half as well; in every fifth round all are the same.
      low[lane] = seed % 5 == 0 ? 7 : static_cast<std::uint32_t>(random() % 3 * 0x80000001u);
      high[lane] = seed % 5 == 0 ? 9 : random() % 2;
      predicate[lane] = seed % 7 == 0 ? 1 : seed % 11 == 0 ? 0 : random() % 2;
    }
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      mask[lane] = groups[group[lane]];
      in.insert(in.end(), {mask[lane], predicate[lane], low[lane], high[lane]});
    }
  }

  /// The lanes that take part together with `lane`.
  std::vector<std::uint32_t> members(std::uint32_t lane) const {
    std::vector<std::uint32_t> list;
    for (std::uint32_t other = 0; other < 32; ++other)
      if (group[other] == group[lane] && !machine::has_lane(exited, static_cast<int>(other))) list.push_back(other);
    return list;
  }

  Lanes exited = 0;
  std::array<std::uint32_t, 32> group{}, mask{}, predicate{}, low{}, high{};
  std::vector<std::uint32_t> in;
};

using Reference =
    std::function<std::uint32_t(const Round&, std::uint32_t lane, const std::vector<std::uint32_t>& members)>;

/// Runs an instruction with mask %r1, predicate %p1, 32-bit value %r3 and 64-bit value %rd3; its result is %r5, or %p5.
void expect_for_random_groups(const std::string& instruction, bool gives_predicate, const Reference& reference) {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    const Round round(seed);
    Shape shape;
    shape.in = round.in;
    const Outcome outcome =
        run(fmt::format(R"(
      mul.wide.u32 %rd1, %lane, 16;
      add.u64 %rd1, %ins, %rd1;
      ld.global.v4.u32 {{%r1, %r2, %r3, %r4}}, [%rd1];
      mov.b64 %rd3, {{%r3, %r4}};
      setp.ne.u32 %p1, %r2, 0;
      shr.u32 %r7, {}, %lane;
      and.b32 %r7, %r7, 1;
      setp.ne.u32 %p2, %r7, 0;
      @%p2 ret;
      {};
      {}
      st.global.u32 [%out], %r5;)",
                        round.exited, instruction, gives_predicate ? "selp.b32 %r5, 1, 0, %p5;" : ""),
            shape);
    ASSERT_EQ(outcome.status, LaunchStatus::finished);
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      const bool is_gone = machine::has_lane(round.exited, static_cast<int>(lane));
      ASSERT_EQ(outcome.out[lane], is_gone ? unwritten : reference(round, lane, round.members(lane)))
          << instruction << " seed " << seed << " lane " << lane;
    }
  }
}

TEST(Vote, CountsTheMembersOfTheLanesOwnMask) {
  const auto yes = [](const Round& round, const std::vector<std::uint32_t>& members) {
    return std::ranges::count_if(members, [&](std::uint32_t lane) { return round.predicate[lane] != 0; });
  };
  const auto all = [](const std::vector<std::uint32_t>& members) { return static_cast<long>(members.size()); };
  expect_for_random_groups("vote.sync.any.pred %p5, %p1, %r1", true,
                           [&](const Round& r, std::uint32_t, const auto& m) { return yes(r, m) > 0; });
  expect_for_random_groups("vote.sync.all.pred %p5, %p1, %r1", true,
                           [&](const Round& r, std::uint32_t, const auto& m) { return yes(r, m) == all(m); });
  expect_for_random_groups("vote.all.sync.pred %p5, %p1, %r1", true,
                           [&](const Round& r, std::uint32_t, const auto& m) { return yes(r, m) == all(m); });
  expect_for_random_groups("vote.sync.uni.pred %p5, %p1, %r1", true, [&](const Round& r, std::uint32_t, const auto& m) {
    return yes(r, m) == all(m) || yes(r, m) == 0;
  });
  expect_for_random_groups("vote.sync.any.pred %p5, !%p1, %r1", true,
                           [&](const Round& r, std::uint32_t, const auto& m) { return yes(r, m) < all(m); });
}

TEST(Vote, BallotHasABitForEachMemberThatSaysYes) {
  for (const bool negated : {false, true})
    expect_for_random_groups(fmt::format("vote.sync.ballot.b32 %r5, {}%p1, %r1", negated ? "!" : ""), false,
                             [=](const Round& round, std::uint32_t, const auto& members) {
                               std::uint32_t ballot = 0;
                               for (const std::uint32_t lane : members)
                                 if ((round.predicate[lane] != 0) != negated) ballot += 1u << lane;
                               return ballot;
                             });
}

TEST(Vote, TakesALiteralForItsPredicate) {
  EXPECT_EQ(run("vote.sync.ballot.b32 %r1, 1, -1; st.global.u32 [%out], %r1;").out[5], all_lanes);
  EXPECT_EQ(run("vote.sync.ballot.b32 %r1, 0, -1; st.global.u32 [%out], %r1;").out[5], 0u);
}

TEST(Redux, CombinesTheMembersValues) {
  struct Case {
    const char* form;
    std::uint32_t first;
    std::uint32_t (*combine)(std::uint32_t, std::uint32_t);
  };
  constexpr std::uint32_t sign = 0x80000000;
  for (const Case& c :
       {Case{"add.u32", 0, [](std::uint32_t a, std::uint32_t b) { return a + b; }},
        Case{"add.s32", 0, [](std::uint32_t a, std::uint32_t b) { return a + b; }},
        Case{"and.b32", ~0u, [](std::uint32_t a, std::uint32_t b) { return a & b; }},
        Case{"or.b32", 0, [](std::uint32_t a, std::uint32_t b) { return a | b; }},
        Case{"xor.b32", 0, [](std::uint32_t a, std::uint32_t b) { return a ^ b; }},
        Case{"min.u32", ~0u, [](std::uint32_t a, std::uint32_t b) { return a < b ? a : b; }},
        Case{"max.u32", 0, [](std::uint32_t a, std::uint32_t b) { return a > b ? a : b; }},
        Case{"min.s32", ~sign, [](std::uint32_t a, std::uint32_t b) { return (a ^ sign) < (b ^ sign) ? a : b; }},
        Case{"max.s32", sign, [](std::uint32_t a, std::uint32_t b) { return (a ^ sign) > (b ^ sign) ? a : b; }}})
    expect_for_random_groups(fmt::format("redux.sync.{} %r5, %r3, %r1", c.form), false,
                             [&](const Round& round, std::uint32_t, const auto& members) {
                               std::uint32_t result = c.first;
                               for (const std::uint32_t lane : members) result = c.combine(result, round.low[lane]);
                               return result;
                             });
}

TEST(Redux, MayWriteOverItsValue) {
  EXPECT_EQ(run("mov.u32 %r1, %lane; redux.sync.add.u32 %r1, %r1, -1; st.global.u32 [%out], %r1;").out,
            std::vector<std::uint32_t>(32, 496));
}

class Matches : public testing::TestWithParam<bool> {};

TEST_P(Matches, FindTheMembersWithTheSameValue) {
  const bool wide = GetParam();
  const char* type = wide ? "b64" : "b32";
  const char* value = wide ? "%rd3" : "%r3";
  const auto same = [wide](const Round& round, std::uint32_t a, std::uint32_t b) {
    return round.low[a] == round.low[b] && (!wide || round.high[a] == round.high[b]);
  };
  const auto matching = [=](const Round& round, std::uint32_t lane, const std::vector<std::uint32_t>& members) {
    std::uint32_t lanes = 0;
    for (const std::uint32_t other : members)
      if (same(round, lane, other)) lanes += 1u << other;
    return lanes;
  };
  const auto all_same = [=](const Round& round, std::uint32_t lane, const std::vector<std::uint32_t>& members) {
    return std::ranges::all_of(members, [&](std::uint32_t other) { return same(round, lane, other); });
  };
  expect_for_random_groups(fmt::format("match.any.sync.{} %r5, {}, %r1", type, value), false, matching);
  const Reference all_or_none = [=](const Round& round, std::uint32_t lane, const auto& members) {
    return all_same(round, lane, members) ? matching(round, lane, members) : 0u;
  };
  expect_for_random_groups(fmt::format("match.all.sync.{} %r5, {}, %r1", type, value), false, all_or_none);
  expect_for_random_groups(fmt::format("match.all.sync.{} %r5|%p6, {}, %r1", type, value), false, all_or_none);
  expect_for_random_groups(fmt::format("match.all.sync.{} %r6|%p5, {}, %r1", type, value), true, all_same);
  expect_for_random_groups(fmt::format("match.all.sync.{} _|%p5, {}, %r1", type, value), true, all_same);
}

INSTANTIATE_TEST_SUITE_P(Widths, Matches, testing::Values(false, true),
                         [](const auto& info) { return info.param ? "B64" : "B32"; });

TEST(Match, MayWriteOverItsValue) {
  EXPECT_EQ(run("and.b32 %r1, %lane, 1; match.any.sync.b32 %r1, %r1, -1; st.global.u32 [%out], %r1;").out[3],
            0xaaaaaaaau);
}

}  // namespace
}  // namespace warpwright::kernels
