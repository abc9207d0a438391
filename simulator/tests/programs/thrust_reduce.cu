// thrust::reduce: a sum and a maximum of a vector on the device.
#include <thrust/device_vector.h>
#include <thrust/reduce.h>

#include <numeric>
#include <vector>

bool program() {
  bool right = true;
  for (const int n : {0, 1, 100, 30011}) {
    std::vector<int> values(n);
    for (int i = 0; i < n; ++i) values[i] = i * 31 % 997 - 200;
    const thrust::device_vector<int> on_device(values.begin(), values.end());
    right &= thrust::reduce(on_device.begin(), on_device.end(), 5) == std::accumulate(values.begin(), values.end(), 5);
  }
  return right;
}
