// A lock that lanes of one warp take in turn, and blocks too. Before Volta the lane that held it would never have come
// to give it back, as the others spun in step with it.
#include <cuda/atomic>

#include "device_vector.h"

namespace {

__device__ void lock(int* mutex) {
  while (atomicCAS(mutex, 0, 1) != 0) {
  }
  __threadfence();
}
__device__ void unlock(int* mutex) {
  __threadfence();
  atomicExch(mutex, 0);
}

/// Every thread adds to a plain counter and keeps what it found there.
__global__ void count_with_fences(int* mutex, int* counter, int* found) {
  lock(mutex);
  const int before = *counter;
  *counter = before + 1;
  unlock(mutex);
  found[blockIdx.x * blockDim.x + threadIdx.x] = before;
}

/// The same with the order that the lock's own accesses give, and with a lock of the block in shared memory.
__global__ void count_with_atomic(int* mutex, int* counter, int* found) {
  __shared__ int own, own_counter;
  if (threadIdx.x == 0) own = own_counter = 0;
  __syncthreads();
  cuda::atomic_ref<int, cuda::thread_scope_block> inner(own);
  while (inner.exchange(1, cuda::memory_order_acquire) != 0) {
  }
  own_counter += 1;
  inner.store(0, cuda::memory_order_release);

  cuda::atomic_ref<int, cuda::thread_scope_device> outer(*mutex);
  for (int free = 0; !outer.compare_exchange_weak(free, 1, cuda::memory_order_acquire); free = 0) {
  }
  const int before = *counter;
  *counter = before + 1;
  outer.store(0, cuda::memory_order_release);
  found[blockIdx.x * blockDim.x + threadIdx.x] = before;
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(counter + 1, own_counter);
}

}  // namespace

bool program() {
  bool right = true;
  for (const auto& [blocks, threads] : {std::pair{1, 32}, {1, 70}, {5, 33}})
    for (const auto kernel : {count_with_fences, count_with_atomic}) {
      const int all = blocks * threads;
      const DeviceVector<int> mutex(1, 0), counters(2, 0), found(all, -1);
      kernel<<<blocks, threads>>>(mutex.get(), counters.get(), found.get());
      right &= counters.values()[0] == all;
      right &= counters.values()[1] == (kernel == count_with_atomic ? all : 0);
      std::vector<int> seen(all, 0);
      for (const int before : found.values())
        if (before >= 0 && before < all) ++seen[before];
      right &= seen == std::vector<int>(all, 1);
    }
  return right;
}
