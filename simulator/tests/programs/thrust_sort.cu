// thrust::sort: by value, which is a radix sort, and by an order of one's own, which is a merge sort.
#include <thrust/device_vector.h>
#include <thrust/sort.h>

#include <algorithm>
#include <vector>

namespace {
struct ByLastDigit {
  __host__ __device__ bool operator()(int a, int b) const { return a % 10 != b % 10 ? a % 10 < b % 10 : a < b; }
};
}  // namespace

bool program() {
  bool right = true;
  for (const int n : {0, 1, 100, 5001}) {
    std::vector<int> values(n);
    for (int i = 0; i < n; ++i) values[i] = i * 7919 % 10007;
    thrust::device_vector<int> on_device(values.begin(), values.end());
    thrust::sort(on_device.begin(), on_device.end(), ByLastDigit{});
    std::sort(values.begin(), values.end(), ByLastDigit{});
    right &= std::equal(values.begin(), values.end(), std::vector<int>(on_device.begin(), on_device.end()).begin());
  }
  return right;
}
