// Problem: what do lanes do that name one another in a mask and then execute different instructions? The manual asks
// for the same instruction; whether the hardware does is to be seen, and the answer may be that it hangs.
// Idea: one question a run, each with a limit of time outside. The branches end in different stores, so that the
// compiler cannot make one instruction of two.
//
//   diverged shuffle | barrier | late | mixed
//
// prints what each lane saw, one line of 32 numbers.
#include <cstdio>
#include <cstring>

namespace {

// Both halves of the warp execute shfl.sync with the full mask, each its own.
__global__ void shuffle(int* out, int* other) {
  const int lane = threadIdx.x;
  int seen;
  if (lane < 16) {
    asm volatile("shfl.sync.idx.b32 %0, %1, %2, 31, 0xffffffff;" : "=r"(seen) : "r"(100 + lane), "r"(lane + 16));
    other[lane] = 1;
  } else {
    asm volatile("shfl.sync.idx.b32 %0, %1, %2, 31, 0xffffffff;" : "=r"(seen) : "r"(200 + lane), "r"(lane - 16));
    other[lane * 3] = clock();
  }
  out[lane] = seen;
}

// Both halves write, wait at a bar.warp.sync of their own, and read what the other half wrote.
__global__ void barrier(int* out, int* other) {
  __shared__ volatile int tile[32];
  const int lane = threadIdx.x;
  tile[lane] = 0;
  __syncwarp();
  if (lane < 16) {
    for (int i = 0; i < 100; ++i) asm volatile("nanosleep.u32 100;");
    tile[lane] = 100 + lane;
    asm volatile("bar.warp.sync 0xffffffff;" ::: "memory");
    out[lane] = tile[lane + 16];
    other[lane] = 1;
  } else {
    tile[lane] = 200 + lane;
    asm volatile("bar.warp.sync 0xffffffff;" ::: "memory");
    out[lane] = tile[lane - 16];
    other[lane * 3] = clock();
  }
}

// Half of the warp shuffles with the full mask; the other half never does, and goes on to the end.
__global__ void late(int* out, int* other) {
  const int lane = threadIdx.x;
  int seen = -1;
  if (lane < 16)
    asm volatile("shfl.sync.idx.b32 %0, %1, %2, 31, 0xffffffff;" : "=r"(seen) : "r"(100 + lane), "r"(lane + 16));
  else
    other[lane * 3] = clock();
  out[lane] = seen;
}

// One half waits at bar.warp.sync, the other shuffles: two kinds of instruction with one mask.
__global__ void mixed(int* out, int* other) {
  const int lane = threadIdx.x;
  int seen = -1;
  if (lane < 16) {
    asm volatile("bar.warp.sync 0xffffffff;" ::: "memory");
    other[lane] = 1;
  } else {
    asm volatile("shfl.sync.idx.b32 %0, %1, %2, 31, 0xffffffff;" : "=r"(seen) : "r"(200 + lane), "r"(lane - 16));
    other[lane * 3] = clock();
  }
  out[lane] = seen;
}

}  // namespace

int main(int count, char** words) {
  int *out = nullptr, *other = nullptr, host[32] = {};
  cudaMalloc(&out, sizeof host);
  cudaMalloc(&other, 1024 * sizeof(int));
  cudaMemset(out, 0xff, sizeof host);
  const char* question = count > 1 ? words[1] : "";
  if (std::strcmp(question, "shuffle") == 0)
    shuffle<<<1, 32>>>(out, other);
  else if (std::strcmp(question, "barrier") == 0)
    barrier<<<1, 32>>>(out, other);
  else if (std::strcmp(question, "late") == 0)
    late<<<1, 32>>>(out, other);
  else if (std::strcmp(question, "mixed") == 0)
    mixed<<<1, 32>>>(out, other);
  else
    return std::fprintf(stderr, "diverged shuffle | barrier | late | mixed\n"), 2;
  const cudaError_t error = cudaDeviceSynchronize();
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%s: %s:", question, cudaGetErrorName(error));
  for (const int value : host) std::printf(" %d", value);
  std::printf("\n");
  return error == cudaSuccess ? 0 : 1;
}
