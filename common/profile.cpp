#include "profile.h"

#include <utility>

#include "contract.h"
#include "cuda_error.h"

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

void keep(const observe::Diagnosis& diagnosis) {
  if (!diagnosis.is_warning) pending().push_back(diagnosis);
}

std::vector<observe::Report> collect() {
  std::vector<observe::Report> reports = take_launches();
  for (const observe::Report& report : reports) {
    writers().merge(lines_that_write(report));
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
  for (const observe::Report& report : reports) expect_no_idle_shared_memory(report);
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

const std::set<SourceLine>& lines_that_wrote() {
  collect();
  return writers();
}

void forget_writers() {
  collect();
  writers().clear();
}

}  // namespace warpwright
