// The whole reduction, from n values to one. Compiled once; which versions a program holds, the linker decides: those
// that are not linked have no address.
#include "bench.h"

#include <fmt/core.h>

#include "device_array.h"
#include "expect.h"
#include "reduce.h"

namespace reduce {
[[gnu::weak]] void v0(const float* in, float* out, float* workspace, std::size_t n, cudaStream_t stream);
[[gnu::weak]] void v1(const float* in, float* out, float* workspace, std::size_t n, cudaStream_t stream);
[[gnu::weak]] void v2(const float* in, float* out, float* workspace, std::size_t n, cudaStream_t stream);
[[gnu::weak]] void v3(const float* in, float* out, float* workspace, std::size_t n, cudaStream_t stream);
[[gnu::weak]] void v4(const float* in, float* out, float* workspace, std::size_t n, cudaStream_t stream);
[[gnu::weak]] void v5(const float* in, float* out, float* workspace, std::size_t n, cudaStream_t stream);
[[gnu::weak]] void v6(const float* in, float* out, float* workspace, std::size_t n, cudaStream_t stream);
[[gnu::weak]] void v7(const float* in, float* out, float* workspace, std::size_t n, unsigned block_threads,
                      cudaStream_t stream);
[[gnu::weak]] void dot(const float* x, const float* y, float* out, float* workspace, std::size_t n,
                       cudaStream_t stream);
}  // namespace reduce

namespace {

using namespace warpwright;

using Version = void (*)(const float* in, float* out, float* workspace, std::size_t n, cudaStream_t stream);

class Sum : public Workload {
 public:
  Sum(Version version, std::size_t n) : Sum(version, real_numbers(n, 0, 1, n)) {}

  void run(cudaStream_t stream) override { version_(in_.data(), out_.data(), workspace_.data(), in_.size(), stream); }
  std::optional<std::string> mismatch() override {
    return warpwright::mismatch("out[0]", out_.download()[0], reference_.sum, sum_tolerance(in_.size(), reference_));
  }
  double bytes() const override { return static_cast<double>(in_.size() * sizeof(float)); }

 private:
  Sum(Version version, const std::vector<float>& values)
      : version_(version),
        reference_(sum_reference(values)),
        in_("in", values),
        out_("out", 1),
        workspace_("workspace", reduce::workspace_floats(values.size())) {}

  Version version_;
  SumReference reference_;
  DeviceArray<float> in_, out_, workspace_;
};

}  // namespace

int main(int argc, char** argv) {
  const std::pair<const char*, Version> versions[] = {{"reduce.v0", reduce::v0}, {"reduce.v1", reduce::v1},
                                                      {"reduce.v2", reduce::v2}, {"reduce.v3", reduce::v3},
                                                      {"reduce.v4", reduce::v4}, {"reduce.v5", reduce::v5}};
  std::vector<Benchmark> benchmarks;
  for (const auto& [name, version] : versions) {
    if (version == nullptr) continue;
    benchmarks.push_back({name, [version = version](std::size_t n) { return std::make_unique<Sum>(version, n); }});
  }
  return bench_main(argc, argv, benchmarks);
}
