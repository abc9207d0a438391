#include "kernels.h"

namespace warpwright::cudart::kernels {
namespace {

__device__ int counter_variable = 5;
__constant__ int table_variable[4] = {1, 2, 3, 4};
__device__ int* pointer_to_counter = &counter_variable;
__device__ char big_variable[8192];
__managed__ int managed_variable = 7;

__global__ void read_variables_kernel(int* out) {
  out[0] = counter_variable;
  for (int i = 0; i < 4; ++i) out[1 + i] = table_variable[i];
  out[5] = *pointer_to_counter;
  out[6] = managed_variable;
  out[7] = big_variable[8191];
  counter_variable += 1;
  managed_variable += 1;
}

}  // namespace

void read_variables(int* out) { read_variables_kernel<<<1, 1>>>(out); }

const void* counter() { return &counter_variable; }
const void* table() { return table_variable; }
const void* big() { return big_variable; }
int& managed() { return managed_variable; }

}  // namespace warpwright::cudart::kernels
