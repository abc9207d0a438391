#include "observe/memory_check.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "scene.h"

namespace warpwright::observe::testing {
namespace {

struct MemoryCheck : ::testing::Test {
  Scene scene{4, 256};
  std::uint32_t load = scene.at_line(28, "ld.global.f32 %f1, [%rd1]");
  std::uint32_t wide = scene.at_line(35, "ld.global.v4.f32 {%f1,%f2,%f3,%f4}, [%rd1]");
  std::uint32_t store = scene.at_line(36, "st.global.f32 [%rd1], %f1");

  Diagnosis told(FaultKind kind, std::uint32_t pc, std::uint64_t address, std::uint32_t warp = 0,
                 Lanes lanes = lane(0)) const {
    const auto found =
        Play(scene, make_memory_check()).begin(0).fault(kind, pc, warp, lanes, all_at(address)).diagnoses();
    EXPECT_EQ(found.size(), 1u);
    return found.empty() ? Diagnosis{} : found.front();
  }
  Diagnosis outside(std::uint32_t pc, std::uint64_t address, std::uint32_t warp = 0, Lanes lanes = lane(0)) const {
    return told(FaultKind::out_of_bounds, pc, address, warp, lanes);
  }
  machine::Address allocated(std::size_t bytes) {
    const auto base = scene.memory.allocate(bytes, "cudaMalloc");
    scene.argument(base);
    return base;
  }
};

TEST_F(MemoryCheck, NamesTheElementTheArgumentAndTheLastElement) {
  scene.argument(1000);
  const auto base = allocated(4000);
  const Diagnosis found = outside(load, base + 4000, 7, lanes(8, 31));
  EXPECT_EQ(found.kind, "out of bounds");
  EXPECT_EQ(
      found.message,
      "thread (232,0,0) of block (0,0,0) reads element 1000 of argument 2, an allocation of 4000 bytes, where the "
      "last such element is 999. 23 other lanes of its warp are at fault too.");
  EXPECT_EQ(found.hint,
            "Compare the index with the number of elements before the access. Sizes given to cudaMalloc and "
            "cudaMemcpy are in bytes.");
  EXPECT_EQ(found.line, 28u);
  EXPECT_EQ(found.who->thread.x, 232u);
}

TEST_F(MemoryCheck, NamesTheArrayInConstantMemory) {
  const auto array = scene.memory.allocate(16, "coefficients");
  const auto constant = scene.at_line(29, "ld.const.f32 %f1, [%rd1]");
  const Diagnosis found = outside(constant, array + 16);
  EXPECT_EQ(found.kind, "out of bounds");
  EXPECT_EQ(found.message,
            "thread (0,0,0) of block (0,0,0) reads element 4 of the variable coefficients of 16 bytes, where the last "
            "such element is 3.");
  EXPECT_EQ(found.hint, "Compare the index with the number of elements before the access.");
  EXPECT_EQ(told(FaultKind::misaligned, constant, array + 2).message,
            "thread (0,0,0) of block (0,0,0) reads 4 bytes at byte 2 of the variable coefficients of 16 bytes: that is "
            "not a multiple of 4.");
}

TEST_F(MemoryCheck, AsksForTheGuardBeforeItSuspectsAnOverflow) {
  const auto base = allocated(8);
  EXPECT_EQ(outside(load, base + 4 * 256).hint,
            "Is the index compared with the number of elements before the access? If it is, did it overflow? Compute "
            "large indices in 64 bits (size_t).");
  EXPECT_EQ(outside(load, base - 4).hint,
            "Did the index overflow or become negative? Compute large indices in 64 bits (size_t).");
}

TEST_F(MemoryCheck, SaysHowMuchOfAVectorLiesPastTheEnd) {
  const auto base = allocated(4004);
  const Diagnosis found = outside(wide, base + 4000, 7, lanes(26, 27));
  EXPECT_EQ(found.message,
            "thread (250,0,0) of block (0,0,0) reads bytes 4000 to 4015 of argument 1, an allocation of 4004 bytes, "
            "12 of them past its end. Another lane of its warp is at fault too.");
  EXPECT_EQ(found.hint, "Guard the last element of the vector, not the first, and treat what is left over one by one.");
  EXPECT_EQ(outside(wide, base + 4016).message,
            "thread (0,0,0) of block (0,0,0) reads bytes 4016 to 4031 of argument 1, an allocation of 4004 bytes, "
            "all of them past its end.");
}

TEST_F(MemoryCheck, SaysWhenAnElementLiesBeforeTheStart) {
  allocated(4000);
  const auto base = allocated(400);
  EXPECT_EQ(outside(store, base - 4).message,
            "thread (0,0,0) of block (0,0,0) writes element -1 of argument 2, an allocation of 400 bytes, which lies "
            "before its start.");
}

TEST_F(MemoryCheck, SaysWhenAnArrayIsTooSmallForAnything) {
  const auto base = allocated(2);
  EXPECT_EQ(outside(load, base).message,
            "thread (0,0,0) of block (0,0,0) reads element 0 of argument 1, an allocation of 2 bytes, which has no "
            "room for one.");
}

TEST_F(MemoryCheck, FindsAPointerIntoTheMiddleOfAnAllocation) {
  const auto base = scene.memory.allocate(4000, "cudaMalloc");
  scene.argument(base + 2000);
  EXPECT_NE(outside(load, base + 4000).message.find("element 1000 of argument 1, an"), std::string::npos);
}

TEST_F(MemoryCheck, NamesAVariableByItsName) {
  const auto base = scene.memory.allocate(64, "table");
  EXPECT_EQ(outside(load, base + 64).message,
            "thread (0,0,0) of block (0,0,0) reads element 16 of the variable table of 64 bytes, where the last such "
            "element is 15.");
}

TEST_F(MemoryCheck, NamesFreedMemory) {
  const auto base = allocated(4000);
  scene.memory.free(base);
  const Diagnosis found = outside(load, base + 8);
  EXPECT_EQ(found.kind, "use after free");
  EXPECT_EQ(found.message,
            "thread (0,0,0) of block (0,0,0) reads element 2 of argument 1, an allocation of 4000 bytes, which has "
            "been freed.");
}

TEST_F(MemoryCheck, NamesAHostPointer) {
  float here[4] = {};
  allocated(16);
  scene.argument(reinterpret_cast<std::uint64_t>(here));
  const Diagnosis found = outside(load, reinterpret_cast<std::uint64_t>(here) + 8);
  EXPECT_EQ(found.kind, "host pointer");
  EXPECT_EQ(found.message,
            "thread (0,0,0) of block (0,0,0) reads 4 bytes through a host pointer: argument 2 points into the CPU's "
            "memory, which a kernel cannot reach.");
  EXPECT_EQ(found.hint, "Allocate with cudaMalloc, copy with cudaMemcpy, and pass the device pointer.");
}

TEST_F(MemoryCheck, KnowsAHostPointerInMemoryFromAWildIndex) {
  const auto there = allocated(16) + (std::uint64_t{1} << 33);
  EXPECT_EQ(outside(load, there).kind, "out of bounds");
  scene.range.give_host(there);
  const Diagnosis found = outside(load, there);
  EXPECT_EQ(found.kind, "host pointer");
  EXPECT_NE(found.message.find("that is no argument, so it was read from memory"), std::string::npos) << found.message;
}

TEST_F(MemoryCheck, KnowsAWildIndexFromAHostPointer) {
  const auto base = allocated(990);
  const Diagnosis found = outside(store, base - (std::uint64_t{1} << 31));
  EXPECT_EQ(found.kind, "out of bounds");
  EXPECT_EQ(found.message,
            "thread (0,0,0) of block (0,0,0) writes element -536870912 of argument 1, an allocation of 990 bytes, "
            "far outside of it.");
  EXPECT_EQ(found.hint, "Did the index overflow or become negative? Compute large indices in 64 bits (size_t).");
  EXPECT_NE(outside(store, base + (std::uint64_t{1} << 33)).message.find("writes element 2147483648 of argument 1"),
            std::string::npos);
}

TEST_F(MemoryCheck, AWildIndexNamesTheArgumentAndNotWhatLiesNextToTheAddress) {
  const auto base = allocated(128);
  scene.memory.allocate(16, "table");
  const Diagnosis found = outside(store, base + (std::uint64_t{1} << 34) - 4);
  EXPECT_EQ(found.message,
            "thread (0,0,0) of block (0,0,0) writes element 4294967295 of argument 1, an allocation of 128 bytes, far "
            "outside of it.");
}

TEST_F(MemoryCheck, MemoryOfAKernelsOwnIsNoVariable) {
  const auto base = scene.memory.allocate(64, "malloc() in a kernel");
  EXPECT_EQ(outside(load, base + 80).message,
            "thread (0,0,0) of block (0,0,0) reads element 20 of an allocation of 64 bytes by malloc() in a kernel, "
            "where the last such element is 15.");
}

TEST_F(MemoryCheck, AWrongPlaceInRowsWithAPitchMayLackThePitch) {
  const auto base = scene.memory.allocate(5120, "cudaMallocPitch");
  EXPECT_NE(outside(load, base + 6000).hint.find("(char*)pointer + y * pitch"), std::string::npos);
}

TEST_F(MemoryCheck, DoesNotTakeANumberForAPointer) {
  scene.argument(std::uint64_t{1} << 20);
  const Diagnosis found = outside(load, std::uint64_t{1} << 46);
  EXPECT_EQ(found.kind, "out of bounds");
  EXPECT_EQ(found.message, "thread (0,0,0) of block (0,0,0) reads 4 bytes at an address that was never allocated.");
}

TEST_F(MemoryCheck, NamesANullPointer) {
  allocated(16);
  scene.argument(0);
  const Diagnosis found = outside(load, 400);
  EXPECT_EQ(found.kind, "null pointer");
  EXPECT_EQ(found.message, "thread (0,0,0) of block (0,0,0) reads 4 bytes through a null pointer: argument 2 is null.");
}

TEST_F(MemoryCheck, NamesAMisalignedVector) {
  const auto base = allocated(8008);
  const Diagnosis found = told(FaultKind::misaligned, wide, base + 4004);
  EXPECT_EQ(found.kind, "misaligned");
  EXPECT_EQ(found.message,
            "thread (0,0,0) of block (0,0,0) reads 16 bytes at byte 4004 of argument 1, an allocation of 8008 bytes: "
            "that is not a multiple of 16.");
  EXPECT_EQ(found.hint,
            "An access of 16 bytes needs an address that is a multiple of 16: align the start of every row, or use a "
            "narrower type.");
}

TEST_F(MemoryCheck, NamesASharedArrayAndItsLastElement) {
  scene.shared_array("before", 64);
  const auto tile = scene.shared_array("tile", 1024);
  scene.shared_array("behind", 64);
  const auto read = scene.at_line(50, "ld.shared.f32 %f1, [%r1]");
  EXPECT_EQ(
      outside(read, tile + 1024).message,
      "thread (0,0,0) of block (0,0,0) reads tile[256], but tile has 1024 bytes: the last such element is tile[255].");
  EXPECT_EQ(outside(read, tile - 4).message,
            "thread (0,0,0) of block (0,0,0) reads tile[-1], but tile has 1024 bytes: this starts 4 bytes before it.");
  const auto vector = scene.at_line(51, "ld.shared.v4.f32 {%f1,%f2,%f3,%f4}, [%r1]");
  EXPECT_EQ(outside(vector, tile + 1024).message,
            "thread (0,0,0) of block (0,0,0) reads bytes 1024 to 1039 of tile, but tile has 1024 bytes: this ends 16 "
            "bytes past it.");
}

TEST_F(MemoryCheck, AsksForTheThirdLaunchArgument) {
  const auto s = scene.dynamic_array("s", 0);
  const auto write = scene.at_line(25, "st.shared.u32 [%r1], %r2");
  const Diagnosis found = outside(write, s, 0, all_lanes);
  EXPECT_EQ(found.message,
            "thread (0,0,0) of block (0,0,0) writes s[0], but this launch gives the dynamic shared array s 0 bytes. "
            "31 other lanes of its warp are at fault too.");
  EXPECT_EQ(found.hint, "Give the launch its third argument, the bytes of s: <<<grid, block, bytes>>>.");
}

TEST_F(MemoryCheck, NamesTheSizeOfADynamicArray) {
  const auto s = scene.dynamic_array("s", 1024);
  const auto write = scene.at_line(25, "st.shared.u32 [%r1], %r2");
  const Diagnosis found = outside(write, s + 1024);
  EXPECT_EQ(
      found.message,
      "thread (0,0,0) of block (0,0,0) writes s[256], but s has 1024 bytes in this launch: the last such element is "
      "s[255].");
  EXPECT_EQ(found.hint, "Check the index, and the launch's third argument: it is in bytes.");
}

TEST_F(MemoryCheck, NamesLocalMemory) {
  scene.program.local_bytes = 64;
  const auto read = scene.at_line(25, "ld.local.u32 %r1, [%rd1]");
  EXPECT_EQ(outside(read, 64).message,
            "thread (0,0,0) of block (0,0,0) reads 4 bytes at byte 64 of its local memory, which has 64 bytes.");
}

TEST_F(MemoryCheck, NamesParameters) {
  scene.program.parameter_bytes = 64;
  const auto read = scene.at_line(25, "ld.u32 %r1, [%rd1]");
  const auto write = scene.at_line(26, "st.u32 [%rd1], %r1");
  scene.program.code[read].space = scene.program.code[write].space = machine::Space::param;
  EXPECT_EQ(
      outside(read, 64).message,
      "thread (0,0,0) of block (0,0,0) reads 4 bytes at byte 64 of the kernel's parameters, which have 64 bytes.");
  EXPECT_EQ(
      outside(write, 0).message,
      "thread (0,0,0) of block (0,0,0) writes 4 bytes of a parameter of the kernel, which can be read and no more.");
}

TEST_F(MemoryCheck, TellsTheLowestBlockOnlyWhateverTheHostThreads) {
  const auto base = allocated(4000);
  for (const bool last_first : {false, true}) {
    Play many(scene, make_memory_check());
    many.begin(3).fault(FaultKind::out_of_bounds, load, 0, lane(3), all_at(base + 4000));
    many.on_another_thread().begin(1).fault(FaultKind::out_of_bounds, load, 0, lane(1), all_at(base + 4000));
    many.on_another_thread().begin(2).fault(FaultKind::out_of_bounds, load, 0, lane(2), all_at(base + 4000));
    const auto found = many.join_forks(last_first).diagnoses();
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].who->block.x, 1u);
  }
}

}  // namespace
}  // namespace warpwright::observe::testing
