#pragma once

#include <functional>
#include <set>
#include <stdexcept>
#include <vector>

#include "device.h"

namespace warpwright {

/// Runs `launches` and returns what each launch did, by metric, instruction and source line. Only where
/// why_no_counters() is empty. Throws CudaError for a failed launch and NoLaunch when nothing was launched.
/// Fails the running test for shared memory that is idle (contract.h).
/// Diagnoses stay in the reports, and are also kept for take_mistakes(); warnings are in the reports only.
std::vector<observe::Report> profile(const std::function<void()>& launches);

class NoLaunch : public std::runtime_error {
 public:
  NoLaunch() : std::runtime_error("no kernel was launched") {}
};

/// Whether take_mistakes() would return any: reason enough not to run the next case.
bool made_a_mistake();

/// Every diagnosis since the last call, of launches and of the API, in order.
std::vector<observe::Diagnosis> take_mistakes();

/// The learner's lines that write global memory, of every kernel launched since forget_writers(): where a wrong result
/// came from. Empty where the device cannot tell.
const std::set<SourceLine>& lines_that_wrote();
void forget_writers();

}  // namespace warpwright
