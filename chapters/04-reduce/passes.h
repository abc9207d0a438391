#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

#include "reduce.h"

namespace reduce {

/// Sums in passes. A pass is one launch: each block turns its tile of `tile` values (the last one may be shorter) into
/// one partial sum. Partial sums go to the two halves of the workspace in turn; the pass with a single block writes to
/// `out`. `launch(from, to, n, blocks)` launches one pass. `tile` is 32 or more; otherwise the workspace would not do,
/// and nothing is launched.
template <class Launch>
void in_passes(const float* in, float* out, float* workspace, std::size_t n, std::size_t tile, cudaStream_t stream,
               Launch launch) {
  if (tile < 32) return;
  if (n == 0) {
    cudaMemsetAsync(out, 0, sizeof(float), stream);  // a grid of 0 blocks is not a legal launch
    return;
  }
  float* const halves[2] = {workspace, workspace + groups_of(tile, n)};
  int pass = 0;
  while (n > tile) {
    const std::size_t blocks = groups_of(tile, n);
    float* const partial_sums = halves[pass++ % 2];
    launch(in, partial_sums, n, static_cast<unsigned>(blocks));
    in = partial_sums;
    n = blocks;
  }
  launch(in, out, n, 1u);
}

}  // namespace reduce
