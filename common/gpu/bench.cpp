#include "bench.h"

#include <benchmark/benchmark.h>
#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <exception>
#include <map>
#include <regex>

#include "conditions.h"
#include "cuda_error.h"
#include "device.h"
#include "device_array.h"
#include "plausible.h"
#include "roof.h"
#include "verification.h"

// Declared in cuda_profiler_api.h, which is a package of its own, while the functions are in every runtime library.
extern "C" cudaError_t CUDARTAPI cudaProfilerStart();
extern "C" cudaError_t CUDARTAPI cudaProfilerStop();

namespace warpwright {
namespace {

constexpr std::size_t smallest = std::size_t{1} << 16;
constexpr std::size_t largest = std::size_t{1} << 30;
constexpr int warm_up_runs = 3;
constexpr int timed_runs = 50;
constexpr const char* roof_name = "roof";  // a plain read of n floats

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

/// Reads n floats and does nothing with them, as a row of its own.
class Roof : public Workload {
 public:
  explicit Roof(std::size_t n) : data_("roof", n * sizeof(float)), sink_("sink", 1) {}
  void run(cudaStream_t stream) override { read_only(data_.data(), data_.bytes(), sink_.data(), stream); }
  std::optional<std::string> mismatch() override { return std::nullopt; }
  double bytes() const override { return static_cast<double>(data_.bytes()); }

 private:
  DeviceBytes data_;
  DeviceArray<float> sink_;
};

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
    const double roof = roof_seconds(workload->bytes());
    if (!is_plausible(times.median(), roof)) {
      state.SkipWithError(implausible);
      return;
    }
    const double rate = workload->bytes() / times.median();
    state.counters["median_us"] = times.median() * 1e6;
    state.counters["p10_us"] = times.at(0.1) * 1e6;
    state.counters["p90_us"] = times.at(0.9) * 1e6;
    state.counters["GB/s"] = rate * 1e-9;
    state.counters["peak_%"] = 100 * rate / peak_bytes_a_second().value;
    state.counters["roof_%"] = 100 * roof / times.median();
    for (const auto& [name, value] : workload->readings()) state.counters[name] = value;
  } catch (const std::exception& error) {
    state.SkipWithError(error.what());
  }
}

/// As Google Benchmark's filter sees it, but for the options behind.
std::string row_name(const Benchmark& subject, std::size_t n) { return fmt::format("{}/{}", subject.name, n); }

/// The benchmarks that --benchmark_filter asks for, at any size.
std::vector<Benchmark> asked_for(std::vector<Benchmark> benchmarks) {
  std::string filter = benchmark::GetBenchmarkFilter();
  const bool all_but = filter.starts_with('-');
  if (all_but) filter.erase(0, 1);
  if (filter.empty() || filter == "all") return benchmarks;
  const std::regex wanted(filter, std::regex::extended);
  std::erase_if(benchmarks, [&](const Benchmark& subject) {
    for (std::size_t n = smallest; n <= largest; n *= 4)
      if (std::regex_search(row_name(subject, n), wanted) != all_but) return false;
    return true;
  });
  return benchmarks;
}

/// How many kernels a run launches: it is recorded, and not carried out. 0 if it cannot be.
std::size_t launches_of(Workload& workload) {
  cudaStream_t stream = nullptr;
  check(cudaStreamCreate(&stream), "cudaStreamCreate");
  std::size_t launches = 0, count = 0;
  cudaGraph_t graph = nullptr;
  if (cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed) == cudaSuccess) {
    workload.run(stream);
    if (cudaStreamEndCapture(stream, &graph) == cudaSuccess) cudaGraphGetNodes(graph, nullptr, &count);
  }
  std::vector<cudaGraphNode_t> nodes(count);
  if (count != 0) cudaGraphGetNodes(graph, nodes.data(), &count);
  for (const cudaGraphNode_t node : nodes) {
    cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
    if (cudaGraphNodeGetType(node, &type) == cudaSuccess && type == cudaGraphNodeTypeKernel) ++launches;
  }
  if (graph != nullptr) cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
  cudaGetLastError();
  return launches;
}

/// Launches each benchmark once, with `n` elements, and nothing else: what a profiler is to watch. What prepares a run
/// lies outside of the profiler's range (ncu --profile-from-start off). A GPU's counters
/// cannot be read from inside a program. Tells the conditions first, for whoever records what the profiler counts. A
/// kernel that faults ends the program: here it says so, and Nsight Compute stops it (exit status 9).
int run_once(const std::vector<Benchmark>& benchmarks, std::string_view n) {
  std::size_t count = 0;
  if (const auto [end, error] = std::from_chars(n.data(), n.data() + n.size(), count);
      error != std::errc{} || end != n.data() + n.size()) {
    fmt::print(stderr, "--once wants a number of elements, not {}\n", n);
    return 2;
  }
  for (const auto& [name, text] : conditions()) fmt::print("{}: {}\n", name, text);
  int status = 0;
  for (const Benchmark& subject : benchmarks) {
    try {
      const auto workload = subject.make(count);
      const std::size_t launches = launches_of(*workload);
      cudaProfilerStart();
      workload->run(nullptr);
      cudaProfilerStop();
      const auto wrong = workload->mismatch();
      fmt::print("{}  {}\n", subject.name, wrong ? "wrong: " + *wrong : fmt::format("right, {} launched", launches));
      if (wrong) status = 1;
    } catch (const std::exception& error) {
      fmt::print("{}  {}\n", subject.name, error.what());
      status = 1;
    }
    if (!reset_errors()) {
      fmt::print(
          "the device is lost to this process, so that nothing behind is launched\n  next: leave it out, with "
          "--benchmark_filter='-^{}/'\n",
          subject.name);
      return 1;
    }
  }
  return status;
}

}  // namespace

int bench_main(int argc, char** argv, const std::vector<Benchmark>& benchmarks) {
  if (benchmarks.empty()) {
    fmt::print(stderr, "{}", nothing_to_run);
    return 2;
  }
  const std::string command = command_line(argc, argv);
  benchmark::Initialize(&argc, argv);
  if (argc == 3 && std::string_view(argv[1]) == "--once") return run_once(asked_for(benchmarks), argv[2]);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  const std::vector<Benchmark> wanted = asked_for(benchmarks);
  std::optional<std::vector<Benchmark>> right = right_ones(wanted);
  if (!right) return 2;
  const int status = right->size() == wanted.size() ? 0 : 1;
  std::size_t free_bytes = 0, all_bytes = 0;
  check(cudaMemGetInfo(&free_bytes, &all_bytes), "cudaMemGetInfo");
  if (right->empty()) return status;
  right->push_back({roof_name, [](std::size_t n) { return std::make_unique<Roof>(n); }});
  for (const auto& [name, text] : conditions()) benchmark::AddCustomContext(name, text);
  benchmark::AddCustomContext("command", command);
  // Size by size, so that what is compared ran side by side, and inputs can be shared.
  for (std::size_t n = smallest; n <= largest && 3 * n * sizeof(float) <= free_bytes; n *= 4) {
    for (const Benchmark& subject : *right) {
      benchmark::RegisterBenchmark(subject.name.c_str(),
                                   [&subject](benchmark::State& state) { measure(state, subject); })
          ->Arg(static_cast<std::int64_t>(n))
          ->UseManualTime()
          ->Unit(benchmark::kMicrosecond)
          ->Iterations(timed_runs);
    }
  }
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return status;
}

}  // namespace warpwright
