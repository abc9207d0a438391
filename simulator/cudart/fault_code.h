// Problem: after a fault, CUDA's functions return a code that depends on what went wrong.
// Idea: an observer that wants no events still hears of faults; the first one in the grid's order decides.
// Invariant: the code is the same for any number of host threads.
// Left out: words for the learner; those are the observers' of observe/.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>

#include "observe/first_faults.h"
#include "observe/observer.h"

namespace warpwright::cudart {

class FaultCode final : public observe::Observer {
 public:
  std::uint32_t wants() const override { return 0; }
  std::unique_ptr<observe::Observer> fork() const override { return std::make_unique<FaultCode>(); }
  void join(observe::Observer& other) override { faults_.join(static_cast<FaultCode&>(other).faults_); }
  void report(observe::Report&) const override {}
  void fault(const observe::Fault& fault) override { faults_.add(fault); }

  /// CUDA's code for how the launch ended.
  cudaError_t code(machine::LaunchStatus status) const;

 private:
  observe::FirstFaults faults_;
};

}  // namespace warpwright::cudart
