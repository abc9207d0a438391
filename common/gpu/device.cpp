#include "device.h"

#include <cuda_runtime_api.h>

namespace warpwright {

std::string device_name() {
  cudaDeviceProp properties;
  return cudaGetDeviceProperties(&properties, 0) == cudaSuccess ? properties.name : "no GPU";
}

std::string why_no_counters() {
  return "a GPU's counters cannot be read from inside a program; the simulated GPU counts";
}

void watch(Watch) {}

void schedule(std::optional<std::uint64_t>) {}

std::vector<observe::Report> take_launches() { return {}; }

std::vector<observe::Diagnosis> take_diagnoses() { return {}; }

std::set<SourceLine> lines_that_write(const observe::Report&) { return {}; }

bool reset_errors() {
  cudaGetLastError();
  return cudaDeviceSynchronize() == cudaSuccess;
}

std::size_t guard_bytes() { return 4096; }

}  // namespace warpwright
