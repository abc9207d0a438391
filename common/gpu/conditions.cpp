#include "conditions.h"

#include <cuda_runtime_api.h>
#include <fmt/core.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "device.h"

namespace warpwright {
namespace {

int attribute(cudaDeviceAttr which) {
  int device = 0, value = 0;
  cudaGetDevice(&device);
  return cudaDeviceGetAttribute(&value, which, device) == cudaSuccess ? value : 0;
}

/// The first line that a command prints; empty when it fails.
std::string first_line(const char* command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command, "r"), pclose);
  std::array<char, 256> line{};
  if (pipe == nullptr || std::fgets(line.data(), static_cast<int>(line.size()), pipe.get()) == nullptr) return {};
  std::string text = line.data();
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text;
}

std::string cuda_version(int number) { return fmt::format("{}.{}", number / 1000, number % 1000 / 10); }

std::string driver() {
  const std::string version = first_line("nvidia-smi --query-gpu=driver_version --format=csv,noheader 2>/dev/null");
  int cuda = 0;
  cudaDriverGetVersion(&cuda);
  return version.empty() ? fmt::format("for CUDA {}", cuda_version(cuda)) : version;
}

std::string clock() {
  const std::string now =
      first_line("nvidia-smi --query-gpu=clocks.sm,clocks.mem,clocks.max.sm --format=csv,noheader,nounits 2>/dev/null");
  int sm = 0, memory = 0, most = 0;
  if (std::sscanf(now.c_str(), "%d, %d, %d", &sm, &memory, &most) == 3)
    return fmt::format("not locked, up to {} MHz; memory {} MHz", most, memory);
  return fmt::format("not locked, up to {} MHz; memory {} MHz", attribute(cudaDevAttrClockRate) / 1000,
                     attribute(cudaDevAttrMemoryClockRate) / 1000);
}

/// Of the sources that are measured. A program that was carried elsewhere is told by WARPWRIGHT_COMMIT.
std::string commit() {
  if (const char* told = std::getenv("WARPWRIGHT_COMMIT"); told != nullptr && *told != '\0') return told;
  const std::string head = first_line("git rev-parse HEAD 2>/dev/null");
  if (head.empty()) return {};
  return head + (first_line("git status --porcelain --untracked-files=no 2>/dev/null").empty() ? "" : " and changes");
}

}  // namespace

Peak peak_bytes_a_second() {
  // NVIDIA's datasheets. They round: what clock and bus width give is up to 3% more.
  struct Known {
    const char* device;
    double value;
  };
  static constexpr Known datasheets[] = {
      {"NVIDIA H200", 4.8e12}, {"NVIDIA H100 80GB HBM3", 3.35e12}, {"NVIDIA A100-SXM4-80GB", 2.039e12}};
  const std::string name = device_name();
  for (const Known& known : datasheets)
    if (name == known.device) return {known.value, "datasheet"};
  const double bits = attribute(cudaDevAttrGlobalMemoryBusWidth);
  return {2e3 * attribute(cudaDevAttrMemoryClockRate) * bits / 8, "memory clock and bus width"};
}

std::vector<std::pair<std::string, std::string>> conditions() {
  int runtime = 0;
  cudaRuntimeGetVersion(&runtime);
  const Peak peak = peak_bytes_a_second();
  return {{"device", device_name()},
          {"driver", driver()},
          {"toolkit", cuda_version(runtime)},
          {"clock", clock()},
          {"commit", commit()},
          {"peak", fmt::format("{:.0f} GB/s, by {}", peak.value * 1e-9, peak.source)}};
}

std::string command_line(int argc, char** argv) {
  const std::string program = argv[0];
  std::string command = "build/gpu/bin/" + program.substr(program.rfind('/') + 1);
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const bool plain = argument.find_first_of(" |&;()<>*?[]$'\"\\") == std::string::npos;
    command += plain ? " " + argument : " '" + argument + "'";
  }
  return command;
}

}  // namespace warpwright
