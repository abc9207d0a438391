// The whole reduction, from n values to one result. Compiled once; which implementations a program holds, the linker
// decides: those that are not linked have no address. In bench.reduce the solutions are linked beside the exercises, in
// a namespace of their own (cmake/chapter.cmake), and CUB beside both.
#include "bench.h"

#include <cmath>
#include <map>
#include <optional>
#include <string>

#include "comparisons.h"
#include "device_array.h"
#include "expect.h"
#include "reduce.h"

namespace reduce {
[[gnu::weak]] decltype(v0) v0;
[[gnu::weak]] decltype(v1) v1;
[[gnu::weak]] decltype(v2) v2;
[[gnu::weak]] decltype(v3) v3;
[[gnu::weak]] decltype(v4) v4;
[[gnu::weak]] decltype(v5) v5;
[[gnu::weak]] decltype(v6) v6;
[[gnu::weak]] decltype(v7) v7;
[[gnu::weak]] decltype(dot) dot;
[[gnu::weak]] decltype(cub_sum) cub_sum;
[[gnu::weak]] decltype(cub_workspace_bytes) cub_workspace_bytes;
[[gnu::weak]] decltype(one_round) one_round;
}  // namespace reduce

namespace solution_of_reduce {
[[gnu::weak]] decltype(reduce::v0) v0;
[[gnu::weak]] decltype(reduce::v1) v1;
[[gnu::weak]] decltype(reduce::v2) v2;
[[gnu::weak]] decltype(reduce::v3) v3;
[[gnu::weak]] decltype(reduce::v4) v4;
[[gnu::weak]] decltype(reduce::v5) v5;
[[gnu::weak]] decltype(reduce::v6) v6;
[[gnu::weak]] decltype(reduce::v7) v7;
[[gnu::weak]] decltype(reduce::dot) dot;
}  // namespace solution_of_reduce

namespace {

using namespace warpwright;

using Version = void (*)(const float* in, float* out, float* workspace, std::size_t n, cudaStream_t stream);

/// n values on the device and their sum. The last one made is kept, for the next implementation of the same size.
struct Input {
  explicit Input(const std::vector<float>& values) : reference(sum_reference(values)), values("in", values) {}
  static std::shared_ptr<Input> of(std::size_t n) {
    static std::shared_ptr<Input> kept;
    if (kept == nullptr || kept->values.size() != n) {
      kept.reset();  // before its successor needs the memory
      kept = std::make_shared<Input>(real_numbers(n, 0, 1, n));
    }
    return kept;
  }

  SumReference reference;
  DeviceArray<float> values;
};

/// Threads of v7 sum so many values one by one that the bound for trees is not theirs: each of n / (values on the way
/// at once) additions may round.
Tolerance tolerance(std::size_t n, const SumReference& reference) {
  Tolerance tolerance = sum_tolerance(n, reference);
  tolerance.absolute += std::ceil(static_cast<double>(n) / (1 << 17)) * 0x1p-24 * reference.sum_of_absolutes;
  return tolerance;
}

class Sum : public Workload {
 public:
  Sum(Version version, std::size_t n)
      : version_(version), in_(Input::of(n)), out_("out", 1), workspace_("workspace", reduce::workspace_floats(n)) {}

  void run(cudaStream_t stream) override {
    version_(in_->values.data(), out_.data(), workspace_.data(), in_->values.size(), stream);
  }
  std::optional<std::string> mismatch() override {
    return warpwright::mismatch("out[0]", out_.download()[0], in_->reference.sum,
                                tolerance(in_->values.size(), in_->reference));
  }
  double bytes() const override { return static_cast<double>(in_->values.size() * sizeof(float)); }

 private:
  Version version_;
  std::shared_ptr<Input> in_;
  DeviceArray<float> out_, workspace_;
};

class CubSum : public Workload {
 public:
  explicit CubSum(std::size_t n)
      : in_(Input::of(n)), out_("out", 1), workspace_("workspace of CUB", reduce::cub_workspace_bytes(n)) {}

  void run(cudaStream_t stream) override {
    reduce::cub_sum(in_->values.data(), out_.data(), workspace_.data(), workspace_.bytes(), in_->values.size(), stream);
  }
  std::optional<std::string> mismatch() override {
    return warpwright::mismatch("out[0]", out_.download()[0], in_->reference.sum,
                                tolerance(in_->values.size(), in_->reference));
  }
  double bytes() const override { return static_cast<double>(in_->values.size() * sizeof(float)); }

 private:
  std::shared_ptr<Input> in_;
  DeviceArray<float> out_;
  DeviceBytes workspace_;
};

/// Of the generic reductions, the one with most to do. Its two factors are the same values.
class Dot : public Workload {
 public:
  Dot(decltype(reduce::dot)* version, std::size_t n)
      : version_(version),
        x_("x", real_numbers(n, 0, 1, n)),
        y_("y", real_numbers(n, 0, 1, n)),
        out_("out", 1),
        workspace_("workspace", reduce::workspace_floats(n)) {
    Random random(n);
    for (std::size_t i = 0; i < n; ++i) {
      const double value = static_cast<float>(random.unit());
      reference_.sum += value * value;
    }
    reference_.sum_of_absolutes = reference_.sum;
  }

  void run(cudaStream_t stream) override {
    version_(x_.data(), y_.data(), out_.data(), workspace_.data(), x_.size(), stream);
  }
  std::optional<std::string> mismatch() override {
    return warpwright::mismatch("out[0]", out_.download()[0], reference_.sum, tolerance(x_.size(), reference_));
  }
  double bytes() const override { return static_cast<double>(2 * x_.size() * sizeof(float)); }

 private:
  decltype(reduce::dot)* version_;
  DeviceArray<float> x_, y_, out_, workspace_;
  SumReference reference_;
};

/// A single round of v1, on every tile.
class Round : public Workload {
 public:
  Round(unsigned step, std::size_t n)
      : step_(step), values_(real_numbers(n, 0, 1, n)), in_("in", values_), out_("out", (n + 255) / 256 * pairs()) {}

  void run(cudaStream_t stream) override { reduce::one_round(step_, in_.data(), out_.data(), values_.size(), stream); }
  std::optional<std::string> mismatch() override {
    const auto value = [&](std::size_t i) { return i < values_.size() ? values_[i] : 0.0f; };
    return mismatch_at("out", out_.download(), [&](std::size_t i) {
      const std::size_t left = i / pairs() * 256 + i % pairs() * 2 * step_;
      return value(left) + value(left + step_);
    });
  }
  double bytes() const override { return float_bytes(in_.size() + out_.size()); }

 private:
  std::size_t pairs() const { return 128 / step_; }

  unsigned step_;
  std::vector<float> values_;
  DeviceArray<float> in_, out_;
};

template <decltype(reduce::v7)* v7>
void with_256_threads(const float* in, float* out, float* workspace, std::size_t n, cudaStream_t stream) {
  v7(in, out, workspace, n, 256, stream);
}

}  // namespace

int main(int argc, char** argv) {
  namespace answer = solution_of_reduce;
  const std::pair<const char*, Version> sums[] = {
      {"reduce.v0", reduce::v0},
      {"solution.reduce.v0", answer::v0},
      {"reduce.v1", reduce::v1},
      {"solution.reduce.v1", answer::v1},
      {"reduce.v2", reduce::v2},
      {"solution.reduce.v2", answer::v2},
      {"reduce.v3", reduce::v3},
      {"solution.reduce.v3", answer::v3},
      {"reduce.v4", reduce::v4},
      {"solution.reduce.v4", answer::v4},
      {"reduce.v5", reduce::v5},
      {"solution.reduce.v5", answer::v5},
      {"reduce.v6", reduce::v6},
      {"solution.reduce.v6", answer::v6},
      {"reduce.v7", reduce::v7 == nullptr ? nullptr : with_256_threads<reduce::v7>},
      {"solution.reduce.v7", answer::v7 == nullptr ? nullptr : with_256_threads<answer::v7>},
  };
  std::vector<Benchmark> benchmarks;
  for (const auto& [name, version] : sums) {
    if (version == nullptr) continue;
    benchmarks.push_back({name, [version = version](std::size_t n) { return std::make_unique<Sum>(version, n); }});
  }
  if (reduce::cub_sum != nullptr)
    benchmarks.push_back({"reduce.cub", [](std::size_t n) { return std::make_unique<CubSum>(n); }});
  const std::pair<const char*, decltype(reduce::dot)*> dots[] = {{"reduce.generic", reduce::dot},
                                                                 {"solution.reduce.generic", answer::dot}};
  for (const auto& [name, dot] : dots) {
    if (dot == nullptr) continue;
    benchmarks.push_back({name, [dot = dot](std::size_t n) { return std::make_unique<Dot>(dot, n); }});
  }
  if (reduce::one_round != nullptr) {
    for (unsigned step = 1; step <= 128; step *= 2)
      benchmarks.push_back({"reduce.rounds/step " + std::to_string(step),
                            [step](std::size_t n) { return std::make_unique<Round>(step, n); }});
  }
  return bench_main(argc, argv, benchmarks);
}
