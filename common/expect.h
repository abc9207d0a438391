// Problem: "close enough" must not reject a right kernel that adds in another order, nor pass one that loses a value.
// Idea: a tolerance is derived from the arithmetic, carries its reason, and is printed with every mismatch.
// Invariant: NaN equals only NaN; poison equals nothing, and is called by its name.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "device_array.h"
#include "inputs.h"

namespace warpwright {

struct Tolerance {
  double absolute = 0;  // |got - expected| may be this much
  std::string reason;
};

/// Bits alike: 0.
Tolerance exact(std::string reason);

/// For a float sum of n values in any tree-like order. Each addition on the way from a value to the result rounds by
/// at most 2^-24 of its own result, so the error is at most depth * 2^-24 * sum|x|. A balanced tree is ceil(log2 n)
/// deep; 32 more are allowed, for kernels whose threads add some values one by one first.
Tolerance sum_tolerance(std::size_t n, const SumReference& reference);

/// What is wrong with `got`, in words, or nothing. `what` names it: "out[0]".
std::optional<std::string> mismatch(const std::string& what, float got, double expected, const Tolerance& tolerance);

/// The first mismatch of an array, and how many there are.
std::optional<std::string> mismatch(const std::string& what, std::span<const float> got,
                                    std::span<const double> expected, const Tolerance& tolerance);

}  // namespace warpwright
