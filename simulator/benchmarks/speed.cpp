// Problem: nobody waits for a test, so the simulated GPU must be fast, and stay so.
// Idea: the course's sums and a matrix product, watched as a profile and as a test watch them. What counts is
// thread-instructions (one lane that executes one PTX instruction) in a second of the host.
// Invariant: a run whose result is wrong, or in which a sanitizer sees a mistake, is an error and no time.
// Names: WORKLOAD/WATCH/HOST THREADS; those that end in /once are one small run, to see that all is well.
#include <benchmark/benchmark.h>
#include <cuda_runtime_api.h>

#include <cmath>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "cudart/session.h"
#include "device_array.h"
#include "matrix_product.h"
#include "observe/metrics.h"
#include "reduce.h"

namespace {

using namespace warpwright;

using Sum = void (*)(const float* in, float* out, float* workspace, std::size_t n, cudaStream_t stream);

struct Version {
  const char* name;
  Sum sum;
};

/// Where the caller chooses how many threads a block has, as many as the versions take that choose themselves.
template <auto version>
void sum_with(const float* in, float* out, float* workspace, std::size_t n, cudaStream_t stream) {
  if constexpr (std::is_convertible_v<decltype(version), Sum>)
    version(in, out, workspace, n, stream);
  else
    version(in, out, workspace, n, 256, stream);
}

constexpr Version versions[] = {
#define VERSION(name) {#name, &sum_with<&reduce::name>},
#include "versions.inc"
#undef VERSION
};

struct Watch {
  const char* name;
  bool counters, sanitizers;
};

constexpr Watch watches[] = {{"bare", false, false}, {"counters", true, false}, {"sanitizers", true, true}};

/// Something to launch, and whether its result is right.
class Work {
 public:
  virtual ~Work() = default;
  virtual void launch() = 0;
  virtual bool is_right() = 0;
};

class SumOf : public Work {
 public:
  SumOf(Sum sum, std::size_t n)
      : sum_(sum),
        in_("in", std::vector<float>(n, 1)),
        out_("out", 1),
        workspace_("workspace", reduce::workspace_floats(n)) {}
  void launch() override { sum_(in_.data(), out_.data(), workspace_.data(), in_.size(), nullptr); }
  bool is_right() override { return out_.download()[0] == static_cast<float>(in_.size()); }

 private:
  Sum sum_;
  DeviceArray<float> in_, out_, workspace_;
};

class Product : public Work {
 public:
  explicit Product(unsigned n) : n_(n), a_("a", rows()), b_("b", rows()), c_("c", std::size_t{n} * n) {}
  void launch() override { matrix_product(a_.data(), b_.data(), c_.data(), n_); }
  /// Row i of either factor is i in every column, so the product's row i is i times the sum of all rows' numbers.
  bool is_right() override {
    const std::vector<float> c = c_.download();
    const double sum = n_ * (n_ - 1) / 2.0;
    for (std::size_t i = 0; i < c.size(); ++i)
      if (std::abs(c[i] - sum * static_cast<double>(i / n_)) > 1e-5 * sum * n_) return false;
    return true;
  }

 private:
  std::vector<float> rows() const {
    std::vector<float> matrix;
    for (std::size_t i = 0; i < std::size_t{n_} * n_; ++i) matrix.push_back(static_cast<float>(i / n_));
    return matrix;
  }

  unsigned n_;
  DeviceArray<float> a_, b_, c_;
};

/// Thread-instructions of one run. They do not depend on who else watches.
double thread_instructions(Work& work) {
  cudart::settings().counters = true;
  cudart::take_launches();
  work.launch();
  double sum = 0;
  for (const observe::Report& launch : cudart::take_launches())
    sum += launch.metrics.at(std::string(observe::metric::thread_instructions_on));
  return sum;
}

void measure(benchmark::State& state, Work& work, const Watch& watch, unsigned host_threads) {
  cudart::Settings& settings = cudart::settings();
  const cudart::Settings before = settings;
  settings.host_threads = host_threads;
  settings.sanitizers = watch.sanitizers;
  const double instructions = thread_instructions(work);
  settings.counters = watch.counters;
  for (auto _ : state) work.launch();
  std::size_t mistakes = cudart::take_diagnoses().size();
  for (const observe::Report& launch : cudart::take_launches()) mistakes += launch.diagnoses.size();
  if (!work.is_right()) state.SkipWithError("the result is wrong");
  if (mistakes != 0) state.SkipWithError("a sanitizer saw a mistake");
  state.counters["thread_instructions"] = instructions;
  state.counters["thread_instructions/s"] =
      benchmark::Counter(instructions, benchmark::Counter::kIsIterationInvariantRate);
  settings = before;
}

/// One workload under every watch, on one host thread and on two; `small` is the size of the run that is no
/// measurement.
template <class MakeWork>
void add(const std::string& name, std::size_t n, std::size_t small, MakeWork make) {
  for (const Watch& watch : watches) {
    for (const unsigned host_threads : {1u, 2u}) {
      const std::string full = name + "/" + watch.name + "/" + std::to_string(host_threads);
      benchmark::RegisterBenchmark(full.c_str(),
                                   [=](benchmark::State& state) { measure(state, *make(n), watch, host_threads); })
          ->UseRealTime()
          ->Unit(benchmark::kMillisecond);
    }
    benchmark::RegisterBenchmark((name + "/" + watch.name + "/once").c_str(),
                                 [=](benchmark::State& state) { measure(state, *make(small), watch, 1); })
        ->Iterations(1)
        ->Unit(benchmark::kMillisecond);
  }
}

}  // namespace

int main(int argc, char** argv) {
  for (const Version& version : versions) {
    add("reduce_" + std::string(version.name), std::size_t{1} << 22, 1000,
        [sum = version.sum](std::size_t n) { return std::make_unique<SumOf>(sum, n); });
  }
  add("matrix_product", 256, 32, [](std::size_t n) { return std::make_unique<Product>(static_cast<unsigned>(n)); });
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
