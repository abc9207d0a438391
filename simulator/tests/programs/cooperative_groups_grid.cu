// Cooperative groups over a grid: blocks that hand sums to one another through memory, with grid.sync() between.
#include <cooperative_groups.h>

#include "device_vector.h"

namespace {

namespace cg = cooperative_groups;

constexpr int threads = 64;
constexpr int blocks = 7;

/// Each element becomes the sum of itself and of the one `step` before it, in all blocks at once: Hillis and Steele.
__global__ void scan(int* even, int* odd, int n) {
  const cg::grid_group grid = cg::this_grid();
  const int i = static_cast<int>(grid.thread_rank());
  for (int step = 1; step < n; step *= 2) {
    if (i < n) odd[i] = even[i] + (i >= step ? even[i - step] : 0);
    grid.sync();
    int* const swap = even;
    even = odd;
    odd = swap;
  }
  if (i < n) odd[i] = even[i];
}

}  // namespace

bool program() {
  bool right = true;
  for (int n : {1, 63, threads * blocks}) {
    std::vector<int> values(n), expected(n);
    int sum = 0;
    for (int i = 0; i < n; ++i) expected[i] = sum += values[i] = i * 31 % 97 - 40;
    const DeviceVector<int> even(values), odd(n, 0);
    int* first = even.get();
    int* second = odd.get();
    void* arguments[] = {&first, &second, &n};
    right &= cudaLaunchCooperativeKernel(reinterpret_cast<void*>(scan), dim3(blocks), dim3(threads), arguments, 0,
                                         nullptr) == cudaSuccess;
    right &= even.values() == expected && odd.values() == expected;
  }
  return right;
}
