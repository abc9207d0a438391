// A scan of one pass between blocks, by decoupled look-back (Merrill and Garland, 2016): each block tells the sum of
// its own elements as soon as it has it, adds up what the blocks before it have told, and then tells the sum of all.
#include "device_vector.h"

namespace {

constexpr int threads = 64;

enum State : int { nothing = 0, own = 1, all = 2 };

/// A state and a sum that are read and written in one access.
struct alignas(8) Told {
  int state;
  int sum;
};

__device__ void tell(unsigned long long* place, int state, int sum) {
  const unsigned long long both = static_cast<unsigned long long>(static_cast<unsigned>(sum)) << 32 | state;
  atomicExch(place, both);
}

/// Blocks take their part in the order in which they start, so that whom a block waits for has started.
__global__ void scan(const int* in, int* out, int n, unsigned long long* told, int* next) {
  __shared__ int part, before, sums[threads];
  const int t = static_cast<int>(threadIdx.x);
  if (t == 0) part = atomicAdd(next, 1);
  __syncthreads();
  const int i = part * threads + t;
  sums[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int step = 1; step < threads; step *= 2) {
    const int more = t >= step ? sums[t - step] : 0;
    __syncthreads();
    sums[t] += more;
    __syncthreads();
  }
  if (t == 0) {
    const int mine = sums[threads - 1];
    tell(told + part, part == 0 ? all : own, mine);
    int sum = 0;
    for (int other = part - 1; other >= 0; --other) {
      unsigned long long both;
      do both = *static_cast<volatile unsigned long long*>(told + other);
      while (static_cast<int>(both) == nothing);
      sum += static_cast<int>(both >> 32);
      if (static_cast<int>(both) == all) break;
    }
    if (part != 0) tell(told + part, all, sum + mine);
    before = sum;
  }
  __syncthreads();
  if (i < n) out[i] = before + sums[t];
}

/// The same with a flag beside the sum: the sum is written plainly and the flag says that it is there.
__global__ void scan_with_flags(const int* in, int* out, int n, int* own_sum, int* whole_sum, int* flags, int* next) {
  __shared__ int part, before, sums[threads];
  const int t = static_cast<int>(threadIdx.x);
  if (t == 0) part = atomicAdd(next, 1);
  __syncthreads();
  const int i = part * threads + t;
  sums[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int step = 1; step < threads; step *= 2) {
    const int more = t >= step ? sums[t - step] : 0;
    __syncthreads();
    sums[t] += more;
    __syncthreads();
  }
  if (t == 0) {
    const int mine = sums[threads - 1];
    own_sum[part] = mine;
    if (part == 0) whole_sum[part] = mine;
    __threadfence();
    atomicExch(flags + part, part == 0 ? all : own);
    int sum = 0;
    for (int other = part - 1; other >= 0; --other) {
      int state;
      do state = *static_cast<volatile int*>(flags + other);
      while (state == nothing);
      __threadfence();
      sum += state == all ? whole_sum[other] : own_sum[other];
      if (state == all) break;
    }
    if (part != 0) {
      whole_sum[part] = sum + mine;
      __threadfence();
      atomicExch(flags + part, all);
    }
    before = sum;
  }
  __syncthreads();
  if (i < n) out[i] = before + sums[t];
}

}  // namespace

bool program() {
  bool right = true;
  for (const int n : {1, 65, 5003}) {
    std::vector<int> values(n), expected(n);
    int sum = 0;
    for (int i = 0; i < n; ++i) expected[i] = sum += values[i] = i * 31 % 97 - 40;
    const int blocks = (n + threads - 1) / threads;
    const DeviceVector<int> in(values), out(n, -1), out2(n, -1), next(2, 0);
    const DeviceVector<int> own_sum(blocks, 0), whole_sum(blocks, 0), flags(blocks, 0);
    const DeviceVector<unsigned long long> told(blocks, 0ull);
    scan<<<blocks, threads>>>(in.get(), out.get(), n, told.get(), next.get());
    right &= out.values() == expected;
    scan_with_flags<<<blocks, threads>>>(in.get(), out2.get(), n, own_sum.get(), whole_sum.get(), flags.get(),
                                         next.get() + 1);
    right &= out2.values() == expected;
  }
  return right;
}
