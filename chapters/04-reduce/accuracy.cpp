// Problem: what does a float sum of 2^27 values lose, and what does the order of its additions have to do with it?
// Idea: add the same values in the orders of the chapter, on the host, and compare with double precision. That the
// orders are those of v2 and v7 is checked first, against the kernels themselves, bit for bit.
// Writes Google Benchmark's JSON, of relative errors, to standard output:
//
//   build/sim/bin/accuracy.reduce > chapters/04-reduce/results/accuracy.json
#include <cuda_runtime_api.h>
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

#include "device_array.h"
#include "inputs.h"
#include "reduce.h"
#include "subject.h"

const warpwright::Subject warpwright::subject = {"accuracy.reduce", "reduce", "chapters/04-reduce/accuracy.cpp"};

namespace {

using namespace warpwright;
using Values = std::vector<float>;

float one_by_one(const Values& values) {
  float sum = 0;
  for (const float value : values) sum += value;
  return sum;
}

/// The tree of v2 and of a shuffle: `length` values, a power of two.
float tree(float* values, std::size_t length) {
  for (std::size_t step = length / 2; step > 0; step /= 2)
    for (std::size_t t = 0; t < step; ++t) values[t] += values[t + step];
  return values[0];
}

/// The sums of tiles of 256, as the blocks of v2 make them.
Values sums_of_blocks(const Values& values) {
  Values sums;
  for (std::size_t begin = 0; begin < values.size(); begin += 256) {
    float tile[256] = {};
    std::copy_n(values.data() + begin, std::min<std::size_t>(256, values.size() - begin), tile);
    sums.push_back(tree(tile, 256));
  }
  return sums;
}

float v2(Values values) {
  while (values.size() > 1) values = sums_of_blocks(values);
  return values.front();
}

/// v7: a thread sums one by one what it meets in strides of the grid, a block its threads' sums in two levels.
Values sums_of_grid(const Values& values, std::size_t blocks) {
  const std::size_t threads = blocks * 256;
  Values sums(threads);
  const float* at = values.data();
  for (std::size_t i = 0; i < values.size() / 4; ++i, at += 4) sums[i % threads] += (at[0] + at[1]) + (at[2] + at[3]);
  for (std::size_t i = 0; i < values.size() % 4; ++i) sums[i] += at[i];
  Values of_blocks;
  for (std::size_t block = 0; block < blocks; ++block) {
    float of_warps[32] = {};
    for (std::size_t warp = 0; warp < 8; ++warp) of_warps[warp] = tree(&sums[256 * block + 32 * warp], 32);
    of_blocks.push_back(tree(of_warps, 32));
  }
  return of_blocks;
}

float v7(const Values& values) {
  constexpr std::size_t resident = 132 * 8;  // of the H200's 132 multiprocessors, 2,048 threads each
  const std::size_t blocks = std::min(resident, reduce::groups_of(1024, values.size()));
  const Values sums = sums_of_grid(values, blocks);
  return sums.size() == 1 ? sums.front() : sums_of_grid(sums, 1).front();
}

using Version = void (*)(const float* in, float* out, float* workspace, std::size_t n, cudaStream_t stream);

/// Whether the kernel gives the host's sum, bit for bit.
bool is_order_of(Version version, float (*host)(const Values&), const char* name) {
  for (const std::size_t n : {std::size_t{1000}, std::size_t{1} << 20, (std::size_t{1} << 22) + 3}) {
    const Values values = real_numbers(n, -1, 1, n);
    const DeviceArray<float> in("in", values), out("out", 1), workspace("workspace", reduce::workspace_floats(n));
    version(in.data(), out.data(), workspace.data(), n, nullptr);
    const float device = out.download()[0], expected = host(values);
    if (std::memcmp(&device, &expected, sizeof device) == 0) continue;
    fmt::print(stderr, "{} at n = {}: the kernel's sum is {:.9g}, the host's {:.9g}\n", name, n, device, expected);
    return false;
  }
  return true;
}

struct Data {
  const char* name;
  std::function<Values(std::size_t n)> make;
};

const Data data[] = {
    {"ones", [](std::size_t n) { return Values(n, 1.0f); }},
    {"uniform", [](std::size_t n) { return real_numbers(n, 0, 1, 1); }},
    {"tenths", [](std::size_t n) { return Values(n, 0.1f); }},
    {"cancelling", [](std::size_t n) { return real_numbers(n, -1, 1, 1); }},
};

std::string first_line(const char* command) {
  std::string line(100, '\0');
  FILE* const pipe = popen(command, "r");
  if (pipe == nullptr || std::fgets(line.data(), static_cast<int>(line.size()), pipe) == nullptr) line.clear();
  if (pipe != nullptr) pclose(pipe);
  return line.substr(0, line.find_first_of(std::string("\n\0", 2)));
}

}  // namespace

int main() {
  const auto v7_with_256 = [](const float* in, float* out, float* workspace, std::size_t n, cudaStream_t stream) {
    reduce::v7(in, out, workspace, n, 256, stream);
  };
  if (!is_order_of(
          reduce::v2, [](const Values& values) { return v2(values); }, "v2"))
    return 1;
  if (!is_order_of(v7_with_256, v7, "v7")) return 1;

  int toolkit = 0;
  cudaRuntimeGetVersion(&toolkit);
  char date[32];
  const std::time_t now = std::time(nullptr);
  std::strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S+00:00", std::gmtime(&now));
  fmt::print("{{\n  \"context\": {{\n    \"date\": \"{}\",\n    \"device\": \"host, in the kernels' orders\",\n", date);
  fmt::print("    \"driver\": \"none\",\n    \"toolkit\": \"{}.{}\",\n", toolkit / 1000, toolkit % 1000 / 10);
  fmt::print("    \"clock\": \"none\",\n    \"commit\": \"{}\",\n", first_line("git rev-parse HEAD"));
  fmt::print("    \"command\": \"build/sim/bin/accuracy.reduce\"\n  }},\n  \"benchmarks\": [");

  constexpr std::size_t n = std::size_t{1} << 27;
  const char* comma = "\n";
  for (const Data& kind : data) {
    const Values values = kind.make(n);
    const SumReference reference = sum_reference(values);
    // By sum|x|, because a sum near 0 has no relative error worth the name.
    const auto error = [&](double sum) { return std::abs(sum - reference.sum) / reference.sum_of_absolutes; };
    const Values partial = sums_of_blocks(values);
    fmt::print("{}    {{\"name\": \"{}/{}\", \"run_type\": \"iteration\",\n", comma, kind.name, n);
    fmt::print("     \"one_by_one\": {:.3g}, \"blocks_one_by_one\": {:.3g},\n", error(one_by_one(values)),
               error(one_by_one(partial)));
    fmt::print("     \"blocks_in_double\": {:.3g}, \"v2\": {:.3g}, \"v7\": {:.3g}}}", error(sum_reference(partial).sum),
               error(v2(values)), error(v7(values)));
    comma = ",\n";
  }
  fmt::print("\n  ]\n}}\n");
  return 0;
}
