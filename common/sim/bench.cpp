// A simulated GPU has no clock. Its benchmark is the same program with the same check, and counts instead.
#include "bench.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <string_view>

#include "cuda_error.h"
#include "device.h"
#include "observe/report_json.h"
#include "words.h"

namespace warpwright {
namespace {

constexpr std::size_t default_n = std::size_t{1} << 20;

constexpr const char* help =
    "Verifies the result at size n and counts what its launches do. Times need a GPU.\n\n"
    "  --n N       elements (default 1048576)\n"
    "  --only NAME of several benchmarks, this one\n"
    "  --profile   print the counters of one run alone\n"
    "  --json      with --profile: as JSON\n";

struct Options {
  std::string_view only = {};  // all, if empty
  std::size_t n = default_n;
  bool profile = false;
  bool json = false;
};

/// What `text` says, or nothing.
std::optional<std::size_t> number(std::string_view text) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// The counters that say something: none that is 0, no instruction by name.
void print_counters(const observe::Report& launch) {
  fmt::print("{}, {} block{} of {} threads\n", launch.kernel, thousands(launch.grid.count()),
             launch.grid.count() == 1 ? "" : "s", launch.block.count());
  for (const auto& [metric, value] : launch.metrics) {
    if (value == 0 || metric.find("_executed_op_") != std::string::npos) continue;
    fmt::print("  {:<76} {:>16}\n", metric, count_text(value));
  }
}

void print_mistake(const observe::Diagnosis& mistake) {
  const std::string place = mistake.file.empty() ? "" : fmt::format("{}:{}  ", shown_path(mistake.file), mistake.line);
  fmt::print(stderr, "{}{}\n{}\n", place, mistake.kind, wrap(mistake.message, 2));
}

/// Runs one benchmark once. Returns the exit status: 0 when the result was right and nothing was found wrong on the
/// way.
int run(const Benchmark& benchmark, const Options& options) {
  std::optional<std::string> wrong;
  std::unique_ptr<Workload> workload = benchmark.make(options.n);
  take_launches();
  watch(Watch::everything);
  try {
    workload->run(nullptr);
    synchronize();
    wrong = workload->mismatch();
  } catch (const CudaError& error) {
    wrong = error.what();
  }
  const std::vector<observe::Report> launches = take_launches();
  const std::vector<observe::Diagnosis> loose = take_diagnoses();

  if (options.json) {
    fmt::print("{}\n", observe::to_json(device_name(), launches, loose));
  } else {
    if (!wrong) fmt::print("{}  right at n = {}\n", benchmark.name, thousands(options.n));
    for (const observe::Report& launch : launches) print_counters(launch);
  }
  std::fflush(stdout);
  bool mistaken = std::ranges::any_of(loose, [](const observe::Diagnosis& mistake) { return !mistake.is_warning; });
  for (const observe::Report& launch : launches)
    for (const observe::Diagnosis& mistake : launch.diagnoses) {
      mistaken |= !mistake.is_warning;
      print_mistake(mistake);
    }
  for (const observe::Diagnosis& mistake : loose) print_mistake(mistake);
  if (wrong) fmt::print(stderr, "{}  wrong at n = {}: {}\n", benchmark.name, thousands(options.n), *wrong);
  if (wrong || mistaken) fmt::print(stderr, "  next: ./lab test {}\n", benchmark.name);
  return wrong || mistaken ? 1 : 0;
}

}  // namespace

int bench_main(int argc, char** argv, const std::vector<Benchmark>& benchmarks) {
  if (benchmarks.empty()) {
    fmt::print(stderr, "{}", nothing_to_run);
    return 2;
  }
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--profile") {
      options.profile = true;
    } else if (argument == "--json") {
      options.json = true;
    } else if (argument == "--only" && i + 1 < argc) {
      options.only = argv[++i];
    } else if (argument == "--n" && i + 1 < argc && number(argv[i + 1])) {
      options.n = *number(argv[++i]);
    } else if (argument == "--help" || argument == "-h") {
      fmt::print("{}", help);
      return 0;
    } else {
      fmt::print(stderr, "{} is no option here, or lacks its number\n\n{}", argument, help);
      return 2;
    }
  }
  if (options.json && !options.profile) {
    fmt::print(stderr, "--json goes with --profile\n");
    return 2;
  }
  int status = 0;
  const auto is_meant = [&](const Benchmark& benchmark) {
    return options.only.empty() || benchmark.name == options.only;
  };
  if (std::none_of(benchmarks.begin(), benchmarks.end(), is_meant)) {
    fmt::print(stderr, "there is no benchmark {}; there are:\n", options.only);
    for (const Benchmark& benchmark : benchmarks) fmt::print(stderr, "  {}\n", benchmark.name);
    return 2;
  }
  for (const Benchmark& benchmark : benchmarks) {
    if (!is_meant(benchmark)) continue;
    try {
      status = std::max(status, run(benchmark, options));
    } catch (const CudaError& error) {  // before anything ran: so much memory, for example, is not there
      fmt::print(stderr, "{}  {}\n", benchmark.name, error.what());
      status = 1;
    }
    reset_errors();  // a fault is this benchmark's own, and not that of those behind
  }
  if (!options.profile) {
    fmt::print("\nThe {} has no clock: these are counts. For times, run the benchmark on a GPU (preset gpu).\n",
               device_name());
  }
  return status;
}

}  // namespace warpwright
