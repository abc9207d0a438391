// An array on the device with the host's view of it, for programs that are no longer than they must be.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <vector>

template <class T>
class DeviceVector {
 public:
  explicit DeviceVector(const std::vector<T>& values) : size_(values.size()) {
    cudaMalloc(&data_, (size_ + 1) * sizeof(T));
    cudaMemcpy(data_, values.data(), size_ * sizeof(T), cudaMemcpyHostToDevice);
  }
  explicit DeviceVector(std::size_t size, T value = T{}) : DeviceVector(std::vector<T>(size, value)) {}
  DeviceVector(const DeviceVector&) = delete;
  DeviceVector& operator=(const DeviceVector&) = delete;
  ~DeviceVector() { cudaFree(data_); }

  T* get() const { return data_; }
  std::size_t size() const { return size_; }
  std::vector<T> values() const {
    std::vector<T> values(size_);
    cudaMemcpy(values.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost);
    return values;
  }

 private:
  T* data_ = nullptr;
  std::size_t size_;
};
