// A tree is walked down by recursion, and the leaf points back to the root instead of nowhere.
// expect: stack overflow at [step down], saying "depth_below", alone
#include <cuda_runtime.h>

namespace {

__device__ __noinline__ int depth_below(const int* children, int node) {
  if (node < 0) return 0;
  const int left = depth_below(children, children[2 * node]);  // [step down]
  const int right = depth_below(children, children[2 * node + 1]);
  return 1 + (left < right ? right : left);
}

__global__ void measure(const int* children, int* depth) { *depth = depth_below(children, 0); }

}  // namespace

extern "C" void endless_recursion(bool mended) {
  const int end = mended ? -1 : 0;
  const int host[] = {1, 2, end, end, -1, -1};
  int* children = nullptr;
  int* depth = nullptr;
  cudaMalloc(&children, sizeof host);
  cudaMalloc(&depth, sizeof(int));
  cudaMemcpy(children, host, sizeof host, cudaMemcpyHostToDevice);
  measure<<<1, 1>>>(children, depth);
  cudaFree(children);
  cudaFree(depth);
}
