// Problem: after a fault, CUDA's functions return a code that depends on what went wrong.
// Idea: an observer that wants no events still hears of faults; it keeps the kind of the first one in the grid's order.
// Invariant: the code is the same for any number of host threads.
// Left out: words for the learner; those are the memory check's.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>
#include <optional>

#include "observe/observer.h"

namespace warpwright::cudart {

class FaultCode final : public observe::Observer {
 public:
  std::uint32_t wants() const override { return 0; }
  std::unique_ptr<observe::Observer> fork() const override { return std::make_unique<FaultCode>(); }
  void join(observe::Observer& other) override;
  void report(observe::Report&) const override {}
  void fault(const observe::Fault& fault) override;

  /// CUDA's code for how the launch ended.
  cudaError_t code(machine::LaunchStatus status) const;

 private:
  struct First {
    std::uint64_t block = 0;
    observe::FaultKind kind = observe::FaultKind::out_of_bounds;
  };
  std::optional<First> first_;
};

}  // namespace warpwright::cudart
