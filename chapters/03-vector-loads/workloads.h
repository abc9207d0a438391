// What the chapter's benchmark runs at size n, how its result is checked, and what it has to move. Each takes the
// function that it is to run, so that exercise and solution can stand side by side.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "bench.h"
#include "comparisons.h"
#include "cuda_error.h"
#include "device_array.h"
#include "inputs.h"
#include "vectors.h"

namespace vectors::bench {

using namespace warpwright;

/// From one array of n floats to another.
class Copy : public Workload {
 public:
  explicit Copy(std::size_t n) : values_(real_numbers(n, -1, 1, n)), in_("in", values_), out_("out", n) {}

  std::optional<std::string> mismatch() override {
    return mismatch_at("out", out_.download(), [&](std::size_t i) { return values_[i]; });
  }
  double bytes() const override { return float_bytes(2 * in_.size()); }

 protected:
  std::vector<float> values_;
  DeviceArray<float> in_, out_;
};

class Copy4 : public Copy {
 public:
  Copy4(decltype(copy4)* launcher, std::size_t n) : Copy(n), launcher_(launcher) {}
  void run(cudaStream_t stream) override { launcher_(in_.data(), out_.data(), in_.size(), stream); }

 private:
  decltype(copy4)* launcher_;
};

/// With floats.
class AnyType : public Copy {
 public:
  AnyType(decltype(any_type)* launcher, std::size_t n) : Copy(n), launcher_(launcher) {}
  void run(cudaStream_t stream) override { launcher_(in_.data(), out_.data(), sizeof(float), in_.size(), stream); }

 private:
  decltype(any_type)* launcher_;
};

class Add4 : public Workload {
 public:
  Add4(decltype(add4)* launcher, std::size_t n)
      : launcher_(launcher),
        left_(real_numbers(n, -1, 1, n)),
        right_(real_numbers(n, -1, 1, n + 1)),
        a_("a", left_),
        b_("b", right_),
        out_("out", n) {}

  void run(cudaStream_t stream) override { launcher_(a_.data(), b_.data(), out_.data(), a_.size(), stream); }
  std::optional<std::string> mismatch() override {
    return mismatch_at("out", out_.download(), [&](std::size_t i) { return left_[i] + right_[i]; });
  }
  double bytes() const override { return float_bytes(3 * a_.size()); }

 private:
  decltype(add4)* launcher_;
  std::vector<float> left_, right_;
  DeviceArray<float> a_, b_, out_;
};

/// In place, from element 1 of an array on; by -1, so that many runs leave what one leaves, or the input.
class Unaligned : public Workload {
 public:
  Unaligned(decltype(unaligned)* launcher, std::size_t n)
      : launcher_(launcher), values_(real_numbers(n + 1, 1, 2, n)), data_("data", values_) {}

  void run(cudaStream_t stream) override {
    launcher_(data_.data() + 1, data_.size() - 1, -1, stream);
    ++runs_;
  }
  std::optional<std::string> mismatch() override {
    const float sign = runs_ % 2 == 0 ? 1.0f : -1.0f;
    return mismatch_at("data", data_.download(), [&](std::size_t i) { return (i == 0 ? 1 : sign) * values_[i]; });
  }
  double bytes() const override { return float_bytes(2 * (data_.size() - 1)); }

 private:
  decltype(unaligned)* launcher_;
  int runs_ = 0;
  std::vector<float> values_;
  DeviceArray<float> data_;
};

class VectorSum : public Workload {
 public:
  VectorSum(decltype(vector_sum)* launcher, std::size_t n)
      : launcher_(launcher), values_(whole_numbers(n, -8, 8, n)), in_("in", values_), sums_("sums", vector_sums(n)) {}

  void run(cudaStream_t stream) override { launcher_(in_.data(), sums_.data(), in_.size(), stream); }
  std::optional<std::string> mismatch() override {
    std::vector<float> expected(sums_.size(), 0);  // whole numbers this small add up exactly
    for (std::size_t i = 0; i < values_.size(); ++i) expected[i / 128] += values_[i];
    return mismatch_at("sums", sums_.download(), [&](std::size_t i) { return expected[i]; });
  }
  double bytes() const override { return float_bytes(in_.size() + sums_.size()); }

 private:
  decltype(vector_sum)* launcher_;
  std::vector<float> values_;
  DeviceArray<float> in_, sums_;
};

/// A matrix of up to 4096 columns.
class InFlight : public Workload {
 public:
  InFlight(decltype(in_flight)* launcher, std::size_t n)
      : launcher_(launcher),
        width_(std::min<std::size_t>(n, 4096)),
        height_(width_ == 0 ? 0 : n / width_),
        values_(whole_numbers(width_ * height_, -8, 8, n)),
        in_("in", values_),
        sums_("sums", width_) {}

  void run(cudaStream_t stream) override { launcher_(in_.data(), sums_.data(), width_, height_, stream); }
  std::optional<std::string> mismatch() override {
    std::vector<float> expected(width_, 0);
    for (std::size_t i = 0; i < values_.size(); ++i) expected[i % width_] += values_[i];
    return mismatch_at("sums", sums_.download(), [&](std::size_t i) { return expected[i]; });
  }
  double bytes() const override { return float_bytes(values_.size() + width_); }

 private:
  decltype(in_flight)* launcher_;
  std::size_t width_, height_;
  std::vector<float> values_;
  DeviceArray<float> in_, sums_;
};

/// How a copy of copy_wide() goes about it.
struct Way {
  unsigned bytes, loads, blocks_an_sm;
};

class CopyWide : public Copy {
 public:
  CopyWide(Way way, std::size_t n) : Copy(std::max<std::size_t>(n / 16 * 16, 16)), way_(way) {
    int multiprocessors = 0;
    check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0), "cudaDeviceGetAttribute");
    blocks_ = way.blocks_an_sm * static_cast<unsigned>(multiprocessors);
  }
  void run(cudaStream_t stream) override {
    copy_wide(in_.data(), out_.data(), in_.size(), way_.bytes, way_.loads, blocks_, stream);
  }

 private:
  Way way_;
  unsigned blocks_ = 1;
};

}  // namespace vectors::bench
