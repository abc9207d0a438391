// The chapter's kernels at size n. Compiled once; which of them a program holds, the linker decides: those that are not
// linked have no address.
#include "bench.h"

#include <algorithm>

#include "comparisons.h"
#include "device_array.h"
#include "inputs.h"
#include "vectors.h"

namespace vectors {
[[gnu::weak]] void copy4(const float* in, float* out, std::size_t n, cudaStream_t stream);
[[gnu::weak]] void add4(const float* a, const float* b, float* out, std::size_t n, cudaStream_t stream);
[[gnu::weak]] void unaligned(float* data, std::size_t n, float factor, cudaStream_t stream);
[[gnu::weak]] void any_type(const void* in, void* out, std::size_t size, std::size_t n, cudaStream_t stream);
[[gnu::weak]] void vector_sum(const float* in, float* sums, std::size_t n, cudaStream_t stream);
[[gnu::weak]] void in_flight(const float* in, float* sums, std::size_t width, std::size_t height, cudaStream_t stream);
[[gnu::weak]] void copy_wide(const float* in, float* out, std::size_t n, unsigned bytes, unsigned loads,
                             unsigned multiprocessors, cudaStream_t stream);
}  // namespace vectors

namespace {

using namespace warpwright;

double float_bytes(std::size_t floats) { return static_cast<double>(floats * sizeof(float)); }

/// The first place where `got` is not exactly what `expected(i)` says, in words, or nothing.
template <class Expected>
std::optional<std::string> mismatch_at(const std::string& name, const std::vector<float>& got, Expected expected) {
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (got[i] == expected(i)) continue;
    return name + "[" + std::to_string(i) + "] is " + std::to_string(got[i]) + ", and should be " +
           std::to_string(expected(i));
  }
  return std::nullopt;
}

/// From one array of n floats to another: copy4, and any_type with floats.
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
  using Copy::Copy;
  void run(cudaStream_t stream) override { vectors::copy4(in_.data(), out_.data(), in_.size(), stream); }
};

class AnyType : public Copy {
 public:
  using Copy::Copy;
  void run(cudaStream_t stream) override {
    vectors::any_type(in_.data(), out_.data(), sizeof(float), in_.size(), stream);
  }
};

class Add4 : public Workload {
 public:
  explicit Add4(std::size_t n)
      : left_(real_numbers(n, -1, 1, n)),
        right_(real_numbers(n, -1, 1, n + 1)),
        a_("a", left_),
        b_("b", right_),
        out_("out", n) {}

  void run(cudaStream_t stream) override { vectors::add4(a_.data(), b_.data(), out_.data(), a_.size(), stream); }
  std::optional<std::string> mismatch() override {
    return mismatch_at("out", out_.download(), [&](std::size_t i) { return left_[i] + right_[i]; });
  }
  double bytes() const override { return float_bytes(3 * a_.size()); }

 private:
  std::vector<float> left_, right_;
  DeviceArray<float> a_, b_, out_;
};

/// In place, from element 1 of an array on; by -1, so that many runs leave what one leaves, or the input.
class Unaligned : public Workload {
 public:
  explicit Unaligned(std::size_t n) : values_(real_numbers(n + 1, 1, 2, n)), data_("data", values_) {}

  void run(cudaStream_t stream) override {
    vectors::unaligned(data_.data() + 1, data_.size() - 1, -1, stream);
    ++runs_;
  }
  std::optional<std::string> mismatch() override {
    const float sign = runs_ % 2 == 0 ? 1.0f : -1.0f;
    return mismatch_at("data", data_.download(), [&](std::size_t i) { return (i == 0 ? 1 : sign) * values_[i]; });
  }
  double bytes() const override { return float_bytes(2 * (data_.size() - 1)); }

 private:
  int runs_ = 0;
  std::vector<float> values_;
  DeviceArray<float> data_;
};

class VectorSum : public Workload {
 public:
  explicit VectorSum(std::size_t n)
      : values_(whole_numbers(n, -8, 8, n)), in_("in", values_), sums_("sums", vectors::vector_sums(n)) {}

  void run(cudaStream_t stream) override { vectors::vector_sum(in_.data(), sums_.data(), in_.size(), stream); }
  std::optional<std::string> mismatch() override {
    std::vector<float> expected(sums_.size(), 0);  // whole numbers this small add up exactly
    for (std::size_t i = 0; i < values_.size(); ++i) expected[i / 128] += values_[i];
    return mismatch_at("sums", sums_.download(), [&](std::size_t i) { return expected[i]; });
  }
  double bytes() const override { return float_bytes(in_.size() + sums_.size()); }

 private:
  std::vector<float> values_;
  DeviceArray<float> in_, sums_;
};

/// A matrix of up to 4096 columns.
class InFlight : public Workload {
 public:
  explicit InFlight(std::size_t n)
      : width_(std::min<std::size_t>(n, 4096)),
        height_(width_ == 0 ? 0 : n / width_),
        values_(whole_numbers(width_ * height_, -8, 8, n)),
        in_("in", values_),
        sums_("sums", width_) {}

  void run(cudaStream_t stream) override { vectors::in_flight(in_.data(), sums_.data(), width_, height_, stream); }
  std::optional<std::string> mismatch() override {
    std::vector<float> expected(width_, 0);
    for (std::size_t i = 0; i < values_.size(); ++i) expected[i % width_] += values_[i];
    return mismatch_at("sums", sums_.download(), [&](std::size_t i) { return expected[i]; });
  }
  double bytes() const override { return float_bytes(values_.size() + width_); }

 private:
  std::size_t width_, height_;
  std::vector<float> values_;
  DeviceArray<float> in_, sums_;
};

/// With loads of so many bytes, of which so many are under way at a time.
class CopyWide : public Copy {
 public:
  CopyWide(std::size_t n, unsigned bytes, unsigned loads)
      : Copy(std::max<std::size_t>(n / 16 * 16, 16)), bytes_(bytes), loads_(loads) {
    int multiprocessors = 0;
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
    multiprocessors_ = static_cast<unsigned>(multiprocessors);
  }
  void run(cudaStream_t stream) override {
    vectors::copy_wide(in_.data(), out_.data(), in_.size(), bytes_, loads_, multiprocessors_, stream);
  }

 private:
  unsigned bytes_, loads_, multiprocessors_ = 1;
};

/// Adds a benchmark of `Kind` if what it runs is linked into this program.
template <class Kind, class Function>
void add(std::vector<Benchmark>& benchmarks, const std::string& name, Function* linked) {
  if (linked == nullptr) return;
  benchmarks.push_back({name, [](std::size_t n) { return std::make_unique<Kind>(n); }});
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<Benchmark> benchmarks;
  add<Copy4>(benchmarks, "vectors.copy4", vectors::copy4);
  add<Add4>(benchmarks, "vectors.add4", vectors::add4);
  add<Unaligned>(benchmarks, "vectors.unaligned", vectors::unaligned);
  add<AnyType>(benchmarks, "vectors.any_type", vectors::any_type);
  add<VectorSum>(benchmarks, "vectors.vector_sum", vectors::vector_sum);
  add<InFlight>(benchmarks, "vectors.in_flight", vectors::in_flight);
  if (vectors::copy_wide != nullptr) {
    for (const unsigned bytes : {4u, 8u, 16u}) {
      for (const unsigned loads : {1u, 2u, 4u}) {
        benchmarks.push_back({"vectors.widths/" + std::to_string(loads) + " x " + std::to_string(bytes) + " bytes",
                              [=](std::size_t n) { return std::make_unique<CopyWide>(n, bytes, loads); }});
      }
    }
  }
  return bench_main(argc, argv, benchmarks);
}
