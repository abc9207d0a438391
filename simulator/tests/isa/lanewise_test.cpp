#include "isa/lanewise.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <random>

#include "isa/table.h"
#include "machine/block.h"

namespace warpwright::isa {
namespace {

/// A warp with four source registers and two destinations, each as wide as any, and no program.
class Bench {
 public:
  static constexpr std::uint32_t stride = 8 * warp_size;
  static constexpr std::uint32_t destination = 4 * stride;
  static constexpr std::uint32_t bytes = 6 * stride;

  Bench() {
    program_.register_bytes = bytes;
    launch_.program = &program_;
    block_.emplace(launch_, options_, watch_);
    warp_.emplace(*block_, 0, machine::all_lanes);
  }

  /// Executes the row on these registers and returns them; source `in_place` is read from the destination's place.
  std::vector<std::byte> execute(const Row& row, const std::vector<std::byte>& registers, Lanes active,
                                 int in_place = -1) {
    Instruction instruction;
    instruction.destination = destination;
    for (int i = 0; i < 4; ++i) instruction.source[i] = i == in_place ? destination : i * stride;
    std::memcpy(warp_->reg<std::byte>(0), registers.data(), bytes);
    warp_->active = active;
    row.execute(*warp_, instruction);
    return {warp_->reg<std::byte>(0), warp_->reg<std::byte>(bytes)};
  }

 private:
  machine::Program program_;
  machine::Launch launch_;
  machine::Options options_;
  machine::Watch watch_{std::span<observe::Observer* const>(), program_};
  std::optional<machine::Block> block_;
  std::optional<Warp> warp_;
};

/// What the destination holds in each lane.
std::vector<std::uint64_t> lanes_of(const std::vector<std::byte>& registers, Width width) {
  std::vector<std::uint64_t> lanes(warp_size);
  for (int lane = 0; lane < warp_size; ++lane) {
    if (width == Width::predicate) {
      Lanes mask;
      std::memcpy(&mask, registers.data() + Bench::destination, sizeof mask);
      lanes[lane] = machine::has_lane(mask, lane) ? 1 : 0;
    } else {
      const std::size_t bytes = width == Width::b64 ? 8 : 4;
      std::memcpy(&lanes[lane], registers.data() + Bench::destination + bytes * lane, bytes);
    }
  }
  return lanes;
}

TEST(EveryRow, ChangesItsDestinationInActiveLanesAndNothingElse) {
  std::mt19937_64 random(7);
  Bench bench;
  for (const std::string& opcode : opcodes()) {
    const Row& row = *find_row(opcode);
    std::vector<std::byte> before(Bench::bytes);
    for (std::byte& byte : before) byte = static_cast<std::byte>(random());
    const std::vector<std::uint64_t> old = lanes_of(before, row.destination);
    const std::vector<std::uint64_t> all = lanes_of(bench.execute(row, before, machine::all_lanes), row.destination);
    for (const Lanes active :
         {0x00000001u, 0x80000000u, 0x0000ffffu, 0x7fffffffu, 0xaaaaaaaau, static_cast<Lanes>(random())}) {
      const std::vector<std::byte> after = bench.execute(row, before, active);
      const std::vector<std::uint64_t> now = lanes_of(after, row.destination);
      for (int lane = 0; lane < warp_size; ++lane)
        ASSERT_EQ(now[lane], machine::has_lane(active, lane) ? all[lane] : old[lane]) << opcode << " lane " << lane;
      const std::size_t end = Bench::destination + (row.destination == Width::predicate ? 4
                                                    : row.destination == Width::b64     ? 256
                                                                                        : 128);
      ASSERT_TRUE(std::equal(after.begin(), after.begin() + Bench::destination, before.begin()))
          << opcode << " changed a source";
      ASSERT_TRUE(std::equal(after.begin() + end, after.end(), before.begin() + end))
          << opcode << " wrote behind its destination";
    }
  }
}

TEST(EveryRow, MayWriteOverItsOwnSource) {
  std::mt19937_64 random(8);
  Bench bench;
  for (const std::string& opcode : opcodes()) {
    const Row& row = *find_row(opcode);
    for (int source = 0; source < row.sources; ++source) {
      if (row.source[source] != row.destination) continue;
      std::vector<std::byte> registers(Bench::bytes);
      for (std::byte& byte : registers) byte = static_cast<std::byte>(random());
      const auto apart = lanes_of(bench.execute(row, registers, 0x5a5a5a5a), row.destination);
      std::vector<std::byte> moved = registers;
      std::copy_n(registers.begin() + source * Bench::stride, Bench::stride, moved.begin() + Bench::destination);
      const auto together = lanes_of(bench.execute(row, moved, 0x5a5a5a5a, source), row.destination);
      for (const int lane : machine::each_lane(0x5a5a5a5a))
        ASSERT_EQ(together[lane], apart[lane]) << opcode << " lane " << lane;
    }
  }
}

}  // namespace
}  // namespace warpwright::isa
