// reduce.v0: a tree of additions in shared memory.
//
// Each block sums a tile of 256 values, in rounds with step = 1, 2, 4, ..., 128: where t is a multiple of 2 * step,
// thread t adds the value that lies `step` further on to its own.
//
// fails now: out[0] was never written

#include "passes.h"

namespace {

constexpr unsigned block_threads = 256;

// Writes the sum of in[256 * b] to in[256 * b + 255], as far as below n, to out[b], where b is the block's number.
__global__ void sum_tiles(const float* in, float* out, std::size_t n) {
  // TODO: write the kernel.
  //   1. Every thread copies one value into a tile in shared memory, and a zero where in[] has no more values.
  //   2. Rounds: the threads of each round add. All of a round must be done before the next one begins.
  //   3. One thread writes the block's sum.
  // END
}

}  // namespace

void reduce::v0(const float* in, float* out, float* workspace, std::size_t n, cudaStream_t stream) {
  in_passes(in, out, workspace, n, block_threads, stream,
            [=](const float* from, float* to, std::size_t count, unsigned blocks) {
              sum_tiles<<<blocks, block_threads, 0, stream>>>(from, to, count);
            });
}
