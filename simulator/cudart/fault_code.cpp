#include "cudart/fault_code.h"

namespace warpwright::cudart {

void FaultCode::fault(const observe::Fault& fault) {
  const std::uint64_t block = fault.access.where.block;
  if (!first_ || block < first_->block) first_ = First{block, fault.kind};
}

void FaultCode::join(observe::Observer& other) {
  const std::optional<First>& theirs = static_cast<FaultCode&>(other).first_;
  if (theirs && (!first_ || theirs->block < first_->block)) first_ = theirs;
}

cudaError_t FaultCode::code(machine::LaunchStatus status) const {
  switch (status) {
    case machine::LaunchStatus::finished: return cudaSuccess;
    // On a GPU both hang until a watchdog, if there is one, ends the launch.
    case machine::LaunchStatus::deadlocked:
    case machine::LaunchStatus::over_budget: return cudaErrorLaunchTimeout;
    case machine::LaunchStatus::faulted: break;
  }
  if (!first_) return cudaErrorLaunchFailure;
  switch (first_->kind) {
    case observe::FaultKind::out_of_bounds: return cudaErrorIllegalAddress;
    case observe::FaultKind::misaligned: return cudaErrorMisalignedAddress;
    case observe::FaultKind::endless:
    case observe::FaultKind::deadlock: return cudaErrorLaunchTimeout;
    case observe::FaultKind::trap: return cudaErrorLaunchFailure;
  }
  return cudaErrorLaunchFailure;
}

}  // namespace warpwright::cudart
