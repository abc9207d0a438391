#include <fmt/core.h>
#include <gtest/gtest.h>

#include <bit>
#include <functional>

#include "isa/checks.h"
#include "machine/kernel.h"

namespace warpwright::checks {
namespace {

using kernels::Outcome;
using Operation = std::function<Bits(Bits old, Bits b, Bits c)>;

struct Atomic {
  std::string operation, type;
  Operation result;
};

std::vector<Atomic> atomics() {
  std::vector<Atomic> list;
  const auto bits = [](s128 value) { return static_cast<Bits>(static_cast<u128>(value)); };
  for (const std::string type : {"u32", "s32", "u64"})
    list.push_back(
        {"add", type, [=](Bits old, Bits b, Bits) { return bits(value_of(old, type) + value_of(b, type)); }});
  list.push_back({"add", "f32", [](Bits old, Bits b, Bits) { return bits_of(f32_of(old) + f32_of(b)); }});
  list.push_back({"add", "f64", [](Bits old, Bits b, Bits) { return bits_of(f64_of(old) + f64_of(b)); }});
  for (const std::string type : {"u32", "s32", "u64", "s64"}) {
    list.push_back(
        {"min", type, [=](Bits old, Bits b, Bits) { return value_of(b, type) < value_of(old, type) ? b : old; }});
    list.push_back(
        {"max", type, [=](Bits old, Bits b, Bits) { return value_of(b, type) > value_of(old, type) ? b : old; }});
  }
  for (const std::string type : {"b32", "b64"}) {
    list.push_back({"and", type, [](Bits old, Bits b, Bits) { return old & b; }});
    list.push_back({"or", type, [](Bits old, Bits b, Bits) { return old | b; }});
    list.push_back({"xor", type, [](Bits old, Bits b, Bits) { return old ^ b; }});
    list.push_back({"exch", type, [](Bits, Bits b, Bits) { return b; }});
    list.push_back({"cas", type, [](Bits old, Bits b, Bits c) { return old == b ? c : old; }});
  }
  list.push_back({"inc", "u32", [](Bits old, Bits b, Bits) { return old < b ? old + 1 : 0; }});
  list.push_back({"dec", "u32", [](Bits old, Bits b, Bits) { return old >= 1 && old <= b ? old - 1 : b; }});
  return list;
}

bool has_result_only(const Atomic& atomic) { return atomic.operation == "exch" || atomic.operation == "cas"; }

std::string literal(Bits bits, const std::string& type) {
  if (type == "f32") return fmt::format("0f{:08X}", bits);
  if (type == "f64") return fmt::format("0d{:016X}", bits);
  return fmt::format("{:#x}", bits);
}

struct Result {
  Bits old, now;
};

/// One lane applies an atomic, or the reduction without a result, to a word that holds `old`.
Result apply(const Atomic& atomic, const std::string& space, bool returns, Bits old, Bits b, Bits c) {
  const bool is_wide = width_of(atomic.type) == 64;
  const std::string size = is_wide ? "64" : "32";
  const std::string reg = atomic.type == "f32" ? "%f" : atomic.type == "f64" ? "%fd" : is_wide ? "%rd" : "%r";
  const std::string at = space == "shared" ? "tile" : "%outs";
  std::string body = fmt::format("st.{}.b{} [{}], {};\n", space, size, at, literal(old, "b" + size));
  body += fmt::format("mov.{} {}1, {};\n", atomic.type, reg, literal(0, atomic.type));
  body += fmt::format("{}.{}.{}.{} ", returns ? "atom" : "red", space, atomic.operation, atomic.type);
  if (returns) body += reg + "1, ";
  body += fmt::format("[{}], {}{};\n", at, literal(b, atomic.type),
                      atomic.operation == "cas" ? ", " + literal(c, atomic.type) : "");
  body += fmt::format("ld.{}.b{} {}2, [{}];\n", space, size, reg, at);
  body += fmt::format("st.global.b{0} [%outs+8], {1}1; st.global.b{0} [%outs+16], {1}2;", size, reg);
  const Outcome outcome = kernels::run(body, {.block = {1, 1, 1}, .words = 6});
  EXPECT_EQ(outcome.status, machine::LaunchStatus::finished);
  const auto word = [&](std::size_t i) {
    return is_wide ? outcome.out[i] | Bits{outcome.out[i + 1]} << 32 : Bits{outcome.out[i]};
  };
  return {word(2), word(4)};
}

bool is_subnormal(Bits bits) { return (bits & 0x7f800000) == 0 && (bits & 0x007fffff) != 0; }

TEST(Atomics, ReturnTheOldValueAndStoreTheNewOne) {
  for (const Atomic& atomic : atomics())
    for (const char* space : {"global", "shared"}) {
      const std::vector<Bits> some =
          atomic.type[0] == 'f' ? edges(atomic.type) : std::vector<Bits>{0, 1, 5, 0x7fffffff, 0x80000000, 0xffffffff};
      for (Bits old : some)
        for (Bits b : some) {
          if (atomic.type == "f32" && (is_subnormal(old) || is_subnormal(b))) continue;
          if (width_of(atomic.type) == 64 && atomic.type != "f64") old |= old << 32;
          const Result result = apply(atomic, space, true, old, b, 42);
          const Bits expected = masked(atomic.result(old, b, 42), atomic.type);
          ASSERT_EQ(result.old, old) << atomic.operation << "." << atomic.type;
          if (atomic.type == "f64" && f64_of(expected) != f64_of(expected)) continue;
          ASSERT_EQ(result.now, expected)
              << space << "." << atomic.operation << "." << atomic.type << " " << old << " " << b;
        }
    }
}

TEST(Reductions, StoreWithoutAResult) {
  for (const Atomic& atomic : atomics()) {
    if (has_result_only(atomic)) continue;
    const Bits old = atomic.type == "f32" ? 0x40400000 : atomic.type == "f64" ? 0x4008000000000000 : 12;
    const Bits b = atomic.type == "f32" ? 0x3f800000 : atomic.type == "f64" ? 0x3ff0000000000000 : 10;
    const Result result = apply(atomic, "global", false, old, b, 0);
    EXPECT_EQ(result.old, 0u) << "a reduction writes no register";
    EXPECT_EQ(result.now, masked(atomic.result(old, b, 0), atomic.type)) << atomic.operation << "." << atomic.type;
  }
}

/// Four lanes do this at one place, which held the numbers 1, 2, 3, 4 or their likes.
std::vector<std::uint32_t> four_times(const std::string& start, const std::string& atomic) {
  return kernels::run(
             "mov.b32 %f1, 0f3F800000; mov.b32 %f2, 0f40000000; mov.b32 %f3, 0f40400000; "
             "setp.eq.u32 %p1, %lane, 0; @%p1 st.global.v4.b32 [%outs], {" +
                 start + "}; bar.warp.sync -1;" + atomic + ";",
             {.block = {4, 1, 1}, .words = 8})
      .out;
}

TEST(VectorAtomics, CombineEachElementOfEveryLane) {
  const std::string words = "0x3f800000, 0x40000000, 0x40400000, 0x40800000";  // 1, 2, 3, 4
  const auto pair = four_times(words, "red.relaxed.gpu.global.add.v2.f32 [%outs+8], {%f1, %f2}");
  EXPECT_EQ(pair[1], 0x40000000u) << "left alone";
  EXPECT_EQ(f32_of(pair[2]), 3 + 4 * 1);
  EXPECT_EQ(f32_of(pair[3]), 4 + 4 * 2);
  const auto four = four_times(words, "red.global.add.L2::cache_hint.v4.f32 [%outs], {%f1, %f2, %f3, %f1}, %rd1");
  for (const auto& [i, sum] : {std::pair{0, 5.f}, {1, 10.f}, {2, 15.f}, {3, 8.f}}) EXPECT_EQ(f32_of(four[i]), sum);
}

TEST(VectorAtomics, ReturnEveryElementsOldValue) {
  const auto out = four_times("0x3f800000, 0x40000000, 0x40400000, 0x40800000",
                              "atom.add.v4.f32 {%f4, %f5, _, %f6}, [%outs], {%f1, %f1, %f1, %f2};"
                              "setp.eq.u32 %p2, %lane, 3; @%p2 st.global.v2.f32 [%outs+16], {%f4, %f6};"
                              "@%p2 st.global.f32 [%outs+24], %f5");
  EXPECT_EQ(f32_of(out[4]), 1 + 3 * 1) << "the last of four lanes";
  EXPECT_EQ(f32_of(out[5]), 4 + 3 * 2);
  EXPECT_EQ(f32_of(out[6]), 2 + 3 * 1);
  EXPECT_EQ(f32_of(out[3]), 4 + 4 * 2);
}

TEST(VectorAtomics, OfHalvesAddAndChooseWithoutFlushing) {
  // 1, the least subnormal number, -2 and a NaN; 3c00 is 1, 4000 is 2.
  const std::string halves = "0x00013c00, 0x7fffc000, 0, 0";
  const auto set = [](const std::string& with) {
    return "mov.b16 %rs1, 0x3c00; mov.b16 %rs2, 1; mov.b16 %rs3, 0xc000; mov.b16 %rs4, 0x4000;" + with;
  };
  const auto sum = four_times(halves, set("red.global.add.noftz.v4.f16 [%outs], {%rs1, %rs2, %rs3, %rs4}"));
  EXPECT_EQ(sum[0], 0x00054500u) << "5, and five times the least number";
  EXPECT_EQ(sum[1], 0x7fffc900u) << "-10, and the NaN";
  const auto least = four_times(halves, set("red.global.min.noftz.v4.f16 [%outs], {%rs3, %rs1, %rs1, %rs4}"));
  EXPECT_EQ(least[0], 0x0001c000u);
  EXPECT_EQ(least[1], 0x4000c000u) << "a number wins over a NaN";
  const auto greatest = four_times("0x00010001, 0, 0, 0",
                                   "mov.b32 %r1, 0xc0003f80; red.global.max.noftz.v2.bf16x2 "
                                   "[%outs], {%r1, %r1}");
  EXPECT_EQ(greatest[0], 0x00013f80u);
  EXPECT_EQ(greatest[1], 0x00003f80u);
}

TEST(VectorAtomics, FlushSinglePrecisionAsSingleAtomicsDo) {
  const auto sum =
      four_times("0x00400000, 0x80000001, 0, 0",
                 "mov.b32 %f4, 0f00100000; mov.b32 %f5, 0f80000000; red.global.add.v2.f32 [%outs], {%f4, %f5}");
  EXPECT_EQ(sum[0], 0u);
  EXPECT_EQ(sum[1], 0x80000000u);
}

TEST(VectorAtomics, AreOneAlignedAccessInGlobalMemory) {
  const Outcome outcome = kernels::run("mov.b32 %f1, 0f00000000; red.global.add.v4.f32 [%outs], {%f1, %f1, %f1, %f1};",
                                       {.block = {1, 1, 1}, .words = 4});
  ASSERT_EQ(outcome.events.accesses.size(), 1u);
  EXPECT_EQ(outcome.events.accesses[0].bytes, 16u);
  EXPECT_EQ(outcome.events.accesses[0].kind, machine::AccessKind::reduction);
  const auto fault_of = [](const std::string& at) {
    const Outcome wrong = kernels::run("mov.b32 %f1, 0f00000000; cvta.shared.u64 %rd1, 0; red.add.v2.f32 [" + at +
                                           "], {%f1, %f1}; st.shared.u32 [tile], 1;",
                                       {.words = 4});
    return wrong.events.faults.at(0).kind;
  };
  EXPECT_EQ(fault_of("%outs+4"), observe::FaultKind::misaligned);
  EXPECT_EQ(fault_of("%rd1"), observe::FaultKind::bad_call);
}

TEST(AtomicAdd, OfSinglePrecisionFlushesSubnormalNumbersInGlobalMemoryOnly) {
  const Atomic add{"add", "f32", {}};
  constexpr Bits half_of_least_normal = 0x00400000, least_normal = 0x00800000, minus = 0x80000000;
  EXPECT_EQ(apply(add, "shared", true, half_of_least_normal, half_of_least_normal, 0).now, least_normal);
  EXPECT_EQ(apply(add, "global", true, half_of_least_normal, half_of_least_normal, 0).now, 0u);
  EXPECT_EQ(apply(add, "global", true, half_of_least_normal | minus, minus, 0).now, minus) << "zeros keep the sign";
  EXPECT_EQ(apply(add, "shared", true, 0x00c00000, least_normal | minus, 0).now, half_of_least_normal);
  EXPECT_EQ(apply(add, "global", true, 0x00c00000, least_normal | minus, 0).now, 0u) << "and so does a result";
}

TEST(Atomics, Of128BitsExchangeBothHalves) {
  // The lanes push themselves on a stack whose top is a pair of words: who, and how many have been before.
  const Outcome outcome = kernels::run(R"(
    .reg .b128 %q<4>;
    cvt.u64.u32 %rd1, %lane;
    mov.u64 %rd2, 77;
    mov.b128 %q1, {%rd1, %rd2};
    atom.global.exch.b128 %q0, [%ins], %q1;
    mov.b128 {%rd3, %rd4}, %q0;
    cvt.u32.u64 %r1, %rd3;
    cvt.u32.u64 %r2, %rd4;
    mad.lo.u32 %r1, %r2, 100, %r1;
    st.global.u32 [%out], %r1;)",
                                       {.in = {5, 0, 6, 0}});
  EXPECT_EQ(outcome.out[0], 605u);
  for (std::uint32_t lane = 1; lane < 32; ++lane) EXPECT_EQ(outcome.out[lane], 7700 + lane - 1);
}

TEST(Atomics, Of128BitsCompareBothHalves) {
  for (const std::uint32_t high : {6u, 7u}) {
    const Outcome outcome = kernels::run(fmt::format(R"(
      .reg .b128 %q<4>;
      mov.u64 %rd1, 5;
      mov.u64 %rd2, {};
      mov.b128 %q1, {{%rd1, %rd2}};
      mov.u64 %rd2, 9;
      mov.b128 %q2, {{%rd2, %rd1}};
      atom.global.cas.b128 %q0, [%ins], %q1, %q2;
      ld.global.b128 %q3, [%ins];
      st.global.b128 [%outs], %q3;)",
                                                     high),
                                         {.block = {1, 1, 1}, .in = {5, 0, 6, 0}, .words = 4});
    EXPECT_EQ(outcome.out,
              high == 6 ? (std::vector<std::uint32_t>{9, 0, 5, 0}) : (std::vector<std::uint32_t>{5, 0, 6, 0}));
  }
}

TEST(Atomics, OfOneWarpTakeTurns) {
  const Outcome outcome = kernels::run("atom.global.add.u32 %r1, [%ins], 3; st.global.u32 [%out], %r1;", {.in = {100}});
  for (std::uint32_t lane = 0; lane < 32; ++lane) EXPECT_EQ(outcome.out[lane], 100 + 3 * lane);
}

TEST(Atomics, OfOneWarpMayGoToDifferentWords) {
  const Outcome outcome = kernels::run(R"(
    and.b32 %r1, %lane, 3;
    mul.lo.u32 %r1, %r1, 4;
    mov.u32 %r2, tile;
    add.u32 %r1, %r1, %r2;
    st.shared.u32 [%r1], 0;
    bar.warp.sync -1;
    setp.lt.u32 %p1, %lane, 30;
    @%p1 atom.shared.max.u32 %r3, [%r1], %lane;
    @%p1 red.shared.add.u32 [%r1], 100;
    bar.warp.sync -1;
    ld.shared.u32 %r4, [%r1];
    st.global.u32 [%out], %r4;)");
  EXPECT_EQ(outcome.out[0], 8 * 100 + 28u + 0u * outcome.out[1]);
}

TEST(Atomics, AcceptScopesAndOrdersWhereverTheyStand) {
  for (const char* form :
       {"atom.add.u32", "atom.global.add.u32", "atom.relaxed.gpu.global.add.u32", "atom.add.acquire.cta.u32",
        "atom.global.sys.add.u32", "atom.acq_rel.cluster.global.add.u32", "atom.add.release.gpu.global.u32"})
    EXPECT_EQ(kernels::run(fmt::format("{} %r1, [%ins], 1; st.global.u32 [%out], %r1;", form), {.in = {7}}).out[1], 8u)
        << form;
}

TEST(Atomics, MayDropTheirResult) {
  const Outcome outcome = kernels::run(
      "atom.global.add.u32 _, [%ins], 1; ld.global.u32 %r1, [%ins]; st.global.u32 [%out], %r1;", {.in = {7}});
  EXPECT_EQ(outcome.out[0], 39u);
  EXPECT_EQ(outcome.events.accesses.at(0).kind, machine::AccessKind::atomic);
}

TEST(Atomics, MayWriteOverTheirOperand) {
  const Outcome outcome =
      kernels::run("mov.u32 %r1, 5; atom.global.add.u32 %r1, [%ins], %r1; st.global.u32 [%out], %r1;", {.in = {7}});
  for (std::uint32_t lane = 0; lane < 32; ++lane) EXPECT_EQ(outcome.out[lane], 7 + 5 * lane);
}

}  // namespace
}  // namespace warpwright::checks
