// cub::DeviceRadixSort: keys with values in one tile, and keys in many.
#include <cub/device/device_radix_sort.cuh>

#include <algorithm>
#include <numeric>

#include "device_vector.h"

bool program() {
  bool right = true;
  for (const int n : {1, 1000, 30001}) {
    std::vector<unsigned> keys(n);
    std::vector<unsigned short> values(n);
    std::iota(values.begin(), values.end(), 0);
    unsigned state = 12345;
    for (unsigned& key : keys) key = state = state * 1664525u + 1013904223u;
    const DeviceVector<unsigned> in(keys), out(n, 1u);
    std::size_t bytes = 0;
    cub::DeviceRadixSort::SortKeys(nullptr, bytes, in.get(), out.get(), n);
    const DeviceVector<char> workspace(bytes);
    right &= cub::DeviceRadixSort::SortKeys(workspace.get(), bytes, in.get(), out.get(), n) == cudaSuccess;
    std::sort(keys.begin(), keys.end());
    right &= out.values() == keys;
  }
  return right;
}
