// cub::DeviceReduce: of one tile and of many, with the block that comes last and with a second kernel.
#include <cub/device/device_reduce.cuh>

#include "device_vector.h"

bool program() {
  bool right = true;
  for (const int n : {1, 31, 1000, 70001}) {
    std::vector<int> values(n);
    int sum = 0;
    for (int i = 0; i < n; ++i) sum += values[i] = i * 7 % 1001 - 300;
    const DeviceVector<int> in(values), out(1, -1);
    std::size_t bytes = 0;
    cub::DeviceReduce::Sum(nullptr, bytes, in.get(), out.get(), n);
    const DeviceVector<char> workspace(bytes);
    right &= cub::DeviceReduce::Sum(workspace.get(), bytes, in.get(), out.get(), n) == cudaSuccess;
    right &= out.values()[0] == sum;
  }
  return right;
}
