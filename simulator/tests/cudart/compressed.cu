#include "kernels.h"

namespace warpwright::cudart::kernels {

__global__ void compressed_kernel(int* out) { *out = 42; }

void compressed(int* out) { compressed_kernel<<<1, 1>>>(out); }

}  // namespace warpwright::cudart::kernels
