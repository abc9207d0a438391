#include "observe/causes.h"

#include <algorithm>

namespace warpwright::observe {

void put_causes_first(std::vector<Diagnosis>& diagnoses) {
  const auto leads_out_of_bounds = [told = diagnoses](const Diagnosis& cause) {
    if (cause.kind != "uninitialised" || !cause.who) return false;
    return std::ranges::any_of(told, [&](const Diagnosis& fault) {
      return fault.kind == "out of bounds" && fault.who && fault.who->block == cause.who->block;
    });
  };
  std::ranges::stable_partition(diagnoses, leads_out_of_bounds);
}

}  // namespace warpwright::observe
