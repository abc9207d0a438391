#pragma once

#include <optional>
#include <vector>

#include "bench.h"

namespace warpwright {

/// Those of the benchmarks whose results are right, at sizes that divide by nothing and at a large one. Says of each
/// what was found. Nothing, if there is no GPU. To be called before this process has touched the GPU.
std::optional<std::vector<Benchmark>> right_ones(const std::vector<Benchmark>& benchmarks);

}  // namespace warpwright
