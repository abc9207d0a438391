// cub::DeviceScan: decoupled look-back; sums before each element and up to it.
#include <cub/device/device_scan.cuh>

#include "device_vector.h"

bool program() {
  bool right = true;
  for (const int n : {1, 33, 5003, 40000}) {
    std::vector<int> values(n), before(n), up_to(n);
    int sum = 0;
    for (int i = 0; i < n; ++i) {
      values[i] = i * 13 % 101 - 40;
      before[i] = sum;
      up_to[i] = sum += values[i];
    }
    const DeviceVector<int> in(values), out(n, -1);
    std::size_t bytes = 0;
    cub::DeviceScan::InclusiveSum(nullptr, bytes, in.get(), out.get(), n);
    const DeviceVector<char> workspace(bytes);
    right &= cub::DeviceScan::InclusiveSum(workspace.get(), bytes, in.get(), out.get(), n) == cudaSuccess;
    right &= out.values() == up_to;
    right &= cub::DeviceScan::ExclusiveSum(workspace.get(), bytes, in.get(), out.get(), n) == cudaSuccess;
    right &= out.values() == before;
  }
  return right;
}
