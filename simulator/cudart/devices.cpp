// The cards, from public sources. What the rows of one compute capability share is in limits_of_*; a row adds what is
// the card's own.
//
// Limits: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability", columns 7.5, 8.0, 8.9 and 9.0.
// Shared memory that the driver keeps for itself (1 KiB a block since 8.0) and the unit in which it is handed out
// (256 bytes on 7.5, 128 later): CUDA's tuning guides for Turing, Ampere, Ada and Hopper, and the occupancy calculator
// of Nsight Compute, which also names the 256 registers a warp and the 4 parts.
//
// Multiprocessors, L2 and FP32 to FP64: NVIDIA's white papers "Turing GPU Architecture", "A100 Tensor Core GPU
// Architecture", "H100 Tensor Core GPU Architecture" and "Ada GPU Architecture"; for T4, L4 and H200 their data sheets.
//
// Memory, clocks and bus: the data sheets. nvidia-smi gives the exact sizes: 15360 MiB (T4), 81920 (A100), 81559
// (H100), 23034 (L4) and 24564 (RTX 4090). The driver reports less memory to programs: on an H200 614 MiB less, which
// is what stands below; how much less elsewhere is not measured yet. On an H200 were also measured: 60 MiB of L2,
// clocks of 1980 and 3201 MHz.
#include <algorithm>
#include <cctype>

#include "cudart/device.h"

namespace warpwright::cudart {
namespace {

constexpr std::size_t mib = std::size_t{1} << 20;
constexpr int kib = 1 << 10;

/// What no card has changed since compute capability 7.0.
constexpr Device limits_of_all = {
    .label = "",
    .name = "",
    .major = 0,
    .minor = 0,
    .multiprocessors = 0,
    .memory_bytes = 0,
    .l2_bytes = 0,
    .clock_khz = 0,
    .memory_clock_khz = 0,
    .memory_bus_bits = 0,
    .max_threads_per_multiprocessor = 0,
    .max_blocks_per_multiprocessor = 0,
    .registers_per_multiprocessor = 65536,
    .shared_bytes_per_multiprocessor = 0,
    .max_threads_per_block = 1024,
    .max_block_x = 1024,
    .max_block_y = 1024,
    .max_block_z = 64,
    .max_grid_x = 0x7fffffff,
    .max_grid_y = 65535,
    .max_grid_z = 65535,
    .registers_per_block = 65536,
    .shared_bytes_per_block = 48 * kib,
    .shared_bytes_per_block_optin = 0,
    .shared_bytes_reserved_per_block = 1 * kib,
    .constant_bytes = 64 * kib,
    .shared_granule = 128,
    .register_granule = 256,
    .warp_granule = 4,
    .single_to_double_ratio = 2,
    .copy_engines = 3,
    .ecc = true,
};

struct Multiprocessor {
  int major, minor;
  int threads, blocks;
  int shared_kib, shared_optin_kib;
};

constexpr Device limits_of(const Multiprocessor& limits) {
  Device device = limits_of_all;
  device.major = limits.major;
  device.minor = limits.minor;
  device.max_threads_per_multiprocessor = limits.threads;
  device.max_blocks_per_multiprocessor = limits.blocks;
  device.shared_bytes_per_multiprocessor = limits.shared_kib * kib;
  device.shared_bytes_per_block_optin = limits.shared_optin_kib * kib;
  return device;
}

constexpr Multiprocessor turing = {7, 5, 1024, 16, 64, 64};
constexpr Multiprocessor ampere = {8, 0, 2048, 32, 164, 163};
constexpr Multiprocessor ada = {8, 9, 1536, 24, 100, 99};
constexpr Multiprocessor hopper = {9, 0, 2048, 32, 228, 227};

constexpr Device t4() {
  Device device = limits_of(turing);
  device.label = "T4";
  device.name = "Tesla T4";
  device.multiprocessors = 40;
  device.memory_bytes = 15360 * mib;
  device.l2_bytes = 4096 * kib;
  device.clock_khz = 1'590'000;
  device.memory_clock_khz = 5'001'000;
  device.memory_bus_bits = 256;
  device.shared_bytes_reserved_per_block = 0;
  device.shared_granule = 256;
  device.single_to_double_ratio = 32;
  return device;
}

constexpr Device a100() {
  Device device = limits_of(ampere);
  device.label = "A100";
  device.name = "NVIDIA A100-SXM4-80GB";
  device.multiprocessors = 108;
  device.memory_bytes = 81920 * mib;
  device.l2_bytes = 40960 * kib;
  device.clock_khz = 1'410'000;
  device.memory_clock_khz = 1'593'000;
  device.memory_bus_bits = 5120;
  return device;
}

constexpr Device h100() {
  Device device = limits_of(hopper);
  device.label = "H100";
  device.name = "NVIDIA H100 80GB HBM3";
  device.multiprocessors = 132;
  device.memory_bytes = 81559 * mib;
  device.l2_bytes = 51200 * kib;
  device.clock_khz = 1'980'000;
  device.memory_clock_khz = 2'619'000;
  device.memory_bus_bits = 5120;
  return device;
}

// The H100's die with more memory. Memory, bus and copy engines as cudaGetDeviceProperties() gives them on one.
constexpr Device h200() {
  Device device = h100();
  device.label = "H200";
  device.name = "NVIDIA H200";
  device.memory_bytes = 150'109'880'320;
  device.l2_bytes = 61440 * kib;
  device.memory_clock_khz = 3'201'000;
  device.memory_bus_bits = 6016;
  return device;
}

constexpr Device l4() {
  Device device = limits_of(ada);
  device.label = "L4";
  device.name = "NVIDIA L4";
  device.multiprocessors = 58;
  device.memory_bytes = 23034 * mib;
  device.l2_bytes = 49152 * kib;
  device.clock_khz = 2'040'000;
  device.memory_clock_khz = 6'251'000;
  device.memory_bus_bits = 192;
  device.single_to_double_ratio = 64;
  device.copy_engines = 2;
  return device;
}

constexpr Device rtx4090() {
  Device device = limits_of(ada);
  device.label = "RTX 4090";
  device.name = "NVIDIA GeForce RTX 4090";
  device.multiprocessors = 128;
  device.memory_bytes = 24564 * mib;
  device.l2_bytes = 73728 * kib;
  device.clock_khz = 2'520'000;
  device.memory_clock_khz = 10'501'000;
  device.memory_bus_bits = 384;
  device.single_to_double_ratio = 64;
  device.copy_engines = 2;
  device.ecc = false;
  return device;
}

constexpr Device all[] = {h200(), h100(), a100(), l4(), t4(), rtx4090()};

/// A name without what may be written in several ways: case, blanks, dashes, maker and family.
std::string plain(std::string_view name) {
  std::string result;
  for (const char c : name)
    if (std::isalnum(static_cast<unsigned char>(c)))
      result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const std::string_view prefix : {"nvidia", "simulated", "tesla", "geforce", "rtx"})
    if (result.starts_with(prefix)) result.erase(0, prefix.size());
  return result;
}

}  // namespace

std::span<const Device> devices() { return all; }

const Device* find_device(std::string_view name) {
  const std::string wanted = plain(name);
  const auto* found = std::ranges::find_if(
      all, [&](const Device& device) { return plain(device.label) == wanted || plain(device.name) == wanted; });
  return found != std::end(all) ? found : nullptr;
}

std::string names_of_devices() {
  std::string names;
  for (std::size_t i = 0; i < std::size(all); ++i) {
    if (i > 0) names += i + 1 == std::size(all) ? " and " : ", ";
    names += all[i].label;
  }
  return names;
}

}  // namespace warpwright::cudart
