#include "isa/vector_atomic.h"

#include <cstring>

#include "isa/half.h"
#include "isa/modifiers.h"
#include "isa/types.h"
#include "machine/access.h"
#include "machine/block.h"

namespace warpwright::isa {
namespace {

using machine::Instruction;
using machine::Warp;

/// PTX ISA, "atom": on global memory add.f32 takes and gives subnormal numbers as zeros of their sign; .noftz of halves
/// keeps them.
f32 add_flushed(f32 a, f32 b) { return flushed(canonical(flushed(a) + flushed(b))); }
template <class T>
T add(T a, T b) {
  return to_half<T, Rounding::nearest_even>(to_f64(a) + to_f64(b));
}
template <class T>
T min(T a, T b) {
  return lesser(a, b, false);
}
template <class T>
T max(T a, T b) {
  return greater(a, b, false);
}

template <auto operation>
struct InPlace;
template <class T, T (*operation)(T, T)>
struct InPlace<operation> {
  static void combine(std::byte* at, const std::byte* with) {
    T a, b;
    std::memcpy(&a, at, sizeof a);
    std::memcpy(&b, with, sizeof b);
    const T result = operation(a, b);
    std::memcpy(at, &result, sizeof result);
  }
};

}  // namespace

machine::Combine combination(std::string_view operation, std::string_view type) {
  machine::Combine found = nullptr;
  const auto entry = [&]<auto function>(std::string_view name, std::string_view of_type) {
    if (operation == name && type == of_type) found = &InPlace<function>::combine;
  };
  entry.template operator()<&add_flushed>("add", "f32");
  for_each_type<f16, bf16>([&]<class T>() {
    constexpr auto half = type_name<T>();
    constexpr auto pair = type_name<Packed<T>>();
    entry.template operator()<&add<T>>("add", half);
    entry.template operator()<&min<T>>("min", half);
    entry.template operator()<&max<T>>("max", half);
    entry.template operator()<x2<&add<T>>>("add", pair);
    entry.template operator()<x2<&min<T>>>("min", pair);
    entry.template operator()<x2<&max<T>>>("max", pair);
  });
  return found;
}

/// The lanes take turns, lowest first, and so do the elements: one of the orders that the hardware may choose.
/// In shared memory an H200 does nothing and gives no error; here that is one. Where the compiler sees that the memory
/// is shared it makes a trap of it.
void vector_atomic(Warp& warp, const Instruction& instruction) {
  machine::Addresses addresses = machine::addresses_of(warp, instruction);
  warp.note_polling();
  const machine::Targets targets = machine::resolve(warp, instruction, addresses);
  const machine::Combine combine = warp.block.program().combinations[instruction.option];
  const std::uint32_t* with = warp.vector(instruction);
  const std::uint32_t* old = with + instruction.elements;
  const bool returns = instruction.kind == machine::AccessKind::atomic;
  for (int t = 0; t < targets.count; ++t) {
    const machine::Target& target = targets.of[t];
    if (target.space != machine::Space::global)
      warp.end_launch(observe::FaultKind::bad_call, target.lanes,
                      "atomics of vectors, such as atomicAdd() of a float4, are for global memory alone");
    for (const int lane : machine::each_lane(target.lanes))
      for (unsigned element = 0; element < instruction.elements; ++element) {
        std::byte* at = target.place(addresses[lane]) + element * instruction.element_bytes;
        u32 before = 0;
        std::memcpy(&before, at, instruction.element_bytes);
        const u32 value = warp.reg<u32>(with[element])[lane];
        combine(at, reinterpret_cast<const std::byte*>(&value));
        if (returns && old[element] != machine::no_register) warp.reg<u32>(old[element])[lane] = before;
      }
  }
}

}  // namespace warpwright::isa
