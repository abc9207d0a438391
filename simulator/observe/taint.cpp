#include "observe/taint.h"

#include <algorithm>
#include <cstring>
#include <tuple>

namespace warpwright::observe {
namespace {

using machine::each_lane;
using machine::has_lane;
using machine::lane_bit;
using machine::Lanes;
using machine::OperandRegister;
using machine::Operands;
using machine::Program;
using machine::warp_size;
using Kind = Operands::Kind;

/// Of several undefined values that a result depends on, the one to be named: so that the order of a sum does not
/// matter.
bool is_before(const Origin& a, const Origin& b) {
  if ((a.load == Origin::nowhere) != (b.load == Origin::nowhere)) return b.load == Origin::nowhere;
  return std::tie(a.space, a.address, a.load) < std::tie(b.space, b.address, b.load);
}

template <class BytesOf>
void put(WarpState& warp, const OperandRegister& reg, BytesOf bytes_of, const std::array<Origin, warp_size>& origin) {
  Lanes undefined = 0;
  for (const int lane : each_lane(warp.on))
    if (bytes_of(lane) != 0) undefined |= lane_bit(lane);
  warp.taints.define(reg.offset, warp.on & ~undefined);
  if (undefined == 0) return;
  Taint& taint = warp.taints.get(reg);
  for (const int lane : each_lane(undefined)) {
    taint.bytes[lane] = bytes_of(lane);
    taint.origin[lane] = origin[lane];
  }
}

void define_results(const Program& program, const Operands& operands, WarpState& warp) {
  for (unsigned i = 0; i < operands.written; ++i)
    warp.taints.define(registers_of(program, operands)[i].offset, warp.on);
}

/// The result is undefined where a source is, or (`needs_all`) where all sources are.
void compute_from(const Program& program, const Operands& operands, WarpState& warp, std::uint32_t pc, bool needs_all) {
  const OperandRegister* regs = registers_of(program, operands);
  Lanes any = 0, all = operands.reads_constant ? 0 : machine::all_lanes;
  std::array<Origin, warp_size> origin{};
  for (unsigned i = 0; i < operands.read; ++i) {
    const Taint* taint = warp.taints.find(regs[operands.written + i].offset);
    const Lanes undefined = taint != nullptr ? taint->lanes() & warp.on : 0;
    Lanes wholly = 0;
    for (const int lane : each_lane(undefined)) {
      if (taint->bytes[lane] == all_bytes(taint->register_bytes)) wholly |= lane_bit(lane);
      if (!has_lane(any, lane) || is_before(taint->origin[lane], origin[lane])) origin[lane] = taint->origin[lane];
    }
    any |= undefined;
    all &= wholly;
  }
  const Lanes undefined = needs_all ? all & any : any;
  for (const int lane : each_lane(undefined))
    if (origin[lane].computed == Origin::nowhere) origin[lane].computed = pc;
  for (unsigned i = 0; i < operands.written; ++i)
    put(
        warp, regs[i], [&](int lane) { return has_lane(undefined, lane) ? all_bytes(regs[i].bytes) : std::uint8_t{0}; },
        origin);
}

/// selp: the operand that was chosen. The predicate is looked up now: nothing of a straight stretch of code writes a
/// register twice.
void select(const Program& program, const Operands& operands, WarpState& warp, std::uint32_t pc) {
  const auto& sources = program.code[pc].source;
  if (warp.registers == nullptr || warp.taints.find(sources[2]) != nullptr)
    return compute_from(program, operands, warp, pc, true);
  Lanes chosen = 0;
  std::memcpy(&chosen, warp.registers + sources[2], sizeof chosen);
  const Taint* one = warp.taints.find(sources[0]);
  const Taint* other = warp.taints.find(sources[1]);
  std::array<std::uint8_t, warp_size> bytes{};
  std::array<Origin, warp_size> origin{};
  for (const int lane : each_lane(warp.on))
    if (const Taint* taint = has_lane(chosen, lane) ? one : other; taint != nullptr) {
      bytes[lane] = taint->bytes[lane];
      origin[lane] = taint->origin[lane];
    }
  put(
      warp, registers_of(program, operands)[0], [&](int lane) { return bytes[lane]; }, origin);
}

/// Bytes go from the sources to the destinations in order: one register, or the elements of a vector.
void move(const Program& program, const Operands& operands, WarpState& warp) {
  const OperandRegister* regs = registers_of(program, operands);
  unsigned written_bytes = 0, read_bytes = 0;
  for (unsigned i = 0; i < operands.written; ++i) written_bytes += regs[i].bytes;
  for (unsigned i = 0; i < operands.read; ++i) read_bytes += regs[operands.written + i].bytes;
  if (operands.reads_constant || written_bytes != read_bytes) {
    // Half words in 32-bit registers, or a part that is a constant.
    return compute_from(program, operands, warp, Origin::nowhere, true);
  }
  std::array<std::uint64_t, warp_size> bytes{};
  std::array<Origin, warp_size> origin{};
  unsigned shift = 0;
  for (unsigned i = 0; i < operands.read; ++i) {
    const OperandRegister& reg = regs[operands.written + i];
    if (const Taint* taint = warp.taints.find(reg.offset))
      for (const int lane : each_lane(taint->lanes())) {
        bytes[lane] |= std::uint64_t{taint->bytes[lane]} << shift;
        origin[lane] = taint->origin[lane];
      }
    shift += reg.bytes;
  }
  shift = 0;
  for (unsigned i = 0; i < operands.written; ++i) {
    put(
        warp, regs[i],
        [&](int lane) { return static_cast<std::uint8_t>(bytes[lane] >> shift & all_bytes(regs[i].bytes)); }, origin);
    shift += regs[i].bytes;
  }
}

void follow(const Program& program, std::uint32_t pc, WarpState& warp) {
  if (pc >= program.operands.size()) return;
  const Operands& operands = program.operands[pc];
  switch (operands.kind) {
    case Kind::load:  // of a parameter: loads of memory have told of themselves
      define_results(program, operands, warp);
      break;
    case Kind::store:
    case Kind::atomic:
    case Kind::shuffle:
      break;
    case Kind::move:
      move(program, operands, warp);
      break;
    case Kind::other:
    case Kind::compute:
      compute_from(program, operands, warp, pc, false);
      break;
    case Kind::bits:
      compute_from(program, operands, warp, pc, true);
      break;
    case Kind::select:
      select(program, operands, warp, pc);
      break;
  }
}

}  // namespace

void catch_up(const Program& program, WarpState& warp, std::uint32_t end) {
  for (; warp.next < std::min(end, warp.end) && !warp.taints.empty(); ++warp.next) follow(program, warp.next, warp);
  warp.next = std::max(warp.next, std::min(end, warp.end));
}

}  // namespace warpwright::observe
