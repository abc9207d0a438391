// Problem: programs ask a card for its limits and size their launches by the answers.
// Idea: a card is a row of numbers. Another card is another row.
// Invariant: every number of a row is a public one, its source named in the row's file.
// Left out: speed. The simulated GPU counts and has no clock; the clock rates are what the card says of itself.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace warpwright::cudart {

struct Device {
  const char* label;  // what people call it: "H200"
  const char* name;   // what it calls itself: "NVIDIA H200"
  int major, minor;   // compute capability
  int multiprocessors;
  std::size_t memory_bytes;
  int l2_bytes;
  int clock_khz;
  int memory_clock_khz;
  int memory_bus_bits;

  // Per multiprocessor.
  int max_threads_per_multiprocessor;
  int max_blocks_per_multiprocessor;
  int registers_per_multiprocessor;
  int shared_bytes_per_multiprocessor;

  // Per block.
  int max_threads_per_block;
  int max_block_x, max_block_y, max_block_z;
  int max_grid_x, max_grid_y, max_grid_z;
  int registers_per_block;
  int shared_bytes_per_block;           // without asking
  int shared_bytes_per_block_optin;     // with cudaFuncAttributeMaxDynamicSharedMemorySize
  int shared_bytes_reserved_per_block;  // for the driver, beside what a block asks for
  int constant_bytes;

  // What is handed out comes in units of these.
  int shared_granule;    // bytes, to a block
  int register_granule;  // registers, to a warp
  int warp_granule;      // parts of a multiprocessor, among which a block's warps are dealt out

  int single_to_double_ratio;
  int copy_engines;
  bool ecc;
};

/// All cards, in the order in which a list shows them. The first is the one that a program gets without asking.
std::span<const Device> devices();

/// The card of this name, however it is written: "H200", "nvidia h200", "RTX 4090", "rtx-4090", "4090". Null when there
/// is none.
const Device* find_device(std::string_view name);

/// "A100, H100 and H200", for messages.
std::string names_of_devices();

}  // namespace warpwright::cudart
