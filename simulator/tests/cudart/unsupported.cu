#include "kernels.h"

namespace warpwright::cudart::kernels {

__global__ void unsupported_kernel() {
  asm volatile("barrier.cluster.arrive;");  // clusters of blocks are not simulated
}

__global__ void beside_unsupported_kernel(int* out) { *out = 43; }

void unsupported() { unsupported_kernel<<<1, 32>>>(); }
void beside_unsupported(int* out) { beside_unsupported_kernel<<<1, 1>>>(out); }

}  // namespace warpwright::cudart::kernels
