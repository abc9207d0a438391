#include <fmt/core.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <numeric>

#include "machine/kernel.h"

namespace warpwright::kernels {
namespace {

using machine::AccessKind;

/// One lane copies 16 bytes of input to the output through registers.
std::vector<std::uint32_t> copied(const std::string& body, const std::vector<std::uint32_t>& in = {
                                                               0x03020100, 0x87868584, 0x0b0a0908, 0x8f8e8d8c}) {
  const Outcome outcome = run(body, {.block = {1, 1, 1}, .in = in, .words = 4});
  EXPECT_EQ(outcome.status, LaunchStatus::finished);
  return outcome.out;
}

TEST(Vectors, MoveEveryElementOfEveryWidth) {
  const std::vector<std::uint32_t> in = {0x03020100, 0x87868584, 0x0b0a0908, 0x8f8e8d8c};
  const auto prefix = [&](std::size_t bytes) {
    std::vector<std::uint32_t> expected(4, unwritten);
    for (std::size_t i = 0; i < bytes; ++i) {
      const std::uint32_t shift = 8 * (i % 4);
      expected[i / 4] = (expected[i / 4] & ~(0xffu << shift)) | (in[i / 4] & (0xffu << shift));
    }
    return expected;
  };
  struct Form {
    const char* type;
    const char* stem;
    std::size_t bytes;
  };
  for (const Form& form : {Form{"u8", "%rs", 1},
                           {"b8", "%r", 1},
                           {"s8", "%r", 1},
                           {"u16", "%rs", 2},
                           {"b16", "%rs", 2},
                           {"u32", "%r", 4},
                           {"b32", "%r", 4},
                           {"f32", "%f", 4},
                           {"u64", "%rd", 8},
                           {"b64", "%rd", 8},
                           {"f64", "%fd", 8}})
    for (const std::size_t count : {1, 2, 4}) {
      if (form.bytes * count > 16) continue;
      std::string list;
      for (std::size_t i = 1; i <= count; ++i) list += fmt::format("{}{}{}", i > 1 ? ", " : "", form.stem, i);
      const std::string kind = count == 1 ? form.type : fmt::format("v{}.{}", count, form.type);
      const std::string data = count == 1 ? list : "{" + list + "}";
      const std::string body = fmt::format("ld.global.{} {}, [%in]; st.global.{} [%out], {};", kind, data, kind, data);
      EXPECT_EQ(copied(body), prefix(form.bytes * count)) << body;
    }
}

TEST(Vectors, OfTwoHalvesAreOneRegisterOf128Bits) {
  const std::vector<std::uint32_t> in = {1, 2, 3, 4};
  EXPECT_EQ(copied(R"(
    .reg .b128 %q;
    ld.global.b128 %q, [%in];
    st.global.b128 [%out], %q;)",
                   in),
            in);
  EXPECT_EQ(copied(R"(
    .reg .b128 %q<2>;
    ld.global.b128 %q0, [%in];
    mov.b128 {%rd1, %rd2}, %q0;
    mov.b128 %q1, {%rd2, %rd1};
    st.global.b128 [%out], %q1;)",
                   in),
            (std::vector<std::uint32_t>{3, 4, 1, 2}));
}

TEST(Vectors, SkipSinksButAccessThem) {
  const Outcome outcome =
      run("ld.global.v4.u32 {%r1, _, _, %r2}, [%ins]; add.u32 %r3, %r1, %r2; st.global.u32 [%out], %r3;",
          {.in = {1, 2, 3, 4}});
  EXPECT_EQ(outcome.out[7], 5u);
  EXPECT_EQ(outcome.events.accesses.at(0).bytes, 16u);
}

TEST(Vectors, MayLoadIntoTheirOwnAddress) {
  const Outcome outcome =
      run("mov.b64 %rd1, %ins; ld.global.v2.b64 {%rd1, %rd2}, [%rd1]; st.global.v2.b64 [%outs], {%rd1, %rd2};",
          {.in = {1, 2, 3, 4}});
  EXPECT_EQ(std::vector<std::uint32_t>(outcome.out.begin(), outcome.out.begin() + 4),
            (std::vector<std::uint32_t>{1, 2, 3, 4}));
}

/// %rd1 is where each lane's word lies from the middle of 256 words, as in a block that is 16 threads wide.
std::string by_halves(int stride, int jump) {
  return fmt::format(R"(
    and.b32 %r1, %lane, 15;
    shr.u32 %r2, %lane, 4;
    mul.lo.s32 %r1, %r1, {};
    mad.lo.s32 %r1, %r2, {}, %r1;
    cvt.s64.s32 %rd1, %r1;
    add.s64 %rd1, %rd1, 512;)",
                     stride, jump);
}
int word_by_halves(int lane, int stride, int jump) { return (512 + lane % 16 * stride + lane / 16 * jump) / 4; }

TEST(Loads, ByHalvesOfAWarpReachEachLanesWord) {
  std::vector<std::uint32_t> in(256);
  std::iota(in.begin(), in.end(), 1000u);
  for (const int stride : {4, 0, 8, -4})
    for (const int jump : {64, 0, 4, 128, -64, 60}) {
      const Outcome outcome = run(
          by_halves(stride, jump) + "add.s64 %rd1, %rd1, %ins; ld.global.u32 %r3, [%rd1]; st.global.u32 [%out], %r3;",
          {.in = in});
      for (int lane = 0; lane < 32; ++lane)
        EXPECT_EQ(outcome.out[lane], in[word_by_halves(lane, stride, jump)]) << stride << ' ' << jump << ' ' << lane;
    }
}

TEST(Stores, ByHalvesOfAWarpReachEachLanesWord) {
  for (const int stride : {4, 0, 8, -4})
    for (const int jump : {64, 0, 4, 128, -64, 60}) {
      const Outcome outcome = run(
          by_halves(stride, jump) + "add.s64 %rd1, %rd1, %outs; add.u32 %r3, %lane, 100; st.global.u32 [%rd1], %r3;",
          {.words = 256});
      std::vector<std::uint32_t> expected(256, unwritten);
      for (std::uint32_t lane = 0; lane < 32; ++lane) expected[word_by_halves(lane, stride, jump)] = lane + 100;
      EXPECT_EQ(outcome.out, expected) << stride << ' ' << jump;
    }
}

TEST(Loads, OfNeighbouringElementsFillEachLanesRegister) {
  std::vector<std::uint32_t> in(64);
  std::iota(in.begin(), in.end(), 0x80828400u);
  const auto* bytes = reinterpret_cast<const unsigned char*>(in.data());
  struct Form {
    const char* load;
    std::size_t size;
  };
  for (const Form& form : {Form{"ld.global.u8 %r2", 1}, {"ld.global.u16 %r2", 2}, {"ld.global.u32 %r2", 4}}) {
    const Outcome outcome = run(fmt::format(R"(
      mul.wide.u32 %rd1, %lane, {};
      add.s64 %rd1, %rd1, %ins;
      {}, [%rd1];
      st.global.u32 [%out], %r2;)",
                                            form.size, form.load),
                                {.in = in});
    for (std::size_t lane = 0; lane < 32; ++lane) {
      std::uint32_t expected = 0;
      std::memcpy(&expected, bytes + lane * form.size, form.size);
      EXPECT_EQ(outcome.out[lane], expected) << form.load << ' ' << lane;
    }
  }
  const Outcome wider = run(R"(
    mul.wide.u32 %rd1, %lane, 4;
    add.s64 %rd1, %rd1, %ins;
    ld.global.s32 %rd2, [%rd1];
    shr.s64 %rd2, %rd2, 32;
    cvt.u32.u64 %r2, %rd2;
    st.global.u32 [%out], %r2;)",
                            {.in = in});
  EXPECT_EQ(wider.out, std::vector<std::uint32_t>(32, 0xffffffff));
}

TEST(Stores, OfNeighbouringElementsWriteNoOtherBytes) {
  for (const std::size_t size : {1, 2, 4}) {
    const Outcome outcome = run(fmt::format(R"(
      mul.wide.u32 %rd1, %lane, {0};
      add.s64 %rd1, %rd1, %outs;
      add.u32 %r1, %lane, 0x01010140;
      cvt.u64.u32 %rd2, %r1;
      st.global.u{1} [%rd1], %rd2;)",
                                            size, 8 * size),
                                {.words = 64});
    std::vector<std::uint32_t> expected(64, unwritten);
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      const std::uint32_t value = lane + 0x01010140;
      std::memcpy(reinterpret_cast<unsigned char*>(expected.data()) + lane * size, &value, size);
    }
    EXPECT_EQ(outcome.out, expected) << size;
  }
}

TEST(Loads, ExtendSignedElementsBySignAndOthersByZero) {
  struct Case {
    const char* load;
    std::uint64_t expected;
  };
  for (const Case& c : {Case{"ld.global.s8 %rd1", 0xffffffffffffff84},
                        {"ld.global.u8 %rd1", 0x84},
                        {"ld.global.b8 %rd1", 0x84},
                        {"ld.global.s16 %rd1", 0xffffffffffff8584},
                        {"ld.global.u16 %rd1", 0x8584},
                        {"ld.global.s32 %rd1", 0xffffffff87868584},
                        {"ld.global.u32 %rd1", 0x87868584},
                        {"ld.global.v2.s8 {%rd1, %rd2}", 0xffffffffffffff84}}) {
    const auto words = copied(fmt::format("{}, [%in+4]; st.global.b64 [%out], %rd1;", c.load));
    EXPECT_EQ(words[0] | std::uint64_t{words[1]} << 32, c.expected) << c.load;
  }
  EXPECT_EQ(copied("ld.global.s8 %r1, [%in+4]; st.global.b32 [%out], %r1;")[0], 0xffffff84u);
  EXPECT_EQ(copied("ld.global.s16 %r1, [%in+4]; st.global.b32 [%out], %r1;")[0], 0xffff8584u);
  EXPECT_EQ(copied("ld.global.u16 %r1, [%in+4]; st.global.b32 [%out], %r1;")[0], 0x8584u);
}

TEST(Stores, OfANarrowTypeWriteItsBytesOnly) {
  EXPECT_EQ(copied("mov.b32 %r1, 0x12345678; st.global.u8 [%out+1], %r1;")[0], 0xdead78efu);
  EXPECT_EQ(copied("mov.b64 %rd1, 0x123456789abcdef0; st.global.u16 [%out+2], %rd1;")[0], 0xdef0beefu);
  EXPECT_EQ(copied("st.global.v2.u16 [%out], {1, 2};")[0], 0x00020001u);
  EXPECT_EQ(copied("st.global.f32 [%out], 1.5;")[0], std::bit_cast<std::uint32_t>(1.5f));
}

TEST(Parameters, AreReadAtAnOffsetAndAreNoAccess) {
  const Outcome outcome = run(R"(
    ld.param.u32 %r1, [outs+4];
    ld.param.v2.u32 {%r2, %r3}, [outs];
    ld.param.s8 %rd1, [outs+7];
    st.global.v4.u32 [%outs], {%r1, %r2, %r3, 0};)",
                              {.block = {1, 1, 1}, .words = 4});
  EXPECT_EQ(outcome.out[0], outcome.outs >> 32);
  EXPECT_EQ(outcome.out[1], outcome.outs & 0xffffffff);
  EXPECT_EQ(outcome.out[2], outcome.outs >> 32);
  EXPECT_EQ(outcome.events.accesses.size(), 1u) << "the store only";
}

/// %rd1 is the generic address of the kernel's first parameter, of two that are 8 bytes each.
const std::string address_of_parameters = "mov.b64 %rd1, outs; cvta.param.u64 %rd1, %rd1;";

TEST(Parameters, HaveAnAddress) {
  const Outcome outcome = run(address_of_parameters + R"(
    isspacep.param %p1, %rd1;
    isspacep.param %p2, %outs;
    ld.u64 %rd2, [%rd1];
    cvta.to.param.u64 %rd3, %rd1;
    ld.param.u64 %rd3, [%rd3+8];
    selp.u32 %r1, 1, 0, %p1;
    @%p2 add.u32 %r1, %r1, 2;
    sub.u64 %rd2, %rd2, %outs;
    sub.u64 %rd3, %rd3, %ins;
    or.b64 %rd2, %rd2, %rd3;
    cvt.u32.u64 %r2, %rd2;
    add.u32 %r1, %r1, %r2;
    st.global.u32 [%out], %r1;)");
  EXPECT_EQ(outcome.out, std::vector<std::uint32_t>(32, 1));
  EXPECT_EQ(outcome.events.accesses.size(), 1u) << "the store only";
}

TEST(Parameters, MayBeReadByLanesOfWhichOthersReadMemory) {
  const Outcome outcome = run(address_of_parameters + R"(
    setp.lt.u32 %p1, %lane, 16;
    selp.b64 %rd1, %rd1, %ins, %p1;
    ld.u32 %r1, [%rd1+4];
    st.global.u32 [%out], %r1;)",
                              {.in = {1, 7}});
  for (int lane = 0; lane < 32; ++lane) EXPECT_EQ(outcome.out[lane], lane < 16 ? outcome.outs >> 32 : 7u);
}

TEST(Parameters, AreFollowedByNothingAndAreNotWritten) {
  for (const char* access : {"ld.u32 %r1, [%rd1+16];", "ld.u64 %rd2, [%rd1+12];", "ld.u8 %rs1, [%rd1+-1];",
                             "st.u32 [%rd1], 5;", "atom.add.u32 %r1, [%rd1], 5;"}) {
    const Outcome outcome = run(address_of_parameters + access);
    EXPECT_EQ(outcome.status, LaunchStatus::faulted) << access;
    ASSERT_EQ(outcome.events.faults.size(), 1u) << access;
    EXPECT_EQ(outcome.events.faults[0].access.space, machine::Space::param) << access;
  }
}

TEST(Constants, AreReadButAreNoAccess) {
  const Outcome outcome = run_module(R"(.version 9.0
    .target sm_90
    .address_size 64
    .const .align 4 .u32 table[4] = {5, 6, 7, 8};
    .visible .entry kernel(.param .u64 outs) {
    .reg .b32 %r<4>; .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [outs];
    mov.u32 %r1, %tid.x;
    mad.wide.u32 %rd1, %r1, 4, %rd1;
    mov.u64 %rd2, table;
    mad.wide.u32 %rd2, %r1, 4, %rd2;
    ld.const.u32 %r2, [%rd2];
    st.global.u32 [%rd1], %r2;
    })",
                                     {.block = {4, 1, 1}});
  EXPECT_EQ(outcome.out, (std::vector<std::uint32_t>{5, 6, 7, 8}));
  EXPECT_EQ(outcome.events.accesses.size(), 1u) << "the store only";
}

TEST(Events, OfAnAccessComeBeforeItsEffect) {
  const Outcome outcome = run(R"(
    st.global.u32 [%out], 1;
    atom.global.add.u32 %r1, [%out], 1;
    red.global.add.u32 [%out], 1;
    ld.global.u32 %r2, [%out];)");
  const auto& accesses = outcome.events.accesses;
  ASSERT_EQ(accesses.size(), 4u);
  const std::array<std::uint32_t, 4> held = {unwritten, 1, 2, 3};
  const std::array<AccessKind, 4> kinds = {AccessKind::store, AccessKind::atomic, AccessKind::reduction,
                                           AccessKind::load};
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(accesses[i].held, held[i]) << i;
    EXPECT_EQ(accesses[i].kind, kinds[i]) << i;
    EXPECT_EQ(accesses[i].bytes, 4u);
  }
  EXPECT_EQ(outcome.out[0], 3u);
}

TEST(Events, SayWhichAccessesAreOrdered) {
  const std::vector<std::pair<const char*, bool>> forms = {{"ld.global.u32 %r1, [%outs];", false},
                                                           {"ld.weak.global.u32 %r1, [%outs];", false},
                                                           {"ld.global.nc.u32 %r1, [%outs];", false},
                                                           {"ld.volatile.global.u32 %r1, [%outs];", true},
                                                           {"ld.relaxed.gpu.global.u32 %r1, [%outs];", true},
                                                           {"ld.acquire.sys.global.u32 %r1, [%outs];", true},
                                                           {"st.global.cg.u32 [%outs], %r1;", false},
                                                           {"st.release.gpu.global.u32 [%outs], %r1;", true},
                                                           {"st.volatile.global.u32 [%outs], %r1;", true},
                                                           {"atom.global.add.u32 %r1, [%outs], 1;", true},
                                                           {"red.relaxed.cta.global.add.u32 [%outs], 1;", true}};
  for (const auto& [form, ordered] : forms) {
    const Outcome outcome = run(form);
    ASSERT_EQ(outcome.events.accesses.size(), 1u) << form;
    EXPECT_EQ(outcome.events.accesses[0].ordered, ordered) << form;
  }
}

}  // namespace
}  // namespace warpwright::kernels
