// Problem: a warp's 32 addresses are most often one piece of memory, and looking at it piece by piece is quick.
// Idea: cut an access into stretches: lanes that follow one another and whose elements do too; lanes that all touch one
// element.
// Invariant: together the stretches are the access; a stretch never crosses a line of `Line::bytes` bytes.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "observe/global_shadow.h"
#include "observe/observer.h"

namespace warpwright::observe {

/// Neighbouring elements from `address` on, one for each of `lanes` lanes from `lane` on; or, with `another`, one
/// element of all active lanes, of which `another` is the second.
struct Piece {
  std::uint64_t address = 0;
  int lane = 0;
  int lanes = 1;
  int another = 0;  // lanes from `lane` to the second
};

template <class Take>
void cut_at_lines(const Piece& piece, std::uint32_t element_bytes, Take take) {
  std::uint64_t address = piece.address;
  const std::uint64_t end = address + std::uint64_t{element_bytes} * static_cast<std::uint32_t>(piece.lanes);
  while (address < end) {
    const std::uint64_t line_end = (address / Line::bytes + 1) * Line::bytes;
    const std::uint64_t stop = std::min(end, line_end);
    const int lane = piece.lane + static_cast<int>((address - piece.address) / element_bytes);
    take(Piece{address, lane, static_cast<int>((stop - address) / element_bytes), piece.another});
    address = stop;
  }
}

inline bool is_one_element(const Access& access) {
  if (access.stride().regular) return access.stride().stride == 0;
  const std::uint64_t* addresses = access.addresses->list();
  const int first = machine::first_lane(access.lanes);
  std::uint64_t differs = 0;
  for (const int lane : machine::each_lane(access.lanes)) differs |= addresses[lane] ^ addresses[first];
  return differs == 0;
}

/// Calls `take` with each piece, cut at the lines.
template <class Take>
void for_each_piece(const Access& access, Take take) {
  if (access.is_row()) return cut_at_lines({access.stride().first, 0, machine::warp_size, 0}, access.bytes, take);
  if (machine::count_lanes(access.lanes) > 1 && is_one_element(access)) {
    const int first = machine::first_lane(access.lanes);
    const int second = machine::first_lane(access.lanes & ~machine::lane_bit(first));
    return cut_at_lines({access.address(first), first, 1, second - first}, access.bytes, take);
  }
  const std::uint64_t* addresses = access.addresses->list();
  for (machine::Lanes rest = access.lanes; rest != 0;) {
    const int first = machine::first_lane(rest);
    int end = first + 1;
    while (end < machine::warp_size && machine::has_lane(rest, end) &&
           addresses[end] == addresses[end - 1] + access.bytes)
      ++end;
    for (int lane = first; lane < end; ++lane) rest &= ~machine::lane_bit(lane);
    cut_at_lines({addresses[first], first, end - first, 0}, access.bytes, take);
  }
}

}  // namespace warpwright::observe
