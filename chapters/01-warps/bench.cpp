// The chapter's kernels at size n. Compiled once; which of them a program holds, the linker decides: those that are not
// linked have no address.
#include "bench.h"

#include "device_array.h"
#include "expect.h"
#include "inputs.h"
#include "warps.h"

namespace warps {
[[gnu::weak]] void identify(Place* places, dim3 grid, dim3 block, cudaStream_t stream);
[[gnu::weak]] void warp_reduce(const float* in, float* sums, float* minima, float* maxima, std::size_t n,
                               cudaStream_t stream);
}  // namespace warps

namespace {

using namespace warpwright;

constexpr unsigned block_threads = 256;

/// n threads, rounded up to whole blocks.
class Identify : public Workload {
 public:
  explicit Identify(std::size_t n)
      : blocks_(static_cast<unsigned>((n + block_threads - 1) / block_threads)),
        places_("places", std::size_t{blocks_} * block_threads) {}

  void run(cudaStream_t stream) override {
    if (blocks_ != 0) warps::identify(places_.data(), dim3(blocks_), dim3(block_threads), stream);
  }
  std::optional<std::string> mismatch() override {
    const auto places = places_.download();
    for (std::size_t i = 0; i < places.size(); ++i) {
      const std::size_t thread = i % block_threads;
      if (places[i].warp != thread / 32 || places[i].lane != thread % 32)
        return "places[" + std::to_string(i) + "] is wrong";
    }
    return std::nullopt;
  }
  double bytes() const override { return static_cast<double>(places_.size() * sizeof(warps::Place)); }

 private:
  unsigned blocks_;
  DeviceArray<warps::Place> places_;
};

class WarpReduce : public Workload {
 public:
  explicit WarpReduce(std::size_t n) : WarpReduce(whole_numbers(n, -64, 64, n)) {}

  void run(cudaStream_t stream) override {
    warps::warp_reduce(in_.data(), sums_.data(), minima_.data(), maxima_.data(), in_.size(), stream);
  }
  std::optional<std::string> mismatch() override {
    return warpwright::mismatch("sums", sums_.download(), expected_, exact("whole numbers add up exactly"));
  }
  double bytes() const override {
    return static_cast<double>((in_.size() + 3 * warps::warps_of(in_.size())) * sizeof(float));
  }

 private:
  explicit WarpReduce(const std::vector<float>& values)
      : in_("in", values),
        sums_("sums", warps::warps_of(values.size())),
        minima_("minima", sums_.size()),
        maxima_("maxima", sums_.size()),
        expected_(sums_.size(), 0) {
    for (std::size_t i = 0; i < values.size(); ++i) expected_[i / 32] += values[i];
  }

  DeviceArray<float> in_, sums_, minima_, maxima_;
  std::vector<double> expected_;
};

}  // namespace

int main(int argc, char** argv) {
  std::vector<Benchmark> benchmarks;
  if (warps::identify != nullptr)
    benchmarks.push_back({"warps.identify", [](std::size_t n) { return std::make_unique<Identify>(n); }});
  if (warps::warp_reduce != nullptr)
    benchmarks.push_back({"warps.warp_reduce", [](std::size_t n) { return std::make_unique<WarpReduce>(n); }});
  return bench_main(argc, argv, benchmarks);
}
