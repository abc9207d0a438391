// cub::BlockScan: its algorithms, with several items of each thread.
#include <cub/block/block_scan.cuh>

#include "device_vector.h"

namespace {

constexpr int threads = 128;
constexpr int items = 3;

template <cub::BlockScanAlgorithm algorithm>
__global__ void sums_before(const int* in, int* out, int* total, int n) {
  using BlockScan = cub::BlockScan<int, threads, algorithm>;
  __shared__ typename BlockScan::TempStorage storage;
  int values[items];
  for (int item = 0; item < items; ++item) {
    const int i = static_cast<int>(threadIdx.x) * items + item;
    values[item] = i < n ? in[i] : 0;
  }
  int sum;
  BlockScan(storage).ExclusiveSum(values, values, sum);
  for (int item = 0; item < items; ++item) {
    const int i = static_cast<int>(threadIdx.x) * items + item;
    if (i < n) out[i] = values[item];
  }
  if (threadIdx.x == threads - 1) *total = sum;
}

}  // namespace

bool program() {
  bool right = true;
  for (const int n : {1, 97, threads * items}) {
    std::vector<int> values(n), expected(n);
    int sum = 0;
    for (int i = 0; i < n; ++i) {
      expected[i] = sum;
      sum += values[i] = i * 31 % 97 - 40;
    }
    const DeviceVector<int> in(values);
    for (const auto kernel : {sums_before<cub::BLOCK_SCAN_RAKING>, sums_before<cub::BLOCK_SCAN_RAKING_MEMOIZE>,
                              sums_before<cub::BLOCK_SCAN_WARP_SCANS>}) {
      const DeviceVector<int> out(n, -1), total(1, -1);
      kernel<<<1, threads>>>(in.get(), out.get(), total.get(), n);
      right &= out.values() == expected && total.values()[0] == sum;
    }
  }
  return right;
}
