// Kernels of the runtime's tests, behind functions that launch them: the tests themselves are plain C++.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace warpwright::cudart::kernels {

// kernels.cu

/// data[i] *= factor for i < n.
void scale(dim3 grid, dim3 block, std::size_t shared_bytes, float* data, float factor, int n,
           cudaStream_t stream = nullptr);
/// The same kernel, as cudaFunc... functions want it.
const void* scale_function();

/// *out = value.
void set_word(int* out, int value, cudaStream_t stream);

/// *out = value, and then, so that host code may look at it at any time, *flag = 1.
void set_and_tell(int* out, int value, volatile int* flag);

/// out[i] = in[i] for i < n, a multiple of 256: the bytes of 128 neighbours each by a thread that is far from the
/// others.
void copy_scattered(const char* in, char* out, int n);

/// Its __launch_bounds__ promise at most 64 threads.
void bounded(int threads);
/// Has 40 KiB of static shared memory.
void with_static_tile(std::size_t dynamic_bytes, float* out);
const void* with_static_tile_function();
/// Writes the bytes of a structure and what follows it: arguments of every size, in their places.
struct Mixed {
  char letter;
  double number;
  short half[3];
};
void store_arguments(char letter, Mixed mixed, short half, double number, double* out);
/// Declares 50,000 bytes of static shared memory, more than there may be.
void with_too_large_tile();
/// Reads four bytes at `address`.
void read_word(const void* address, int* out);
/// Blocks of one warp. Its lanes with even numbers use the `even` arrays of 32, the others the `odd` ones: each counts
/// itself, and copies its element.
void copy_between(int blocks, const int* even, const int* odd, int* even_out, int* odd_out, int* even_count,
                  int* odd_count);
/// Never ends while *flag is 0.
void wait_for(const volatile int* flag);
/// Half of the threads wait at a barrier that expects all.
void wait_in_vain();
/// Counts threads with atomics.
void count(int blocks, int* counter, cudaStream_t stream = nullptr);
/// Blocks of 1024 threads that wait until all have counted themselves.
void meet(int blocks, int* counter);

// symbols.cu

/// out = {counter, table[0..3], *pointer_to_counter, managed}, and adds 1 to counter and to managed.
void read_variables(int* out);
const void* counter();
const void* table();
const void* big();  // 8 KiB of zeros
int& managed();

// compressed.cu, without_ptx.cu, unsupported.cu and function_table.cu: objects that are special as a whole

void compressed(int* out);  // *out = 42
void without_ptx(int* out);
void insist(int n);                     // assert(n < 5), by one thread of block 1
void give_up();                         // __trap()
void last_block(int blocks, int* out);  // *out = the block that ran last
void with_function_table(int* out);     // a variable of its object starts with the addresses of device functions
void unsupported();
void beside_unsupported(int* out);  // *out = 43, in the same object as `unsupported`

}  // namespace warpwright::cudart::kernels
