// Single results, written out, that are easily got wrong.
#include <gtest/gtest.h>

#include "isa/checks.h"

namespace warpwright::checks {
namespace {

struct Case {
  const char* opcode;
  const char* result;
  std::vector<std::string> sources;
  std::vector<Bits> operands;
  Bits expected;
};

void expect(const std::vector<Case>& cases) {
  for (const Case& c : cases)
    EXPECT_EQ(evaluate(c.opcode, c.result, c.sources, c.operands), c.expected)
        << c.opcode << testing::PrintToString(c.operands);
}

TEST(Edges, OfDivisionHaveNoTrap) {
  expect({{"div.s32", "s32", {"s32", "s32"}, {0x80000000, 0xffffffff}, 0x80000000},
          {"rem.s32", "s32", {"s32", "s32"}, {0x80000000, 0xffffffff}, 0},
          {"div.s64", "s64", {"s64", "s64"}, {Bits{1} << 63, ~Bits{0}}, Bits{1} << 63},
          {"rem.s64", "s64", {"s64", "s64"}, {Bits{1} << 63, ~Bits{0}}, 0},
          {"div.s16", "s16", {"s16", "s16"}, {0x8000, 0xffff}, 0x8000},
          {"div.u32", "u32", {"u32", "u32"}, {5, 0}, 0xffffffff},
          {"rem.u32", "u32", {"u32", "u32"}, {5, 0}, 0xffffffff},
          {"div.s32", "s32", {"s32", "s32"}, {0xfffffff9, 2}, 0xfffffffd},
          {"rem.s32", "s32", {"s32", "s32"}, {0xfffffff9, 2}, 0xffffffff}});
}

TEST(Edges, OfTheSmallestIntegerWrap) {
  expect({{"abs.s32", "s32", {"s32"}, {0x80000000}, 0x80000000},
          {"neg.s64", "s64", {"s64"}, {Bits{1} << 63}, Bits{1} << 63},
          {"add.sat.s32", "s32", {"s32", "s32"}, {0x7fffffff, 1}, 0x7fffffff},
          {"sub.sat.s32", "s32", {"s32", "s32"}, {0x80000000, 1}, 0x80000000},
          {"mul.hi.s32", "s32", {"s32", "s32"}, {0x80000000, 0x80000000}, 0x40000000},
          {"mul.hi.u64", "u64", {"u64", "u64"}, {~Bits{0}, ~Bits{0}}, ~Bits{0} - 1},
          {"mul.lo.u16", "u16", {"u16", "u16"}, {0xffff, 0xffff}, 1},
          {"mul.wide.s16", "s32", {"s16", "s16"}, {0x8000, 0x8000}, 0x40000000},
          {"mul.wide.u32", "u64", {"u32", "u32"}, {0xffffffff, 0xffffffff}, 0xfffffffe00000001},
          {"sad.s32", "s32", {"s32", "s32", "s32"}, {0x80000000, 0x7fffffff, 1}, 0}});
}

TEST(Edges, OfShiftsClampAtTheWidth) {
  expect({{"shl.b32", "b32", {"b32", "u32"}, {1, 31}, 0x80000000},
          {"shl.b32", "b32", {"b32", "u32"}, {1, 32}, 0},
          {"shl.b32", "b32", {"b32", "u32"}, {1, 0x80000001}, 0},
          {"shr.u64", "u64", {"u64", "u32"}, {~Bits{0}, 64}, 0},
          {"shr.s32", "s32", {"s32", "u32"}, {0x80000000, 99}, 0xffffffff},
          {"shr.s16", "s16", {"s16", "u32"}, {0x8000, 16}, 0xffff},
          {"shf.l.wrap.b32", "b32", {"b32", "b32", "u32"}, {0x11111111, 0x22222222, 32}, 0x22222222},
          {"shf.l.clamp.b32", "b32", {"b32", "b32", "u32"}, {0x11111111, 0x22222222, 32}, 0x11111111},
          {"shf.r.wrap.b32", "b32", {"b32", "b32", "u32"}, {0x11111111, 0x22222222, 33}, 0x08888888},
          {"shf.r.clamp.b32", "b32", {"b32", "b32", "u32"}, {0x11111111, 0x22222222, 33}, 0x22222222}});
}

TEST(Edges, OfBitFields) {
  expect({{"bfe.u32", "u32", {"u32", "u32", "u32"}, {0xabcd1234, 8, 8}, 0x12},
          {"bfe.s32", "s32", {"s32", "u32", "u32"}, {0xabcd9234, 8, 8}, 0xffffff92},
          {"bfe.s32", "s32", {"s32", "u32", "u32"}, {0x80000000, 40, 4}, 0xffffffff},
          {"bfe.u32", "u32", {"u32", "u32", "u32"}, {0xffffffff, 0, 0}, 0},
          {"bfe.u32", "u32", {"u32", "u32", "u32"}, {0xffffffff, 0x100, 0x104}, 15},
          {"bfi.b32", "b32", {"b32", "b32", "u32", "u32"}, {0xff, 0, 28, 8}, 0xf0000000},
          {"bfi.b32", "b32", {"b32", "b32", "u32", "u32"}, {0xff, 0x1234, 32, 8}, 0x1234},
          {"bfind.u32", "u32", {"u32"}, {0}, 0xffffffff},
          {"bfind.s32", "u32", {"s32"}, {0xffffffff}, 0xffffffff},
          {"bfind.s32", "u32", {"s32"}, {0x80000000}, 30},
          {"bfind.shiftamt.u64", "u32", {"u64"}, {1}, 63},
          {"prmt.b32", "b32", {"b32", "b32", "b32"}, {0x83828180, 0x07060504, 0x8f43}, 0xff000483},
          {"lop3.b32", "b32", {"b32", "b32", "b32", "imm:0xca"}, {0xf0f0f0f0, 0x12345678, 0x9abcdef0}, 0x1a3c5e70}});
}

TEST(Edges, OfFloatsAreTheBitsOfIeee754) {
  expect({{"fma.rn.f32", "f32", {"f32", "f32", "f32"}, {0x3f800800, 0x3f800800, 0xbf801000}, 0x33800000},
          {"mul.f32", "f32", {"f32", "f32"}, {0x3f800800, 0x3f800800}, 0x3f801000},
          {"fma.rn.f32", "f32", {"f32", "f32", "f32"}, {0x3f800001, 0x3fc00000, 0x00000001}, 0x3fc00002},
          {"fma.rn.f32", "f32", {"f32", "f32", "f32"}, {0x3f800001, 0x3fc00000, 0x80000001}, 0x3fc00001},
          {"add.f32", "f32", {"f32", "f32"}, {0x7f800000, 0xff800000}, canonical_nan},
          {"add.f32", "f32", {"f32", "f32"}, {0xffc12345, 0x3f800000}, canonical_nan},
          {"add.f32", "f32", {"f32", "f32"}, {0x80000000, 0x80000000}, 0x80000000},
          {"sub.f32", "f32", {"f32", "f32"}, {0x00800000, 0x00000001}, 0x007fffff},
          {"mul.f32", "f32", {"f32", "f32"}, {0x00000001, 0x3f000001}, 0x00000001},
          {"mul.f32", "f32", {"f32", "f32"}, {0x00000001, 0x3f000000}, 0x00000000},
          {"div.rn.f32", "f32", {"f32", "f32"}, {0x3f800000, 0x80000000}, 0xff800000},
          {"sqrt.rn.f32", "f32", {"f32"}, {0x80000000}, 0x80000000},
          {"sqrt.rn.f32", "f32", {"f32"}, {0xbf800000}, canonical_nan},
          {"min.f32", "f32", {"f32", "f32"}, {0x00000000, 0x80000000}, 0x80000000},
          {"max.f32", "f32", {"f32", "f32"}, {0x80000000, 0x00000000}, 0x00000000},
          {"min.f32", "f32", {"f32", "f32"}, {0x7fc00000, 0x40000000}, 0x40000000},
          {"min.NaN.f32", "f32", {"f32", "f32"}, {0x7fc00000, 0x40000000}, canonical_nan},
          {"neg.f32", "f32", {"f32"}, {0x7fc00001}, 0xffc00001},
          {"add.sat.f32", "f32", {"f32", "f32"}, {0x7fc00000, 0x3f800000}, 0},
          {"add.sat.f32", "f32", {"f32", "f32"}, {0x3f800000, 0x3f800000}, 0x3f800000}});
}

TEST(Edges, OfDirectedRoundingLieOnTheRightSide) {
  expect({{"add.rz.f32", "f32", {"f32", "f32"}, {0x7f7fffff, 0x7f7fffff}, 0x7f7fffff},
          {"add.rp.f32", "f32", {"f32", "f32"}, {0x7f7fffff, 0x7f7fffff}, 0x7f800000},
          {"add.rm.f32", "f32", {"f32", "f32"}, {0x3f800000, 0xbf800000}, 0x80000000},
          {"add.rp.f32", "f32", {"f32", "f32"}, {0x3f800000, 0x00000001}, 0x3f800001},
          {"add.rz.f32", "f32", {"f32", "f32"}, {0x3f800000, 0x80000001}, 0x3f7fffff},
          {"mul.rp.f32", "f32", {"f32", "f32"}, {0x00000001, 0x00000001}, 0x00000001},
          {"mul.rm.f32", "f32", {"f32", "f32"}, {0x80000001, 0x00000001}, 0x80000001},
          {"div.rp.f32", "f32", {"f32", "f32"}, {0x3f800000, 0x40400000}, 0x3eaaaaab},
          {"div.rz.f32", "f32", {"f32", "f32"}, {0xbf800000, 0x40400000}, 0xbeaaaaaa},
          {"sqrt.rm.f32", "f32", {"f32"}, {0x40000000}, 0x3fb504f3},
          {"sqrt.rp.f32", "f32", {"f32"}, {0x40000000}, 0x3fb504f4}});
}

TEST(Edges, OfConversionsClampAndMakeNanZero) {
  expect({{"cvt.rzi.s32.f32", "s32", {"f32"}, {0x7fc00000}, 0},
          {"cvt.rzi.s32.f32", "s32", {"f32"}, {0x4f000000}, 0x7fffffff},
          {"cvt.rzi.s32.f32", "s32", {"f32"}, {0xcf000000}, 0x80000000},
          {"cvt.rzi.u32.f32", "u32", {"f32"}, {0xbf800000}, 0},
          {"cvt.rzi.u32.f32", "u32", {"f32"}, {0x7f800000}, 0xffffffff},
          {"cvt.rni.s32.f32", "s32", {"f32"}, {0x40200000}, 2},
          {"cvt.rpi.s32.f32", "s32", {"f32"}, {0xbf000000}, 0},
          {"cvt.rmi.f32.f32", "f32", {"f32"}, {0xbf000000}, 0xbf800000},
          {"cvt.rni.f32.f32", "f32", {"f32"}, {0xbf000000}, 0x80000000},
          {"cvt.rzi.s64.f64", "s64", {"f64"}, {0x43e0000000000000}, 0x7fffffffffffffff},
          {"cvt.rzi.u64.f64", "u64", {"f64"}, {0x43f0000000000000}, ~Bits{0}},
          {"cvt.rn.f32.s32", "f32", {"s32"}, {0x01000001}, 0x4b800000},
          {"cvt.rn.f32.s32", "f32", {"s32"}, {0x01000003}, 0x4b800002},
          {"cvt.rz.f32.u64", "f32", {"u64"}, {~Bits{0}}, 0x5f7fffff},
          {"cvt.rp.f32.u64", "f32", {"u64"}, {0x8000000000000001}, 0x5f000001},
          {"cvt.rm.f64.s64", "f64", {"s64"}, {0x7fffffffffffffff}, 0x43dfffffffffffff},
          {"cvt.rn.f32.f64", "f32", {"f64"}, {0x3ff0000010000000}, 0x3f800000},
          {"cvt.rn.f32.f64", "f32", {"f64"}, {0x7ff8000000000001}, 0x7fc00000},
          {"cvt.rz.f32.f64", "f32", {"f64"}, {0xfff0000020000000}, 0xffc00001},
          {"cvt.u32.s8", "u32", {"s8"}, {0x80}, 0xffffff80},
          {"cvt.s16.u8", "s16", {"u8"}, {0x80}, 0x0080},
          {"cvt.u64.s32", "u64", {"s32"}, {0x80000000}, 0xffffffff80000000},
          {"cvt.sat.u8.s32", "u8", {"s32"}, {0xffffffff}, 0},
          {"cvt.sat.s8.u32", "s8", {"u32"}, {0xffffffff}, 0x7f}});
}

TEST(Edges, OfSelectionTakeMinusZeroForZero) {
  expect({{"slct.u32.f32", "u32", {"u32", "u32", "f32"}, {1, 2, 0x80000000}, 1},
          {"slct.u32.f32", "u32", {"u32", "u32", "f32"}, {1, 2, 0x7fc00000}, 2},
          {"slct.u32.s32", "u32", {"u32", "u32", "s32"}, {1, 2, 0x80000000}, 2},
          {"setp.eq.f32", "pred", {"f32", "f32"}, {0x00000000, 0x80000000}, 1},
          {"setp.ne.f32", "pred", {"f32", "f32"}, {0x7fc00000, 0x7fc00000}, 0},
          {"setp.neu.f32", "pred", {"f32", "f32"}, {0x7fc00000, 0x7fc00000}, 1}});
}

}  // namespace
}  // namespace warpwright::checks
