// A simulated GPU has no clock. Its benchmark is the same program with the same check, and counts instead.
#include "bench.h"

#include <fmt/core.h>

#include <charconv>
#include <cstdio>
#include <string_view>

#include "cuda_error.h"
#include "device.h"
#include "observe/report_json.h"
#include "profile.h"
#include "words.h"

namespace warpwright {
namespace {

constexpr std::size_t default_n = std::size_t{1} << 20;

constexpr const char* help =
    "Verifies the result at size n and counts what its launches do. Times need a GPU.\n\n"
    "  --n N       elements (default 1048576)\n"
    "  --profile   print the counters of one run alone\n"
    "  --json      with --profile: as JSON\n";

struct Options {
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

void print_counters(const observe::Report& launch) {
  fmt::print("{}, {} blocks of {} threads\n", launch.kernel, thousands(launch.grid.count()), launch.block.count());
  for (const auto& [metric, value] : launch.metrics) fmt::print("  {:<76} {:>16}\n", metric, count_text(value));
}

void print_mistake(const observe::Diagnosis& mistake) {
  fmt::print(stderr, "{}:{}  {}\n{}\n", shown_path(mistake.file), mistake.line, mistake.kind, wrap(mistake.message, 2));
}

/// Runs one benchmark once, verified. Returns the exit status.
int run(const Benchmark& benchmark, const Options& options) {
  const auto workload = benchmark.make(options.n);
  std::vector<observe::Report> launches;
  if (options.n == 0) {
    workload->run(nullptr);
  } else {
    launches = profile([&] { workload->run(nullptr); });
  }
  const auto wrong = workload->mismatch();
  const std::vector<observe::Diagnosis> mistakes = take_mistakes();
  if (options.json) {
    fmt::print("{}\n", observe::to_json(device_name(), launches));
  } else {
    if (!wrong)
      fmt::print("{}  right at n = {}, against a sum in double precision\n", benchmark.name, thousands(options.n));
    for (const observe::Report& launch : launches) print_counters(launch);
  }
  if (wrong) {
    fmt::print(stderr, "{}  wrong at n = {}: {}\n  next: ./lab test {}\n", benchmark.name, thousands(options.n), *wrong,
               benchmark.name);
  }
  for (const observe::Diagnosis& mistake : mistakes) print_mistake(mistake);
  return wrong || !mistakes.empty() ? 1 : 0;
}

}  // namespace

int bench_main(int argc, char** argv, const std::vector<Benchmark>& benchmarks) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--profile") {
      options.profile = true;
    } else if (argument == "--json") {
      options.json = true;
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
  for (const Benchmark& benchmark : benchmarks) {
    try {
      status = std::max(status, run(benchmark, options));
    } catch (const std::exception& error) {
      fmt::print(stderr, "{}  {}\n", benchmark.name, error.what());
      for (const observe::Diagnosis& mistake : take_mistakes()) print_mistake(mistake);
      status = 1;
    }
  }
  if (!options.profile) {
    fmt::print("\nThe {} has no clock: these are counts. For times, run the benchmark on a GPU (preset gpu).\n",
               device_name());
  }
  return status;
}

}  // namespace warpwright
