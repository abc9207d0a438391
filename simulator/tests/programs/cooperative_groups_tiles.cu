// Cooperative groups within a block: reductions and scans of tiles, of the lanes that are there, and of a partition.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include "device_vector.h"

namespace {

namespace cg = cooperative_groups;

constexpr int threads = 96;
constexpr int results = 6;

__global__ void use_groups(const int* in, int* out, int n) {
  const cg::thread_block block = cg::this_thread_block();
  const int t = static_cast<int>(block.thread_rank());
  const int value = t < n ? in[t] : 0;
  int* to = out + t * results;

  const auto warp = cg::tiled_partition<32>(block);
  to[0] = cg::reduce(warp, value, cg::plus<int>());
  const auto tile = cg::tiled_partition<8>(warp);
  to[1] = cg::reduce(tile, value, cg::greater<int>());
  to[2] = cg::inclusive_scan(tile, value);
  to[3] = cg::exclusive_scan(warp, value, cg::plus<int>());
  to[4] = to[5] = -7;
  if (t % 3 != 0) {
    const cg::coalesced_group there = cg::coalesced_threads();
    to[4] = cg::reduce(there, value, cg::plus<int>());
    const auto alike = cg::labeled_partition(there, t % 4);
    to[5] = static_cast<int>(alike.size()) * 1000 + cg::reduce(alike, value, cg::less<int>());
  }
}

int expected(const std::vector<int>& values, int t, int which) {
  const auto value = [&](int i) { return i < static_cast<int>(values.size()) ? values[i] : 0; };
  const int warp = t / 32 * 32, tile = t / 8 * 8;
  int sum = 0, largest = value(tile), smallest = value(t), count = 0;
  switch (which) {
    case 0:
      for (int i = warp; i < warp + 32; ++i) sum += value(i);
      return sum;
    case 1:
      for (int i = tile; i < tile + 8; ++i) largest = std::max(largest, value(i));
      return largest;
    case 2:
      for (int i = tile; i <= t; ++i) sum += value(i);
      return sum;
    case 3:
      for (int i = warp; i < t; ++i) sum += value(i);
      return sum;
    case 4:
      if (t % 3 == 0) return -7;
      for (int i = warp; i < warp + 32; ++i) sum += i % 3 != 0 ? value(i) : 0;
      return sum;
    default:
      if (t % 3 == 0) return -7;
      for (int i = warp; i < warp + 32; ++i) {
        if (i % 3 == 0 || i % 4 != t % 4) continue;
        ++count;
        smallest = std::min(smallest, value(i));
      }
      return count * 1000 + smallest;
  }
}

}  // namespace

bool program() {
  bool right = true;
  for (const int n : {1, 33, threads}) {
    std::vector<int> values(n);
    for (int i = 0; i < n; ++i) values[i] = i * 31 % 97 - 40;
    const DeviceVector<int> in(values), out(threads * results, -1);
    use_groups<<<1, threads>>>(in.get(), out.get(), n);
    const std::vector<int> got = out.values();
    for (int t = 0; t < threads; ++t)
      for (int which = 0; which < results; ++which) right &= got[t * results + which] == expected(values, t, which);
  }
  return right;
}
