#include "device_array.h"

#include <cuda_runtime_api.h>
#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "cuda_error.h"
#include "device.h"
#include "words.h"

namespace warpwright {
namespace {

constexpr std::uint32_t guard_word = 0x6a12d6a1;

std::vector<std::string>& damage_list() {
  static std::vector<std::string> list;
  return list;
}

/// By the host as far as a MiB; what is there is then copied on the device, again and again.
void fill(std::byte* at, std::size_t bytes, std::uint32_t word) {
  if (bytes == 0) return;
  std::size_t done = std::min(bytes, std::size_t{1} << 20);
  const std::vector<std::uint32_t> words((done + sizeof word - 1) / sizeof word, word);
  check(cudaMemcpy(at, words.data(), done, cudaMemcpyHostToDevice), "cudaMemcpy to the device");
  while (done < bytes) {
    const std::size_t more = std::min(done, bytes - done);
    check(cudaMemcpy(at + done, at, more, cudaMemcpyDeviceToDevice), "cudaMemcpy on the device");
    done += more;
  }
}

/// Offset of the first byte of a guard that has changed, from the guard's start, or `bytes`.
std::size_t first_change(const std::byte* at, std::size_t bytes) {
  std::vector<std::uint32_t> words(bytes / sizeof(std::uint32_t));
  check(cudaMemcpy(words.data(), at, bytes, cudaMemcpyDeviceToHost), "cudaMemcpy of a guard");
  const auto changed = std::find_if(words.begin(), words.end(), [](std::uint32_t w) { return w != guard_word; });
  return static_cast<std::size_t>(changed - words.begin()) * sizeof(std::uint32_t);
}

}  // namespace

DeviceBytes::DeviceBytes(std::string name, std::size_t bytes)
    : name_(std::move(name)), bytes_(bytes), guard_(guard_bytes()) {
  if (bytes_ + guard_ == 0) return;
  // The guard behind starts right after the last byte, aligned or not: an index that is one too high must hit it.
  void* base = nullptr;
  check(cudaMalloc(&base, bytes_ + 2 * guard_), fmt::format("cudaMalloc of {} bytes", thousands(bytes_ + 2 * guard_)));
  base_ = static_cast<std::byte*>(base);
  data_ = base_ + guard_;
  fill(base_, guard_, guard_word);
  fill(data_ + bytes_, guard_, guard_word);
  poison();
}

DeviceBytes::~DeviceBytes() {
  if (base_ == nullptr) return;
  if (guard_ != 0) {
    try {
      if (std::string found = damage(); !found.empty()) damage_list().push_back(std::move(found));
    } catch (const CudaError&) {
      // The device has failed, which was or will be reported by whoever launched.
    }
  }
  cudaFree(base_);
}

std::string DeviceBytes::damage() const {
  if (const std::size_t at = first_change(base_, guard_); at != guard_) {
    return fmt::format("{} was written {} before its start", name_, so_many(guard_ - at, "byte"));
  }
  if (const std::size_t at = first_change(data_ + bytes_, guard_); at != guard_) {
    return fmt::format("{} was written behind its end, {} after its last byte", name_, so_many(at, "byte"));
  }
  return {};
}

void DeviceBytes::upload(const void* from) {
  if (bytes_ == 0) return;
  check(cudaMemcpy(data_, from, bytes_, cudaMemcpyHostToDevice), fmt::format("cudaMemcpy to {}", name_));
}

void DeviceBytes::download(void* to) const {
  synchronize();
  if (bytes_ == 0) return;
  check(cudaMemcpy(to, data_, bytes_, cudaMemcpyDeviceToHost), fmt::format("cudaMemcpy from {}", name_));
}

void DeviceBytes::poison() { fill(data_, bytes_, poison_word); }

std::vector<std::string> take_damage() { return std::exchange(damage_list(), {}); }

}  // namespace warpwright
