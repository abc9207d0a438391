// Problem: code compiled with --default-stream per-thread calls the same functions by other names, which end in _ptds
// or _ptsz.
// Idea: a second function for each, in which the null stream is the calling thread's own (operations.h).
#pragma once

#include <cstddef>
#include <tuple>

#include "cudart/operations.h"

namespace warpwright::cudart {

template <class Function>
struct ParametersOf;
template <class Result, class... Parameters>
struct ParametersOf<Result (*)(Parameters...)> {
  using Types = std::tuple<Parameters...>;
};
template <class Function, std::size_t number>
using ParameterOf = std::tuple_element_t<number, typename ParametersOf<Function>::Types>;

}  // namespace warpwright::cudart

/// Gives the API function `name`, declared above, which has `count` parameters, the further name `name##_##ending`.
#define PER_THREAD_STREAM(name, ending, count)                                             \
  extern "C" cudaError_t name##_##ending(PER_THREAD_PARAMETERS_##count(decltype(&name))) { \
    const warpwright::cudart::PerThreadDefault here;                                       \
    return name(PER_THREAD_ARGUMENTS_##count);                                             \
  }                                                                                        \
  static_assert(std::tuple_size_v<warpwright::cudart::ParametersOf<decltype(&name)>::Types> == (count))

#define PER_THREAD_PARAMETER(type, number) warpwright::cudart::ParameterOf<type, number> p##number
#define PER_THREAD_PARAMETERS_1(type) PER_THREAD_PARAMETER(type, 0)
#define PER_THREAD_PARAMETERS_2(type) PER_THREAD_PARAMETERS_1(type), PER_THREAD_PARAMETER(type, 1)
#define PER_THREAD_PARAMETERS_3(type) PER_THREAD_PARAMETERS_2(type), PER_THREAD_PARAMETER(type, 2)
#define PER_THREAD_PARAMETERS_4(type) PER_THREAD_PARAMETERS_3(type), PER_THREAD_PARAMETER(type, 3)
#define PER_THREAD_PARAMETERS_5(type) PER_THREAD_PARAMETERS_4(type), PER_THREAD_PARAMETER(type, 4)
#define PER_THREAD_PARAMETERS_6(type) PER_THREAD_PARAMETERS_5(type), PER_THREAD_PARAMETER(type, 5)
#define PER_THREAD_PARAMETERS_7(type) PER_THREAD_PARAMETERS_6(type), PER_THREAD_PARAMETER(type, 6)
#define PER_THREAD_PARAMETERS_8(type) PER_THREAD_PARAMETERS_7(type), PER_THREAD_PARAMETER(type, 7)
#define PER_THREAD_ARGUMENTS_1 p0
#define PER_THREAD_ARGUMENTS_2 PER_THREAD_ARGUMENTS_1, p1
#define PER_THREAD_ARGUMENTS_3 PER_THREAD_ARGUMENTS_2, p2
#define PER_THREAD_ARGUMENTS_4 PER_THREAD_ARGUMENTS_3, p3
#define PER_THREAD_ARGUMENTS_5 PER_THREAD_ARGUMENTS_4, p4
#define PER_THREAD_ARGUMENTS_6 PER_THREAD_ARGUMENTS_5, p5
#define PER_THREAD_ARGUMENTS_7 PER_THREAD_ARGUMENTS_6, p6
#define PER_THREAD_ARGUMENTS_8 PER_THREAD_ARGUMENTS_7, p7
