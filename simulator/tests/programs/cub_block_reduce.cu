// cub::BlockReduce: its three algorithms, with a last warp that is not full and with items that are not there.
#include <cub/block/block_reduce.cuh>

#include <algorithm>

#include "device_vector.h"

namespace {

constexpr int threads = 96;

/// Each block adds up its `threads` elements, of which the last block may lack some; only thread 0 knows the sum.
template <cub::BlockReduceAlgorithm algorithm>
__global__ void sums_of_blocks(const int* in, int* out, int n) {
  using BlockReduce = cub::BlockReduce<int, threads, algorithm>;
  __shared__ typename BlockReduce::TempStorage storage;
  const int first = static_cast<int>(blockIdx.x) * threads;
  const int i = first + static_cast<int>(threadIdx.x);
  const int sum = BlockReduce(storage).Sum(i < n ? in[i] : 0, min(n - first, threads));
  __syncthreads();
  const int largest = BlockReduce(storage).Reduce(i < n ? in[i] : -1000, [](int a, int b) { return max(a, b); });
  if (threadIdx.x == 0) {
    out[2 * blockIdx.x] = sum;
    out[2 * blockIdx.x + 1] = largest;
  }
}

}  // namespace

bool program() {
  bool right = true;
  for (const int n : {1, 95, 97, 1000}) {
    std::vector<int> values(n);
    for (int i = 0; i < n; ++i) values[i] = i * 31 % 997 - 200;
    const int blocks = (n + threads - 1) / threads;
    std::vector<int> expected;
    for (int b = 0; b < blocks; ++b) {
      const auto begin = values.begin() + b * threads, end = values.begin() + std::min(n, (b + 1) * threads);
      int sum = 0;
      for (auto value = begin; value != end; ++value) sum += *value;
      expected.push_back(sum);
      expected.push_back(*std::max_element(begin, end));
    }
    const DeviceVector<int> in(values);
    for (const auto kernel :
         {sums_of_blocks<cub::BLOCK_REDUCE_WARP_REDUCTIONS>, sums_of_blocks<cub::BLOCK_REDUCE_RAKING>,
          sums_of_blocks<cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY>}) {
      const DeviceVector<int> out(2 * blocks, -1);
      kernel<<<blocks, threads>>>(in.get(), out.get(), n);
      right &= out.values() == expected;
    }
  }
  return right;
}
