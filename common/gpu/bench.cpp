#include "bench.h"

#include <benchmark/benchmark.h>
#include <fmt/core.h>

#include <algorithm>
#include <exception>
#include <map>

#include "cuda_error.h"
#include "device.h"
#include "device_array.h"
#include "roof.h"
#include "words.h"

namespace warpwright {
namespace {

constexpr std::size_t smallest = std::size_t{1} << 16;
constexpr std::size_t largest = std::size_t{1} << 28;
constexpr int warm_up_runs = 3;
constexpr int timed_runs = 50;

/// Times of single runs, in seconds, sorted.
struct Times {
  std::vector<double> sorted;
  double at(double share) const {
    return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1) + 0.5)];
  }
  double median() const { return at(0.5); }
};

/// Measures single runs with events, each with an L2 that holds nothing of the run's data.
class Stopwatch {
 public:
  Stopwatch() {
    check(cudaStreamCreate(&stream_), "cudaStreamCreate");
    check(cudaEventCreate(&begin_), "cudaEventCreate");
    check(cudaEventCreate(&end_), "cudaEventCreate");
    int device = 0, l2_bytes = 0;
    check(cudaGetDevice(&device), "cudaGetDevice");
    check(cudaDeviceGetAttribute(&l2_bytes, cudaDevAttrL2CacheSize, device), "cudaDeviceGetAttribute");
    flush_bytes_ = std::max<std::size_t>(static_cast<std::size_t>(l2_bytes) * 2, std::size_t{64} << 20);
    check(cudaMalloc(&flush_, flush_bytes_), "cudaMalloc of the memory that flushes the L2");
  }
  ~Stopwatch() {
    cudaFree(flush_);
    cudaEventDestroy(end_);
    cudaEventDestroy(begin_);
    cudaStreamDestroy(stream_);
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

  double seconds(const std::function<void(cudaStream_t)>& run) {
    check(cudaMemsetAsync(flush_, 0, flush_bytes_, stream_), "cudaMemsetAsync");
    check(cudaEventRecord(begin_, stream_), "cudaEventRecord");
    run(stream_);
    check(cudaEventRecord(end_, stream_), "cudaEventRecord");
    check(cudaEventSynchronize(end_), "a kernel");
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, begin_, end_), "cudaEventElapsedTime");
    return milliseconds * 1e-3;
  }

 private:
  cudaStream_t stream_ = nullptr;
  cudaEvent_t begin_ = nullptr, end_ = nullptr;
  void* flush_ = nullptr;
  std::size_t flush_bytes_ = 0;
};

/// Seconds that a plain read of so many bytes takes on this device, measured once in this run.
double roof_seconds(double bytes) {
  static std::map<double, double> known;
  const auto [entry, is_new] = known.try_emplace(bytes);
  if (is_new) {
    const DeviceBytes data("roof", static_cast<std::size_t>(bytes));
    const DeviceArray<float> sink("sink", 1);
    Stopwatch stopwatch;
    Times times;
    for (int i = -warm_up_runs; i < timed_runs; ++i) {
      const double seconds =
          stopwatch.seconds([&](cudaStream_t stream) { read_only(data.data(), data.bytes(), sink.data(), stream); });
      if (i >= 0) times.sorted.push_back(seconds);
    }
    std::sort(times.sorted.begin(), times.sorted.end());
    entry->second = times.median();
  }
  return entry->second;
}

void measure(benchmark::State& state, const Benchmark& subject) {
  try {
    const auto workload = subject.make(static_cast<std::size_t>(state.range(0)));
    workload->run(nullptr);
    if (const auto wrong = workload->mismatch()) {
      state.SkipWithError(wrong->c_str());
      return;
    }
    Stopwatch stopwatch;
    const auto run = [&](cudaStream_t stream) { workload->run(stream); };
    for (int i = 0; i < warm_up_runs; ++i) stopwatch.seconds(run);
    Times times;
    for (auto _ : state) {
      times.sorted.push_back(stopwatch.seconds(run));
      state.SetIterationTime(times.sorted.back());
    }
    std::sort(times.sorted.begin(), times.sorted.end());
    const double rate = workload->bytes() / times.median();
    state.counters["median_us"] = times.median() * 1e6;
    state.counters["p10_us"] = times.at(0.1) * 1e6;
    state.counters["p90_us"] = times.at(0.9) * 1e6;
    state.counters["GB/s"] = rate * 1e-9;
    state.counters["roof_%"] = 100 * roof_seconds(workload->bytes()) / times.median();
  } catch (const std::exception& error) {
    state.SkipWithError(error.what());
  }
}

/// Whether every benchmark is right at sizes that divide by nothing and at a large one.
bool verify(const std::vector<Benchmark>& benchmarks) {
  for (const Benchmark& subject : benchmarks) {
    for (const std::size_t n : {std::size_t{1}, std::size_t{1000}, (std::size_t{1} << 20) + 3, std::size_t{1} << 24}) {
      const auto workload = subject.make(n);
      workload->run(nullptr);
      if (const auto wrong = workload->mismatch()) {
        fmt::print("{}  wrong at n = {}: {}\n  next: ./lab test {}\n", subject.name, thousands(n), *wrong,
                   subject.name);
        return false;
      }
    }
    fmt::print("{}  right at n = 1, 1,000, 2^20 + 3 and 2^24 against a sum in double precision\n", subject.name);
  }
  return true;
}

}  // namespace

int bench_main(int argc, char** argv, const std::vector<Benchmark>& benchmarks) {
  if (benchmarks.empty()) {
    fmt::print(stderr, "{}", nothing_to_run);
    return 2;
  }
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--profile") {
      fmt::print(stderr, "--profile: {}\n", why_no_counters());
      return 2;
    }
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  try {
    int devices = 0;
    check(cudaGetDeviceCount(&devices), "cudaGetDeviceCount");
    if (!verify(benchmarks)) return 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
  benchmark::AddCustomContext("device", device_name());
  for (const Benchmark& subject : benchmarks) {
    benchmark::RegisterBenchmark(subject.name.c_str(), [&subject](benchmark::State& state) { measure(state, subject); })
        ->RangeMultiplier(4)
        ->Range(static_cast<std::int64_t>(smallest), static_cast<std::int64_t>(largest))
        ->UseManualTime()
        ->Unit(benchmark::kMicrosecond)
        ->Iterations(timed_runs);
  }
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}

}  // namespace warpwright
