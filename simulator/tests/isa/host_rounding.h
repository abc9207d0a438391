// Arithmetic of the host under one of its own rounding modes (FE_TONEAREST and its like): what the directed roundings
// of the simulated GPU, which never change a mode, are compared with. Compiled with -frounding-math.
#pragma once

#include <cstdint>

namespace warpwright::checks {

enum class Arithmetic { add, sub, mul, div };

template <class T>
T rounded(Arithmetic operation, T a, T b, int mode);

template <class T>
T fused(T a, T b, T c, int mode);

template <class T>
T root(T a, int mode);

float to_f32(double a, int mode);
float to_f32(std::int64_t a, int mode);
float to_f32(std::uint64_t a, int mode);
double to_f64(std::int64_t a, int mode);
double to_f64(std::uint64_t a, int mode);
/// Rounds to a whole number.
double whole(double a, int mode);

}  // namespace warpwright::checks
