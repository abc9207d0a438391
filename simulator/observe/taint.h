// Problem: an undefined value may be moved about, as padding is, and does harm only where something depends on it.
// Idea: beside a warp's registers stands, for the few that hold undefined bytes, which bytes of which lanes those are
// and where they came from. Nearly always there are none, and nothing has to be done.
// Invariant: a register that is not listed is defined in all lanes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "machine/lanes.h"
#include "machine/program.h"

namespace warpwright::observe {

/// Where an undefined value came from, and what has become of it.
struct Origin {
  static constexpr std::uint32_t nowhere = 0xffffffffu;
  std::uint32_t load = nowhere;                   // pc of the load; nowhere: a register that nothing wrote
  machine::Space space = machine::Space::global;  // that was loaded from
  std::uint64_t address = 0;                      // of the load, as its event told it
  std::uint32_t thread = 0;                       // of the block: who loaded
  std::uint32_t computed = nowhere;               // pc of the first instruction that computed with it
};

/// The undefined bytes of one register.
struct Taint {
  std::uint32_t reg = 0;
  std::uint8_t register_bytes = 4;
  std::array<std::uint8_t, machine::warp_size> bytes{};  // by lane, as bits
  std::array<Origin, machine::warp_size> origin{};

  machine::Lanes lanes() const {
    machine::Lanes lanes = 0;
    for (int lane = 0; lane < machine::warp_size; ++lane)
      if (bytes[lane] != 0) lanes |= machine::lane_bit(lane);
    return lanes;
  }
};

class Taints {
 public:
  bool empty() const { return taints_.empty(); }
  void clear() { taints_.clear(); }
  const Taint* find(std::uint32_t reg) const {
    for (const Taint& taint : taints_)
      if (taint.reg == reg) return &taint;
    return nullptr;
  }
  Taint& get(const machine::OperandRegister& reg) {
    for (Taint& taint : taints_)
      if (taint.reg == reg.offset) return taint;
    taints_.push_back({.reg = reg.offset, .register_bytes = reg.bytes, .bytes = {}, .origin = {}});
    return taints_.back();
  }
  /// The lanes of a register become defined.
  void define(std::uint32_t reg, machine::Lanes lanes) {
    for (std::size_t i = 0; i < taints_.size(); ++i) {
      if (taints_[i].reg != reg) continue;
      for (const int lane : machine::each_lane(lanes)) taints_[i].bytes[lane] = 0;
      if (taints_[i].lanes() == 0) {
        taints_[i] = taints_.back();
        taints_.pop_back();
      }
      return;
    }
  }
  void drop_defined() {
    std::erase_if(taints_, [](const Taint& taint) { return taint.lanes() == 0; });
  }

 private:
  std::vector<Taint> taints_;
};

/// All bytes of a register's lane.
constexpr std::uint8_t all_bytes(std::uint8_t register_bytes) {
  return static_cast<std::uint8_t>((1u << register_bytes) - 1);
}

/// A warp's registers, and the instructions that it has been told of: those before `next` have been followed.
struct WarpState {
  std::uint32_t next = 0, end = 0;  // pcs
  machine::Lanes on = 0;
  const std::byte* registers = nullptr;  // the warp's, once an access has told where
  Taints taints;
};

/// The registers that an instruction writes, and behind them those that it reads.
inline const machine::OperandRegister* registers_of(const machine::Program& program,
                                                    const machine::Operands& operands) {
  return program.operand_registers.data() + operands.first;
}

/// Follows the instructions before `end` that have been executed since. Memory and shuffles are not followed here: they
/// tell of themselves.
void catch_up(const machine::Program& program, WarpState& warp, std::uint32_t end);

}  // namespace warpwright::observe
