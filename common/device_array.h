// Problem: a kernel that writes beside its output, or not at all, must not pass by luck.
// Idea: every array is poisoned until somebody uploads to it, and lies between guards that nobody may write.
// Invariant: an array that is destroyed with a damaged guard is on the list that take_damage() returns.
// Left out: reads outside the array, which no guard can see; the simulated GPU reports them, and needs no guards.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace warpwright {

/// What memory holds that nothing has written: as a float, a quiet NaN that no arithmetic produces.
inline constexpr std::uint32_t poison_word = 0x7fdeadee;

/// `bytes` of device memory between two guards; all of it 256-byte aligned.
class DeviceBytes {
 public:
  /// `name` is how messages call it: "out".
  DeviceBytes(std::string name, std::size_t bytes);
  ~DeviceBytes();
  DeviceBytes(const DeviceBytes&) = delete;
  DeviceBytes& operator=(const DeviceBytes&) = delete;

  void* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }
  void upload(const void* from);
  void download(void* to) const;
  /// Fills the array with poison_word.
  void poison();

 private:
  std::string damage() const;

  std::string name_;
  std::size_t bytes_ = 0;
  std::size_t guard_ = 0;
  std::byte* base_ = nullptr;
  std::byte* data_ = nullptr;
};

/// What was found in the guards of arrays that are gone, in words, since the last call.
std::vector<std::string> take_damage();

/// `count` elements of T in device memory. Errors are thrown as CudaError.
template <class T>
class DeviceArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  DeviceArray(std::string name, std::size_t count) : bytes_(std::move(name), count * sizeof(T)), count_(count) {}
  DeviceArray(std::string name, std::span<const T> values) : DeviceArray(std::move(name), values.size()) {
    upload(values);
  }

  T* data() const { return static_cast<T*>(bytes_.data()); }
  std::size_t size() const { return count_; }
  void upload(std::span<const T> values) { bytes_.upload(values.data()); }
  void poison() { bytes_.poison(); }
  /// Waits for the kernels before it.
  std::vector<T> download() const {
    std::vector<T> values(count_);
    bytes_.download(values.data());
    return values;
  }

 private:
  DeviceBytes bytes_;
  std::size_t count_;
};

/// Whether `value` is poison, that is, was most likely never written.
template <class T>
bool is_poison(const T& value) {
  static_assert(sizeof(T) % sizeof(poison_word) == 0);
  std::uint32_t words[sizeof(T) / sizeof(poison_word)];
  __builtin_memcpy(words, &value, sizeof(T));
  for (std::uint32_t word : words) {
    if (word != poison_word) return false;
  }
  return true;
}

}  // namespace warpwright
