// What a CUDA compiler has to manage before set-up trusts it: a kernel, its launch, and the headers that exercises use.
#if !__has_include(<cub/cub.cuh>) || !__has_include(<cooperative_groups.h>)
#error "this CUDA toolkit lacks the headers of CUB or of cooperative groups"
#endif
#include <algorithm>
#include <vector>

__global__ void add_one(float* values, int n) {
  int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) values[i] += __shfl_sync(0xffffffffu, 1.0f, 0);
}

void add_one_to_all(const std::vector<float*>& arrays, int n, cudaStream_t stream) {
  for (float* values : arrays) add_one<<<std::max(1, (n + 255) / 256), 256, 0, stream>>>(values, n);
}
