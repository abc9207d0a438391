#include "device.h"

#include <algorithm>
#include <thread>

#include "cudart/session.h"

namespace warpwright {

std::string device_name() { return "simulated H200"; }

std::string why_no_counters() { return {}; }

void watch(Watch what) {
  cudart::Settings& settings = cudart::settings();
  settings.counters = what != Watch::mistakes;
  settings.sanitizers = what != Watch::counters;
  settings.host_threads = std::clamp(std::thread::hardware_concurrency(), 1u, 8u);
  // Some twenty times what the largest launch of a test needs; an endless loop meets it within seconds.
  settings.step_budget = std::uint64_t{1} << 26;
}

std::vector<observe::Report> take_launches() { return cudart::take_launches(); }

std::vector<observe::Diagnosis> take_diagnoses() { return cudart::take_diagnoses(); }

bool reset_errors() {
  cudart::reset_errors();
  return true;
}

std::size_t guard_bytes() { return 0; }

}  // namespace warpwright
