#include "device.h"

#include "cudart/session.h"

namespace warpwright {

std::string device_name() { return "simulated H200"; }

std::string why_no_counters() { return {}; }

void watch(Watch what) {
  cudart::Settings& settings = cudart::settings();
  settings.counters = what != Watch::mistakes;
  settings.sanitizers = what != Watch::counters;
  // For each warp. In tests even one thread that does all the work of the largest launch stays below, and an endless
  // loop is found within seconds.
  settings.step_budget = std::uint64_t{1} << (what == Watch::everything ? 34 : 23);
}

std::vector<observe::Report> take_launches() { return cudart::take_launches(); }

std::vector<observe::Diagnosis> take_diagnoses() { return cudart::take_diagnoses(); }

bool reset_errors() {
  cudart::reset_errors();
  return true;
}

std::size_t guard_bytes() { return 0; }

}  // namespace warpwright
