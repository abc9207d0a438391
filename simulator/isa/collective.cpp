#include "isa/collective.h"

#include <algorithm>
#include <array>

#include "isa/types.h"
#include "machine/block.h"
#include "machine/wide.h"

namespace warpwright::isa {
namespace {

using machine::Instruction;
using machine::Lanes;
using machine::Warp;
using machine::warp_size;

constexpr s32 out_of_range = -1;

/// The lane that is read, by the manual's pseudocode for shfl: `control` holds the clamp value in bits 0-4 and the
/// segment mask in bits 8-12. Signed numbers, because processors compare those lane by lane.
template <char mode>
s32 shuffle_source(s32 lane, s32 operand, s32 control) {
  const s32 b = operand & 31;
  const s32 clamp = control & 31;
  const s32 segment = control >> 8 & 31;
  const s32 highest = (lane & segment) | (clamp & ~segment);
  if constexpr (mode == 'u') return lane - b >= highest ? lane - b : out_of_range;
  s32 source = lane;
  if constexpr (mode == 'd') source = lane + b;
  if constexpr (mode == 'b') source = lane ^ b;
  if constexpr (mode == 'i') source = (lane & segment) | (b & ~segment);
  return source <= highest ? source : out_of_range;
}

template <char mode>
WARPWRIGHT_WIDE void shfl(Warp& warp, const Instruction& instruction) {
  const auto* value = warp.reg<u32>(instruction.source[0]);
  const auto* b = warp.reg<u32>(instruction.source[1]);
  const auto* c = warp.reg<u32>(instruction.source[2]);
  std::array<u32, warp_size> sources;
  Lanes in_range = 0;
  for (s32 lane = 0; lane < warp_size; ++lane) {
    const s32 source = shuffle_source<mode>(lane, static_cast<s32>(b[lane]), static_cast<s32>(c[lane]));
    sources[lane] = static_cast<u32>(source != out_of_range ? source : lane);
    in_range |= source != out_of_range ? machine::lane_bits.of[lane] : 0;
  }
  in_range &= warp.active;
  if (const auto& observers = warp.block.watch().shuffle; !observers.empty()) {
    const auto at = warp.places();
    const observe::Shuffle event{.where = warp.where(),
                                 .lanes = warp.active,
                                 .live = warp.live(),
                                 .masks = warp.reg<u32>(instruction.source[3]),
                                 .sources = sources.data(),
                                 .in_range = in_range,
                                 .controls = c,
                                 .at = at.data()};
    for (observe::Observer* observer : observers) observer->shuffle(event);
  }
  std::array<u32, warp_size> received;
  for (int lane = 0; lane < warp_size; ++lane) received[lane] = value[sources[lane]];
  const Lanes active = warp.active;
  auto* destination = warp.reg<u32>(instruction.destination);
  for (int lane = 0; lane < warp_size; ++lane)
    destination[lane] = (active & machine::lane_bits.of[lane]) != 0 ? received[lane] : destination[lane];
  if (instruction.destination2 != machine::no_register) {
    Lanes& predicate = *warp.reg<Lanes>(instruction.destination2);
    predicate = (predicate & ~warp.active) | in_range;
  }
}

enum class Vote { all, any, uni, ballot };

template <Vote mode>
void vote(Warp& warp, const Instruction& instruction) {
  const Lanes predicate = *warp.reg<Lanes>(instruction.source[0]);
  const Lanes holds = instruction.option == 1 ? ~predicate : predicate;
  const auto* masks = warp.reg<Lanes>(instruction.source[3]);
  warp.check_masks(warp.active, masks);
  Lanes result = 0;
  for (const int lane : machine::each_lane(warp.active)) {
    const Lanes members = masks[lane] & warp.active;
    const Lanes yes = members & holds;
    if constexpr (mode == Vote::ballot) warp.reg<u32>(instruction.destination)[lane] = yes;
    if constexpr (mode == Vote::all) result |= yes == members ? machine::lane_bit(lane) : 0;
    if constexpr (mode == Vote::any) result |= yes != 0 ? machine::lane_bit(lane) : 0;
    if constexpr (mode == Vote::uni) result |= yes == 0 || yes == members ? machine::lane_bit(lane) : 0;
  }
  if constexpr (mode != Vote::ballot) {
    Lanes& destination = *warp.reg<Lanes>(instruction.destination);
    destination = (destination & ~warp.active) | result;
  }
}

u32 redux_add(u32 a, u32 b) { return a + b; }
u32 redux_and(u32 a, u32 b) { return a & b; }
u32 redux_or(u32 a, u32 b) { return a | b; }
u32 redux_xor(u32 a, u32 b) { return a ^ b; }
template <class T>
T redux_min(T a, T b) {
  return std::min(a, b);
}
template <class T>
T redux_max(T a, T b) {
  return std::max(a, b);
}

template <auto operation>
struct Redux;

template <class T, T (*operation)(T, T)>
struct Redux<operation> {
  static void execute(Warp& warp, const Instruction& instruction) {
    std::array<T, warp_size> value;
    std::copy_n(warp.reg<T>(instruction.source[0]), warp_size, value.begin());
    const auto* masks = warp.reg<Lanes>(instruction.source[3]);
    warp.check_masks(warp.active, masks);
    auto* destination = warp.reg<T>(instruction.destination);
    for (const int lane : machine::each_lane(warp.active)) {
      T result = value[lane];
      for (const int other : machine::each_lane(masks[lane] & warp.active & ~machine::lane_bit(lane)))
        result = operation(result, value[other]);
      destination[lane] = result;
    }
  }
};

/// Each lane gets the members that hold its own value; in mode "all" only when that is all of them, and otherwise none.
template <class T, bool all>
void match(Warp& warp, const Instruction& instruction) {
  std::array<T, warp_size> value;
  std::copy_n(warp.reg<T>(instruction.source[0]), warp_size, value.begin());
  const auto* masks = warp.reg<Lanes>(instruction.source[3]);
  warp.check_masks(warp.active, masks);
  Lanes agreeing = 0;
  for (const int lane : machine::each_lane(warp.active)) {
    const Lanes members = masks[lane] & warp.active;
    Lanes same = 0;
    for (const int other : machine::each_lane(members))
      if (value[other] == value[lane]) same |= machine::lane_bit(other);
    if (same == members) agreeing |= machine::lane_bit(lane);
    if (all && same != members) same = 0;
    if (instruction.destination != machine::no_register) warp.reg<Lanes>(instruction.destination)[lane] = same;
  }
  if (instruction.destination2 != machine::no_register) {
    Lanes& predicate = *warp.reg<Lanes>(instruction.destination2);
    predicate = (predicate & ~warp.active) | agreeing;
  }
}

void bar_red_popc(Warp& warp, const Instruction& instruction) {
  auto* destination = warp.reg<u32>(instruction.destination);
  for (const int lane : machine::each_lane(warp.active)) destination[lane] = warp.tally().yes;
}

template <bool all>
void bar_red_pred(Warp& warp, const Instruction& instruction) {
  const machine::Tally& tally = warp.tally();
  const bool result = all ? tally.yes == tally.threads : tally.yes != 0;
  Lanes& destination = *warp.reg<Lanes>(instruction.destination);
  destination = result ? destination | warp.active : destination & ~warp.active;
}

}  // namespace

machine::Execute shuffle(std::string_view mode) {
  if (mode == "up") return &shfl<'u'>;
  if (mode == "down") return &shfl<'d'>;
  if (mode == "bfly") return &shfl<'b'>;
  if (mode == "idx") return &shfl<'i'>;
  return nullptr;
}

machine::Execute vote(std::string_view mode) {
  if (mode == "all") return &vote<Vote::all>;
  if (mode == "any") return &vote<Vote::any>;
  if (mode == "uni") return &vote<Vote::uni>;
  if (mode == "ballot") return &vote<Vote::ballot>;
  return nullptr;
}

machine::Execute redux(std::string_view operation, std::string_view type) {
  if (type == "b32") {
    if (operation == "and") return &Redux<redux_and>::execute;
    if (operation == "or") return &Redux<redux_or>::execute;
    if (operation == "xor") return &Redux<redux_xor>::execute;
  }
  if (type == "u32" || type == "s32") {
    const bool is_signed = type == "s32";
    if (operation == "add") return &Redux<redux_add>::execute;
    if (operation == "min") return is_signed ? &Redux<redux_min<s32>>::execute : &Redux<redux_min<u32>>::execute;
    if (operation == "max") return is_signed ? &Redux<redux_max<s32>>::execute : &Redux<redux_max<u32>>::execute;
  }
  return nullptr;
}

machine::Execute match(std::string_view mode, std::string_view type) {
  if (mode == "any" && type == "b32") return &match<u32, false>;
  if (mode == "any" && type == "b64") return &match<u64, false>;
  if (mode == "all" && type == "b32") return &match<u32, true>;
  if (mode == "all" && type == "b64") return &match<u64, true>;
  return nullptr;
}

machine::Execute barrier_reduction(std::string_view operation, std::string_view type) {
  if (operation == "popc" && type == "u32") return &bar_red_popc;
  if (operation == "and" && type == "pred") return &bar_red_pred<true>;
  if (operation == "or" && type == "pred") return &bar_red_pred<false>;
  return nullptr;
}

void elect(Warp& warp, const Instruction& instruction) {
  const auto* masks = warp.reg<Lanes>(instruction.source[3]);
  Lanes leading = 0;
  for (const int lane : machine::each_lane(warp.active)) {
    const int leader = machine::first_lane((masks[lane] & warp.active) | machine::lane_bit(lane));
    if (leader == lane) leading |= machine::lane_bit(lane);
    if (instruction.destination != machine::no_register)
      warp.reg<u32>(instruction.destination)[lane] = static_cast<u32>(leader);
  }
  Lanes& predicate = *warp.reg<Lanes>(instruction.destination2);
  predicate = (predicate & ~warp.active) | leading;
}

void activemask(Warp& warp, const Instruction& instruction) {
  warp.block.note_unrepeatable();
  auto* destination = warp.reg<Lanes>(instruction.destination);
  for (const int lane : machine::each_lane(warp.active)) destination[lane] = warp.active;
}

}  // namespace warpwright::isa
