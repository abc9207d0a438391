// PTX ISA, "Extended-Precision Integer Arithmetic Instructions".
#include "isa/carry.h"

#include <fmt/core.h>

#include <array>
#include <type_traits>

#include "isa/types.h"
#include "machine/warp.h"

namespace warpwright::isa {
namespace {

using machine::Instruction;
using machine::Lanes;
using machine::Warp;

template <class T>
struct Sum {
  T value;
  bool carry;
};

template <class T>
struct Add {
  static constexpr int operands = 2;
  static Sum<T> of(T a, T b, T, bool carry) {
    const T sum = a + b;
    return {static_cast<T>(sum + carry), sum < a || (carry && sum + 1 == 0)};
  }
};

/// As on the hardware, a - b is a + ~b + 1: the condition code is clear where there was a borrow. PTX calls it a
/// borrow, but nvcc's division of 128 bits reads it with addc behind a sub.cc.
template <class T>
struct Sub {
  static constexpr int operands = 2;
  static Sum<T> of(T a, T b, T, bool carry) { return Add<T>::of(a, static_cast<T>(~b), 0, carry); }
};

template <class T>
struct MadLo {
  static constexpr int operands = 3;
  static Sum<T> of(T a, T b, T c, bool carry) { return Add<T>::of(static_cast<T>(a * b), c, 0, carry); }
};

/// Signed and unsigned products differ in their upper half.
template <class T, class Product>
struct MadHi {
  static constexpr int operands = 3;
  static Sum<T> of(T a, T b, T c, bool carry) {
    using Factor = std::conditional_t<(Product(-1) < 0), std::make_signed_t<T>, T>;
    const Product product = static_cast<Product>(static_cast<Factor>(a)) * static_cast<Factor>(b);
    return Add<T>::of(static_cast<T>(product >> (8 * sizeof(T))), c, 0, carry);
  }
};

template <class T, class Operation>
void execute(Warp& warp, const Instruction& instruction) {
  const auto* a = warp.reg<T>(instruction.source[0]);
  const auto* b = warp.reg<T>(instruction.source[1]);
  const auto* c = Operation::operands == 3 ? warp.reg<T>(instruction.source[2]) : b;
  const bool reads = instruction.source[3] != machine::no_register;
  constexpr Lanes at_first = std::is_same_v<Operation, Sub<T>> ? machine::all_lanes : 0;
  const Lanes carries = reads ? *warp.reg<Lanes>(instruction.source[3]) : at_first;
  auto* destination = warp.reg<T>(instruction.destination);
  Lanes result = 0;
  for (const int lane : machine::each_lane(warp.active)) {
    const Sum<T> sum = Operation::of(a[lane], b[lane], c[lane], machine::has_lane(carries, lane));
    destination[lane] = sum.value;
    result |= sum.carry ? machine::lane_bit(lane) : 0;
  }
  if (instruction.destination2 == machine::no_register) return;
  Lanes& code = *warp.reg<Lanes>(instruction.destination2);
  code = (code & ~warp.active) | result;
}

struct Entry {
  std::string_view operation;
  machine::Execute u32_form, s32_form, u64_form, s64_form;
};

template <template <class> class Operation>
constexpr Entry entry(std::string_view name) {
  return {name, &execute<u32, Operation<u32>>, &execute<u32, Operation<u32>>, &execute<u64, Operation<u64>>,
          &execute<u64, Operation<u64>>};
}

constexpr std::array<Entry, 4> entries = {
    {entry<Add>("add"),
     entry<Sub>("sub"),
     entry<MadLo>("mad.lo"),
     {"mad.hi", &execute<u32, MadHi<u32, u64>>, &execute<u32, MadHi<u32, s64>>,
      &execute<u64, MadHi<u64, unsigned __int128>>, &execute<u64, MadHi<u64, __int128>>}}};

}  // namespace

Carrying carrying(std::string_view opcode) {
  for (const Entry& entry : entries)
    for (const bool reads : {false, true})
      for (const bool writes : {false, true}) {
        if (!reads && !writes) continue;
        const auto is = [&, mnemonic = entry.operation.substr(0, 3), rest = entry.operation.substr(3)](auto type) {
          return opcode == fmt::format("{}{}{}{}.{}", mnemonic, reads ? "c" : "", rest, writes ? ".cc" : "", type);
        };
        if (is("u32")) return {entry.u32_form, reads, writes};
        if (is("s32")) return {entry.s32_form, reads, writes};
        if (is("u64")) return {entry.u64_form, reads, writes};
        if (is("s64")) return {entry.s64_form, reads, writes};
      }
  return {};
}

}  // namespace warpwright::isa
