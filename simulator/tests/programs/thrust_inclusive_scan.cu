// thrust::inclusive_scan: in place, and with a maximum instead of a sum.
#include <thrust/device_vector.h>
#include <thrust/scan.h>

#include <numeric>
#include <vector>

bool program() {
  bool right = true;
  for (const int n : {0, 1, 100, 20003}) {
    std::vector<int> values(n);
    for (int i = 0; i < n; ++i) values[i] = i * 31 % 97 - 40;
    thrust::device_vector<int> on_device(values.begin(), values.end());
    thrust::inclusive_scan(on_device.begin(), on_device.end(), on_device.begin());
    std::partial_sum(values.begin(), values.end(), values.begin());
    right &= std::equal(values.begin(), values.end(), std::vector<int>(on_device.begin(), on_device.end()).begin());
  }
  return right;
}
