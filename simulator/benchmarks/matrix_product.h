#pragma once

/// The edge of a tile, which is also a block's edge in threads.
inline constexpr unsigned matrix_tile = 16;

/// c = a * b, square matrices of n rows in row-major order, n a multiple of matrix_tile; device pointers.
void matrix_product(const float* a, const float* b, float* c, unsigned n);
