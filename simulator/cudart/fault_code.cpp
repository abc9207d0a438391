#include "cudart/fault_code.h"

namespace warpwright::cudart {

cudaError_t FaultCode::code(machine::LaunchStatus status) const {
  switch (status) {
    case machine::LaunchStatus::finished:
      return cudaSuccess;
    // On a GPU both hang until a watchdog, if there is one, ends the launch.
    case machine::LaunchStatus::deadlocked:
    case machine::LaunchStatus::over_budget:
      return cudaErrorLaunchTimeout;
    case machine::LaunchStatus::faulted:
      break;
  }
  if (faults_.all().empty()) return cudaErrorLaunchFailure;
  switch (faults_.all().front().kind) {
    case observe::FaultKind::out_of_bounds:
    case observe::FaultKind::stack_overflow:  // of an H200 too (tests/cases/on_gpu)
      return cudaErrorIllegalAddress;
    case observe::FaultKind::misaligned:
      return cudaErrorMisalignedAddress;
    case observe::FaultKind::endless:
    case observe::FaultKind::deadlock:
    case observe::FaultKind::livelock:
    case observe::FaultKind::bad_copy:  // for which an H200 waits for ever (tests/cases/on_gpu)
      return cudaErrorLaunchTimeout;
    case observe::FaultKind::assertion:
      return cudaErrorAssert;
    case observe::FaultKind::bad_barrier:
    case observe::FaultKind::bad_call:
      return cudaErrorIllegalInstruction;
    case observe::FaultKind::trap:
      return cudaErrorLaunchFailure;
  }
  return cudaErrorLaunchFailure;
}

}  // namespace warpwright::cudart
