#include "isa/clock.h"

#include "isa/decoder.h"
#include "isa/types.h"
#include "machine/block.h"

namespace warpwright::isa {
namespace {

template <class Register, unsigned shift>
void read_clock(machine::Warp& warp, const machine::Instruction& instruction) {
  warp.block.note_unrepeatable();
  auto* destination = warp.reg<Register>(instruction.destination);
  for (const int lane : machine::each_lane(warp.active))
    destination[lane] = static_cast<Register>(warp.clock() >> shift);
}

void read_grid(machine::Warp& warp, const machine::Instruction& instruction) {
  auto* destination = warp.reg<u64>(instruction.destination);
  for (const int lane : machine::each_lane(warp.active)) destination[lane] = warp.block.launch().number;
}

bool is_low(const std::string& name) { return name == "clock" || name == "globaltimer_lo"; }
bool is_high(const std::string& name) { return name == "clock_hi" || name == "globaltimer_hi"; }
bool is_grid(const std::string& name) { return name == "gridid"; }
bool is_whole(const std::string& name) { return name == "clock64" || name == "globaltimer" || is_grid(name); }

}  // namespace

bool is_clock(const ptx::Instruction& from) {
  if (from.operands.size() != 2 || from.operands[1].kind != ptx::Operand::Kind::special) return false;
  const std::string& name = from.operands[1].name;
  return is_low(name) || is_high(name) || is_whole(name);
}

machine::Instruction Decoder::clock(const ptx::Instruction& from) {
  const std::string& name = from.operands[1].name;
  machine::Instruction to;
  to.destination = destination(operand(from, 0), is_whole(name) ? Width::b64 : Width::b32);
  to.execute = is_grid(name)    ? &read_grid
               : is_whole(name) ? &read_clock<u64, 0>
               : is_high(name)  ? &read_clock<u32, 32>
                                : &read_clock<u32, 0>;
  return to;
}

}  // namespace warpwright::isa
