// An array frees its memory when it dies, and is passed by value: the copy dies at the end of the call, and its memory
// with it.
// expect: use after free at [load], thread (0,0,0), block (0,0,0), allocated at [allocation]
#include <cuda_runtime.h>

namespace {

constexpr int n = 64;

struct Array {
  ~Array() { cudaFree(data); }
  float* data = nullptr;
};

__global__ void triple(float* values) {
  const int i = threadIdx.x;
  values[i] = 3 * values[i];  // [load]
}

template <class Passed>
void triple_all(Passed values) {
  triple<<<1, n>>>(values.data);
}

}  // namespace

extern "C" void freed_by_a_copy(bool mended) {
  Array values;
  cudaMalloc(&values.data, n * sizeof(float));  // [allocation]
  cudaMemset(values.data, 0, n * sizeof(float));
  for (int round = 0; round < 2; ++round) mended ? triple_all<Array&>(values) : triple_all<Array>(values);
}
