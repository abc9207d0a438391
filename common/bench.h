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
};

struct Benchmark {
  std::string name;  // the exercise's: "reduce.v1"
  std::function<std::unique_ptr<Workload>(std::size_t n)> make;
};

/// A file can define nothing that the chapter's benchmark knows: it is empty, or a name in it is wrong.
inline constexpr const char* nothing_to_run =
    "there is nothing to run: the file defines no function of the chapter's header\n"
    "  next: define it as the header declares it, with its namespace and arguments\n";

/// The main() of a benchmark; `--help` tells its options. Returns its exit status: 0 when all results were right.
int bench_main(int argc, char** argv, const std::vector<Benchmark>& benchmarks);

}  // namespace warpwright
