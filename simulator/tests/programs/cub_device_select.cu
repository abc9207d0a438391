// cub::DeviceSelect: the elements that a condition holds for, in their order.
#include <cub/device/device_select.cuh>

#include <algorithm>

#include "device_vector.h"

namespace {
struct IsOdd {
  __host__ __device__ bool operator()(int value) const { return (value & 1) != 0; }
};
}  // namespace

bool program() {
  bool right = true;
  for (const int n : {1, 45, 3001, 20000}) {
    std::vector<int> values(n), odd;
    for (int i = 0; i < n; ++i) values[i] = i * 37 % 1009;
    std::copy_if(values.begin(), values.end(), std::back_inserter(odd), IsOdd{});
    const DeviceVector<int> in(values), out(n, -1), count(1, -1);
    std::size_t bytes = 0;
    cub::DeviceSelect::If(nullptr, bytes, in.get(), out.get(), count.get(), n, IsOdd{});
    const DeviceVector<char> workspace(bytes);
    right &= cub::DeviceSelect::If(workspace.get(), bytes, in.get(), out.get(), count.get(), n, IsOdd{}) == cudaSuccess;
    std::vector<int> selected = out.values();
    right &= count.values()[0] == static_cast<int>(odd.size()) && std::equal(odd.begin(), odd.end(), selected.begin());
    right &= std::all_of(selected.begin() + odd.size(), selected.end(), [](int value) { return value == -1; });
  }
  return right;
}
