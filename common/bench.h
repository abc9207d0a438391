// Problem: a fast wrong answer is worthless, and so is a time that measured a cache, a launch or a lucky run.
// Idea: a chapter says what to run and what is right; the rest is the same for all, and depends on the device:
// gpu/bench.cpp verifies, then times (events, cold L2, median and spread, beside a plain read of as many bytes);
// sim/bench.cpp verifies and counts, and never prints a time.
// Invariant: nothing is timed whose result has not been found right at that size.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace warpwright {

/// One implementation at one size, its buffers filled.
class Workload {
 public:
  virtual ~Workload() = default;
  /// Everything from input to result; launches only.
  virtual void run(cudaStream_t stream) = 0;
  /// After a run: what is wrong with the result, or nothing.
  virtual std::optional<std::string> mismatch() = 0;
  /// Bytes that any implementation has to move through the device's memory.
  virtual double bytes() const = 0;
  /// After a run: what the kernels have measured themselves, by name.
  virtual std::vector<std::pair<std::string, double>> readings() { return {}; }
};

struct Benchmark {
  std::string name;  // the exercise's: "reduce.v1"
  std::function<std::unique_ptr<Workload>(std::size_t n)> make;
};

/// The benchmarks of a program. What it does not hold (the linker decides) has no address, and is left out.
class Benchmarks {
 public:
  /// A workload of `Kind`, which is made of `arguments` and a size.
  template <class Kind, class... Arguments>
  void add(bool is_linked, const std::string& name, Arguments... arguments) {
    if (!is_linked) return;
    all_.push_back({name, [=](std::size_t n) { return std::make_unique<Kind>(arguments..., n); }});
  }
  /// The same for an exercise's function and the solution's.
  template <class Kind, class Function>
  void add_both(const std::string& name, Function* exercise, Function* solution) {
    add<Kind>(exercise != nullptr, name, exercise);
    add<Kind>(solution != nullptr, "solution." + name, solution);
  }
  const std::vector<Benchmark>& all() const { return all_; }

 private:
  std::vector<Benchmark> all_;
};

inline double float_bytes(std::size_t floats) { return static_cast<double>(floats * sizeof(float)); }

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

/// A file can define nothing that the chapter's benchmark knows: it is empty, or a name in it is wrong.
inline constexpr const char* nothing_to_run =
    "there is nothing to run: the file defines no function of the chapter's header\n"
    "  next: define it as the header declares it, with its namespace and arguments\n";

/// The main() of a benchmark; `--help` tells its options. Returns its exit status: 0 when all results were right.
int bench_main(int argc, char** argv, const std::vector<Benchmark>& benchmarks);

}  // namespace warpwright
