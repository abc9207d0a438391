#include "cuda_error.h"

#include <fmt/core.h>

namespace warpwright {
namespace {

/// What usually lies behind an error, for those whose text does not say it.
const char* usual_cause(cudaError_t code) {
  switch (code) {
    case cudaErrorInvalidConfiguration:
      return "no GPU can run such a grid or block: 0 blocks, more than 1,024 threads a block, or too much shared "
             "memory";
    case cudaErrorInvalidValue:
      return "an argument is out of range: a null or host pointer where a device pointer belongs, a wrong size, or a "
             "grid or block that no GPU can run";
    case cudaErrorIllegalAddress:
      return "a kernel read or wrote outside every allocation";
    case cudaErrorMisalignedAddress:
      return "a kernel read or wrote at an address that is not a multiple of the access's size";
    case cudaErrorMemoryAllocation:
      return "the device has not that much memory left";
    case cudaErrorNoDevice:
      return "there is no NVIDIA GPU here that the driver knows";
    case cudaErrorInsufficientDriver:
      return "the driver is older than the CUDA runtime: update the driver";
    case cudaErrorNoKernelImageForDevice:
      return "the program holds no code for this GPU's architecture";
    default:
      return nullptr;
  }
}

std::string describe(const std::string& call, cudaError_t code) {
  const std::string text = fmt::format("{} failed: {} ({})", call, cudaGetErrorString(code), cudaGetErrorName(code));
  const char* cause = usual_cause(code);
  return cause == nullptr ? text : fmt::format("{}; {}", text, cause);
}

}  // namespace

CudaError::CudaError(const std::string& call, cudaError_t code)
    : std::runtime_error(describe(call, code)), code_(code) {}

void check(cudaError_t result, const std::string& call) {
  if (result != cudaSuccess) throw CudaError(call, result);
}

void synchronize() {
  check(cudaGetLastError(), "a launch");
  check(cudaDeviceSynchronize(), "a kernel");
}

}  // namespace warpwright
