#include "profile.h"

#include <algorithm>
#include <utility>

#include "cuda_error.h"
#include "machine/program.h"

namespace warpwright {
namespace {

std::vector<observe::Diagnosis>& pending() {
  static std::vector<observe::Diagnosis> diagnoses;
  return diagnoses;
}

std::set<SourceLine>& writers() {
  static std::set<SourceLine> lines;
  return lines;
}

std::map<std::string, std::uint32_t>& idle_shared_memory() {
  static std::map<std::string, std::uint32_t> bytes;
  return bytes;
}

void keep_idle_shared_memory(const observe::Report& launch) {
  if (launch.dynamic_shared_bytes == 0) return;
  const auto& arrays = launch.program().shared;
  if (std::none_of(arrays.begin(), arrays.end(), [](const auto& array) { return array.dynamic; }))
    idle_shared_memory()[launch.kernel] = launch.dynamic_shared_bytes;
}

void keep(const observe::Diagnosis& diagnosis) {
  if (!diagnosis.is_warning) pending().push_back(diagnosis);
}

std::vector<observe::Report> collect() {
  std::vector<observe::Report> reports = take_launches();
  for (const observe::Report& report : reports) {
    writers().merge(lines_that_write(report));
    keep_idle_shared_memory(report);
    for (const observe::Diagnosis& diagnosis : report.diagnoses) keep(diagnosis);
  }
  for (const observe::Diagnosis& diagnosis : take_diagnoses()) keep(diagnosis);
  return reports;
}

}  // namespace

std::vector<observe::Report> profile(const std::function<void()>& launches) {
  collect();
  watch(Watch::counters);
  launches();
  const cudaError_t launched = cudaGetLastError();
  const cudaError_t finished = cudaDeviceSynchronize();
  std::vector<observe::Report> reports = collect();
  watch(Watch::mistakes);
  check(launched, "a launch");
  check(finished, "a kernel");
  if (reports.empty()) throw NoLaunch();
  return reports;
}

bool made_a_mistake() {
  collect();
  return !pending().empty();
}

std::vector<observe::Diagnosis> take_mistakes() {
  collect();
  return std::exchange(pending(), {});
}

std::map<std::string, std::uint32_t> take_idle_shared_memory() {
  collect();
  return std::exchange(idle_shared_memory(), {});
}

const std::set<SourceLine>& lines_that_wrote() {
  collect();
  return writers();
}

void forget_writers() {
  collect();
  writers().clear();
}

}  // namespace warpwright
