#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "device.h"

namespace warpwright {

/// Runs `launches` and returns what each launch did, by metric, instruction and source line. Only where
/// why_no_counters() is empty. Throws CudaError for a failed launch and NoLaunch when nothing was launched.
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

/// Bytes of dynamic shared memory that blocks of a kernel were given since the last call, of kernels that declare no
/// array there: by the kernel's name.
std::map<std::string, std::uint32_t> take_idle_shared_memory();

/// The learner's lines that write global memory, of every kernel launched since forget_writers(): where a wrong result
/// came from. Empty where the device cannot tell.
const std::set<SourceLine>& lines_that_wrote();
void forget_writers();

}  // namespace warpwright
