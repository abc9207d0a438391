// A row of 30 values is copied in bulk. That is 120 bytes, and such a copy moves units of 16.
// expect: bad copy at [copy], thread (0,0,0), saying "a multiple of 16", alone
#include <cuda_awbarrier_primitives.h>
#include <cuda_runtime.h>

namespace {

constexpr int width = 30;

template <bool mended>
__global__ void copy_row(const int* row, int* out) {
  __shared__ alignas(16) int tile[32];
  __shared__ __mbarrier_t barrier;
  const int t = threadIdx.x;
  if (t == 0) __mbarrier_init(&barrier, 1);
  __syncthreads();
  constexpr unsigned bytes = (mended ? 32 : width) * sizeof(int);
  if (t == 0) {
    const auto to = static_cast<unsigned>(__cvta_generic_to_shared(tile));
    const auto told = static_cast<unsigned>(__cvta_generic_to_shared(&barrier));
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(told), "r"(bytes) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to),
                 "l"(row), "r"(bytes), "r"(told)  // [copy]
                 : "memory");
  }
  while (!__mbarrier_test_wait_parity(&barrier, 0)) {
  }
  if (t < width) out[t] = tile[t];
}

}  // namespace

extern "C" void bulk_of_odd_size(bool mended) {
  int* row = nullptr;
  int* out = nullptr;
  cudaMalloc(&row, 32 * sizeof(int));
  cudaMalloc(&out, width * sizeof(int));
  cudaMemset(row, 0, 32 * sizeof(int));
  const auto kernel = mended ? copy_row<true> : copy_row<false>;
  kernel<<<1, 32>>>(row, out);
  cudaFree(row);
  cudaFree(out);
}
