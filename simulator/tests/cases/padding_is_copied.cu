// Structures with holes are copied whole. The holes were never written, and nothing depends on them: the mistake is the
// last field, which nobody sets and a kernel uses.
// expect: uninitialised at [use], thread (0,0,0), block (0,0,0), saying "argument 1"
#include <cuda_runtime.h>

namespace {

struct Reading {
  char unit;
  int value;
  short scale;
};

template <bool mended>
__global__ void fill(Reading* readings) {
  Reading& reading = readings[threadIdx.x];
  reading.unit = 'C';
  reading.value = static_cast<int>(threadIdx.x);
  if constexpr (mended) reading.scale = 2;
}

__global__ void copy(const Reading* from, Reading* to) { to[threadIdx.x] = from[threadIdx.x]; }

__global__ void scaled(const Reading* readings, int* values) {
  values[threadIdx.x] = readings[threadIdx.x].value * readings[threadIdx.x].scale;  // [use]
}

}  // namespace

extern "C" void padding_is_copied(bool mended) {
  Reading* readings = nullptr;
  Reading* copies = nullptr;
  int* values = nullptr;
  cudaMalloc(&readings, 32 * sizeof(Reading));
  cudaMalloc(&copies, 32 * sizeof(Reading));
  cudaMalloc(&values, 32 * sizeof(int));
  const auto kernel = mended ? fill<true> : fill<false>;
  kernel<<<1, 32>>>(readings);
  copy<<<1, 32>>>(readings, copies);
  scaled<<<1, 32>>>(copies, values);
  cudaFree(readings);
  cudaFree(copies);
  cudaFree(values);
}
