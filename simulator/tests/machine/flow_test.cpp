#include "machine/flow.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "isa/decode.h"
#include "machine/kernel.h"
#include "machine/random_flow.h"

namespace warpwright::machine {
namespace {

Instruction straight(Flow flow = Flow::straight, std::uint32_t target = 0) {
  Instruction instruction;
  instruction.flow = flow;
  instruction.target = target;
  return instruction;
}
Instruction guarded(Instruction instruction = straight()) {
  instruction.guard = 0;
  return instruction;
}
Instruction jump(std::uint32_t target) { return straight(Flow::branch, target); }
Instruction branch(std::uint32_t target) { return guarded(jump(target)); }
Instruction leave() { return straight(Flow::exit); }
Instruction barrier() { return straight(Flow::block_barrier); }

Program program_of(std::vector<Instruction> code) {
  Program program;
  program.code = std::move(code);
  analyse_flow(program);
  return program;
}

using Pcs = std::set<std::uint32_t>;

std::vector<std::uint32_t> successors(const Program& program, std::uint32_t pc) {
  const Instruction& instruction = program.code[pc];
  std::vector<std::uint32_t> list;
  if (instruction.flow == Flow::branch) list.push_back(instruction.target);
  const bool always_leaves = instruction.flow == Flow::branch || instruction.flow == Flow::exit;
  if (!always_leaves || instruction.guard != no_register) list.push_back(pc + 1);
  std::erase_if(list, [&](std::uint32_t to) { return to >= program.code.size(); });
  return list;
}

Pcs reachable_without(const Program& program, std::uint32_t removed) {
  Pcs seen;
  std::vector<std::uint32_t> work;
  if (removed != 0) work.push_back(0);
  while (!work.empty()) {
    const std::uint32_t pc = work.back();
    work.pop_back();
    if (pc == removed || !seen.insert(pc).second) continue;
    for (const std::uint32_t next : successors(program, pc)) work.push_back(next);
  }
  return seen;
}

/// What flow.h promises, checked by definition: a pc dominates another that cannot be reached without it.
void expect_ranks_hold(const Program& program) {
  const auto size = static_cast<std::uint32_t>(program.code.size());
  std::vector<std::uint32_t> sorted = program.rank;
  std::ranges::sort(sorted);
  std::vector<std::uint32_t> all(size);
  std::iota(all.begin(), all.end(), 0u);
  ASSERT_EQ(sorted, all) << "ranks are no permutation";

  const Pcs reachable = reachable_without(program, size);
  for (const std::uint32_t header : reachable) {
    const Pcs undominated = reachable_without(program, header);
    const auto dominated = [&](std::uint32_t pc) { return !undominated.contains(pc); };
    Pcs loop;
    std::vector<std::uint32_t> work;
    for (const std::uint32_t pc : reachable)
      for (const std::uint32_t next : successors(program, pc)) {
        if (next != header) continue;
        if (dominated(pc))
          work.push_back(pc);
        else
          EXPECT_LT(program.rank[pc], program.rank[header]) << "edge " << pc << " -> " << header;
      }
    if (work.empty()) continue;
    loop.insert(header);
    while (!work.empty()) {
      const std::uint32_t pc = work.back();
      work.pop_back();
      if (!loop.insert(pc).second) continue;
      for (const std::uint32_t before : reachable)
        if (std::ranges::count(successors(program, before), pc) != 0) work.push_back(before);
    }
    std::vector<std::uint32_t> ranks;
    for (const std::uint32_t pc : loop) ranks.push_back(program.rank[pc]);
    EXPECT_EQ(std::ranges::max(ranks) - std::ranges::min(ranks) + 1, loop.size())
        << "the loop at " << header << " is not in one piece";
  }
}

TEST(Ranks, PutALoopsBodyBeforeAnExitThatIsLaidOutFirst) {
  const Program program = program_of({branch(3), straight(), leave(), straight(), jump(0)});
  EXPECT_EQ(program.rank, (std::vector<std::uint32_t>{0, 3, 4, 1, 2}));
}

TEST(Ranks, KeepNestedLoopsInOnePieceWhateverTheirLayout) {
  const Program program = program_of({
      jump(6),              //  0 entry
      straight(), leave(),  //  1 behind both loops
      straight(), jump(6),  //  3 behind the inner loop, back to the outer header
      straight(),           //  5 unreachable
      branch(9), jump(1),   //  6 outer header
      straight(),           //  8 unreachable
      branch(11), jump(3),  //  9 inner header
      straight(), jump(9),  // 11 inner body
  });
  expect_ranks_hold(program);
  EXPECT_LT(program.rank[12], program.rank[3]);
  EXPECT_LT(program.rank[4], program.rank[1]);
}

TEST(Ranks, PutEveryExitOfALoopBehindAllOfTheLoop) {
  const Program program = program_of({
      branch(6),   // 0 header; leaves to 6
      branch(4),   // 1 leaves to 4
      branch(0),   // 2 latch
      jump(6),     // 3 falls out
      straight(),  // 4 second exit, which joins the first
      jump(6),     // 5
      leave(),     // 6
  });
  expect_ranks_hold(program);
  for (const std::uint32_t outside : {3u, 4u, 6u}) EXPECT_GT(program.rank[outside], program.rank[2]) << outside;
}

TEST(Ranks, EndForLoopsWithSeveralEntries) {
  const Program program = program_of({
      branch(3),   // 0: into the middle of the loop, or
      straight(),  // 1: to its top
      straight(),  // 2
      straight(),  // 3
      branch(1),   // 4
      leave(),     // 5
  });
  std::vector<std::uint32_t> sorted = program.rank;
  std::ranges::sort(sorted);
  EXPECT_EQ(sorted, (std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(program.rank[0], 0u);
}

TEST(Ranks, PutUnreachableCodeLast) {
  const Program program = program_of({jump(3), straight(), jump(1), leave()});
  EXPECT_EQ(program.rank, (std::vector<std::uint32_t>{0, 2, 3, 1}));
}

TEST(Ranks, HoldForEveryStructuredProgramInEveryLayout) {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    const kernels::RandomFlow flow(seed, seed % 2 == 1);
    const ptx::Module module = ptx::parse(kernels::module_around(flow.ptx()));
    expect_ranks_hold(isa::decode(module, "kernel", {}));
    if (HasFailure()) return;
  }
}

TEST(Runs, EndAtGuardsBranchesBarriersAndWhereABranchEnters) {
  const Program program = program_of({
      straight(), straight(), straight(),  // 0: 2 is a branch's target
      guarded(),                           // 3
      straight(), barrier(),               // 4
      straight(), branch(2),               // 6
      straight(), leave(),                 // 8
  });
  EXPECT_EQ(program.run_length, (std::vector<std::uint32_t>{2, 1, 1, 0, 1, 0, 1, 0, 1, 0}));
}

/// What memory instructions of a body know: by their order, and at which register they look.
std::string known_shapes(const std::string& body) {
  const ptx::Module module = ptx::parse(
      ".version 9.0 .target sm_90 .address_size 64 .visible .entry kernel() { .reg .pred %p<2>; .reg .b32 %r<7>; " +
      body + " ret; }");
  const Program program = isa::decode(module, "kernel", {});
  std::string known;
  for (const Instruction& instruction : program.code)
    if (instruction.elements != 0 && instruction.space == Space::shared)
      known += fmt::format("{}{} ", instruction.shape, instruction.knows_shape ? " knows" : "");
  return known;
}

TEST(AddressShapes, AreKnownWhereTheRegisterWasAnAddressBefore) {
  EXPECT_EQ(known_shapes("ld.shared.u32 %r1, [%r2]; ld.shared.u32 %r3, [%r2+4]; st.shared.u32 [%r2], %r1;"),
            "0 0 knows 0 knows ");
  EXPECT_EQ(known_shapes("ld.shared.u32 %r1, [%r2]; ld.shared.u32 %r3, [%r4]; st.shared.u32 [%r2], %r1;"),
            "0 1 0 knows ");
}

TEST(AddressShapes, AreForgottenWhereTheRegisterIsWritten) {
  EXPECT_EQ(known_shapes("ld.shared.u32 %r1, [%r2]; add.u32 %r2, %r2, 4; ld.shared.u32 %r3, [%r2];"), "0 1 ");
  EXPECT_EQ(known_shapes("ld.shared.u32 %r2, [%r2]; ld.shared.u32 %r3, [%r2];"), "0 1 ");
  EXPECT_EQ(known_shapes("ld.shared.u32 %r1, [%r2]; ld.shared.v2.u32 {%r3, %r2}, [%r4]; st.shared.u32 [%r2], %r1;"),
            "0 1 2 ");
}

TEST(AddressShapes, AreForgottenWhereARunEnds) {
  EXPECT_EQ(known_shapes("ld.shared.u32 %r1, [%r2]; bar.sync 0; ld.shared.u32 %r3, [%r2];"), "0 1 ");
  EXPECT_EQ(known_shapes("ld.shared.u32 %r1, [%r2]; @%p1 ld.shared.u32 %r3, [%r2]; ld.shared.u32 %r3, [%r2];"),
            "0 0 1 ");
  EXPECT_EQ(known_shapes("ld.shared.u32 %r1, [%r2]; label: ld.shared.u32 %r3, [%r2]; @%p1 bra label;"), "0 1 ");
}

TEST(AddressShapes, AreKeptInAsManyPlacesAsThereAre) {
  EXPECT_EQ(known_shapes("ld.shared.u32 %r1, [%r2]; ld.shared.u32 %r1, [%r3]; ld.shared.u32 %r1, [%r4]; "
                         "ld.shared.u32 %r1, [%r5]; ld.shared.u32 %r1, [%r2]; ld.shared.u32 %r1, [%r6]; "
                         "ld.shared.u32 %r1, [%r2]; ld.shared.u32 %r1, [%r5];"),
            "0 1 2 3 0 knows 0 1 3 knows ");
}

TEST(Runs, OfAnEmptyProgramAreNone) {
  const Program program = program_of({});
  EXPECT_TRUE(program.rank.empty());
  EXPECT_TRUE(program.run_length.empty());
}

}  // namespace
}  // namespace warpwright::machine
