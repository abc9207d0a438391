#pragma once

#include <cuda_runtime_api.h>

#include <stdexcept>
#include <string>

namespace warpwright {

/// A call of the CUDA runtime, or a launch before it, failed. what() says which call, and what the error means.
class CudaError : public std::runtime_error {
 public:
  CudaError(const std::string& call, cudaError_t code);
  cudaError_t code() const { return code_; }

 private:
  cudaError_t code_;
};

/// Throws CudaError unless `result` is cudaSuccess. `call` names the call: "cudaMalloc of 4,096 bytes".
void check(cudaError_t result, const std::string& call);

/// Waits for the device, and throws what a launch before has left behind.
void synchronize();

}  // namespace warpwright
