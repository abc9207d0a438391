// Problem: a launch can be wrong before its first instruction, and a GPU answers with a number.
// Idea: check the configuration against the card and the kernel, each limit with its own sentence and its own mend;
// then lay out the parameters, run the grid under the observers that the settings ask for, and keep the report.
// Invariant: a configuration that is refused has run nothing. A launch that is accepted leaves exactly one report.
// Left out: what a kernel does (machine/), and what is seen of it (observe/).
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <string>

#include "cudart/modules.h"
#include "machine/launch.h"

namespace warpwright::cudart {

/// What stands between <<< and >>>.
struct Configuration {
  dim3 grid, block;
  std::size_t dynamic_shared_bytes = 0;
  cudaStream_t stream = nullptr;
  bool cooperative = false;  // the whole grid is on the card at once, and may wait for itself
};

/// The kernel of a host stub or a handle. Throws Failure when it is neither.
Kernel& kernel_of(const void* function);

/// Most bytes of dynamic shared memory that a launch of the kernel may ask for now.
std::size_t dynamic_shared_limit(const Kernel& kernel, const machine::Program& program);

/// Throws Failure, with CUDA's code, when the card or the kernel does not allow the configuration.
void check_configuration(const Kernel& kernel, const machine::Program& program, const Configuration& configuration);

/// Checks, runs and reports. Afterwards Runtime::sticky says whether the kernel broke the GPU. Throws Failure.
void launch(Kernel& kernel, const Configuration& configuration, void** arguments);

/// Runs the grid, keeps its report, and sets Runtime::sticky when it did not finish (session.cpp).
void run(machine::Launch& launch, cudaStream_t stream);
/// Shows what kernels have printed since the last time, as a GPU does when the host waits for it.
void print_out();
/// How many host threads share the launch's blocks: see Settings::host_threads.
unsigned host_threads_for(const machine::Launch& launch);

}  // namespace warpwright::cudart
