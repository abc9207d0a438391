// How much of the host's memory a launch takes, at worst: each byte touched by a thread that is far from those of its
// neighbours. A program of its own, as the host's peak is one of the whole process.
#include <fstream>
#include <string>

#include "kernels.h"
#include "session_fixture.h"

namespace warpwright::cudart {
namespace {

using Footprint = Session;

constexpr int n = 8 << 20;
constexpr double device_bytes = 2.0 * n;
constexpr double mebibyte = 1 << 20;

/// "VmRSS" or "VmHWM" of this process, in bytes.
double of_this_process(const std::string& what) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(what + ":")) return 1024 * std::stod(line.substr(what.size() + 1));
  ADD_FAILURE() << "/proc/self/status does not tell " << what;
  return 0;
}

/// By how much the process grew, at most, while memory was allocated and used.
double growth_of_a_scattered_copy() {
  std::ofstream("/proc/self/clear_refs") << 5;  // the peak is now
  const double before = of_this_process("VmRSS");
  const Buffer<char> in(n), out(n);
  EXPECT_EQ(cudaMemset(in.get(), 1, n), cudaSuccess);
  kernels::copy_scattered(in.get(), out.get(), n);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_TRUE(take_launches().at(0).diagnoses.empty());
  return of_this_process("VmHWM") - before;
}

bool is_watched_by_the_compiler() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return true;
#else
  return false;
#endif
}

TEST_F(Footprint, WithSanitizersIsEightTimesTheDevicesMemory) {
  if (is_watched_by_the_compiler()) GTEST_SKIP() << "the compiler's sanitizer takes memory of its own";
  const double growth = growth_of_a_scattered_copy();
  EXPECT_GE(growth, device_bytes) << "or nothing was measured";
  EXPECT_LE(growth, 8 * device_bytes) << growth / mebibyte << " MiB";
}

TEST_F(Footprint, WithCountersIsTwiceTheDevicesMemory) {
  if (is_watched_by_the_compiler()) GTEST_SKIP() << "the compiler's sanitizer takes memory of its own";
  settings().sanitizers = false;
  const double growth = growth_of_a_scattered_copy();
  EXPECT_LE(growth, 2 * device_bytes + 16 * mebibyte) << growth / mebibyte << " MiB";
}

}  // namespace
}  // namespace warpwright::cudart
