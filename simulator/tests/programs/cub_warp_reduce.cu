// cub::WarpReduce: of a whole warp, of groups of eight lanes, of a warp's first five, and by segments.
#include <cub/warp/warp_reduce.cuh>

#include "device_vector.h"

namespace {

constexpr int threads = 64;

/// How many groups of `width` lanes a warp has. CUB knows of one alone when the width is no power of two.
template <int width>
constexpr int groups_of_warp = (width & (width - 1)) == 0 ? 32 / width : 1;

template <int width>
__global__ void sums_of_groups(const double* in, double* out) {
  using WarpReduce = cub::WarpReduce<double, width>;
  constexpr int groups = groups_of_warp<width>;
  __shared__ typename WarpReduce::TempStorage storage[threads / 32 * groups];
  const int t = static_cast<int>(threadIdx.x);
  const int of_warp = t % 32 / width;
  if (of_warp >= groups) return;
  const int group = t / 32 * groups + of_warp;
  const double sum = WarpReduce(storage[group]).Sum(in[t]);
  if (t % 32 % width == 0) out[group] = sum;
}

/// A segment begins at each multiple of seven.
__global__ void sums_of_segments(const double* in, double* out) {
  using WarpReduce = cub::WarpReduce<double>;
  __shared__ typename WarpReduce::TempStorage storage[threads / 32];
  const int t = static_cast<int>(threadIdx.x);
  const bool begins = t % 32 % 7 == 0;
  const double sum = WarpReduce(storage[t / 32]).HeadSegmentedSum(in[t], begins);
  if (begins) out[t] = sum;
}

template <int width>
bool is_right(const std::vector<double>& values) {
  constexpr int groups = groups_of_warp<width>;
  std::vector<double> expected(threads / 32 * groups, 0);
  for (int t = 0; t < threads; ++t)
    if (t % 32 / width < groups) expected[t / 32 * groups + t % 32 / width] += values[t];
  const DeviceVector<double> in(values), out(expected.size(), -1);
  sums_of_groups<width><<<1, threads>>>(in.get(), out.get());
  return out.values() == expected;
}

bool segments_are_right(const std::vector<double>& values) {
  std::vector<double> expected(threads, -1);
  for (int t = 0; t < threads; ++t)
    if (const int begin = t - t % 32 % 7; begin == t)
      expected[t] = values[t];
    else
      expected[begin] += values[t];
  const DeviceVector<double> in(values), out(threads, -1);
  sums_of_segments<<<1, threads>>>(in.get(), out.get());
  return out.values() == expected;
}

}  // namespace

bool program() {
  std::vector<double> values(threads);
  for (int t = 0; t < threads; ++t) values[t] = t * 31 % 97 - 40;
  return is_right<32>(values) && is_right<8>(values) && is_right<5>(values) && segments_are_right(values);
}
