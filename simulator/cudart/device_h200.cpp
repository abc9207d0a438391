// NVIDIA H200 (SXM), from public sources.
//
// Data sheet "NVIDIA H200 Tensor Core GPU": 141 GB of HBM3e at 4.8 TB/s.
//
// CUDA C++ Programming Guide, "Technical Specifications per Compute Capability", column 9.0: threads, blocks,
// registers, shared memory, grid and block dimensions, constant memory.
//
// NVIDIA H100 white paper, "H100 SM": 132 multiprocessors in the SXM form, FP32 at twice FP64. The H200 is the same
// die.
//
// nvidia-smi on an H200: 143771 MiB, clocks up to 1980 MHz, memory clock 3201 MHz. The driver reports less memory to
// programs; how much less is not measured yet.
//
// Measured on an H200: 60 MiB of L2. Still to be read from a card: the bus of 6144 bits and the 3 copy engines.
#include "cudart/device.h"

namespace warpwright::cudart {

constinit const Device h200 = {
    .name = "NVIDIA H200",
    .major = 9,
    .minor = 0,
    .multiprocessors = 132,
    .memory_bytes = std::size_t{143771} << 20,
    .l2_bytes = 60 << 20,
    .clock_khz = 1'980'000,
    .memory_clock_khz = 3'201'000,
    .memory_bus_bits = 6144,
    .max_threads_per_multiprocessor = 2048,
    .max_blocks_per_multiprocessor = 32,
    .registers_per_multiprocessor = 65536,
    .shared_bytes_per_multiprocessor = 228 << 10,
    .max_threads_per_block = 1024,
    .max_block_x = 1024,
    .max_block_y = 1024,
    .max_block_z = 64,
    .max_grid_x = 0x7fffffff,
    .max_grid_y = 65535,
    .max_grid_z = 65535,
    .registers_per_block = 65536,
    .shared_bytes_per_block = 48 << 10,
    .shared_bytes_per_block_optin = 227 << 10,
    .shared_bytes_reserved_per_block = 1 << 10,
    .constant_bytes = 64 << 10,
    .single_to_double_ratio = 2,
    .copy_engines = 3,
};

}  // namespace warpwright::cudart
