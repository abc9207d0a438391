#include "cudart/runtime.h"

#include <fmt/core.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <utility>

namespace warpwright::cudart {
namespace {

Failure failure_of(cudaError_t code, std::string kind, std::string message, std::string hint) {
  Failure failure;
  failure.code = code;
  failure.diagnosis.kind = std::move(kind);
  failure.diagnosis.message = std::move(message);
  failure.diagnosis.hint = std::move(hint);
  return failure;
}

cudaError_t record(const char* name, Failure failure) {
  observe::Diagnosis& diagnosis = failure.diagnosis;
  if (diagnosis.kernel.empty()) diagnosis.message = fmt::format("{}: {}", name, diagnosis.message);
  if (!diagnosis.message.ends_with('.')) diagnosis.message += '.';
  runtime().diagnoses.push_back(std::move(diagnosis));
  return last_error() = failure.code;
}

/// Happens before main, where nobody could catch an exception.
Runtime& start() {
  try {
    return *new Runtime;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "warpwright: the simulated GPU cannot reserve addresses for its memory; raise `ulimit -v`.\n");
    std::_Exit(EXIT_FAILURE);
  }
}

}  // namespace

Runtime::Runtime() : device(h200), memory(reservation, device.memory_bytes) {}

Runtime& runtime() {
  static Runtime& the_runtime = start();
  return the_runtime;
}

cudaError_t& last_error() {
  thread_local cudaError_t error = cudaSuccess;
  return error;
}

void fail(cudaError_t code, std::string kind, std::string message, std::string hint) {
  throw failure_of(code, std::move(kind), std::move(message), std::move(hint));
}

cudaError_t call(const char* name, const std::function<void()>& body) {
  Runtime& state = runtime();
  const std::lock_guard lock(state.mutex);
  if (state.sticky != cudaSuccess) return state.sticky;
  try {
    body();
    return state.sticky;
  } catch (Failure& failure) {
    return record(name, std::move(failure));
  } catch (const std::bad_alloc&) {
    return record(name, failure_of(cudaErrorMemoryAllocation, "out of memory",
                                   "this machine has no memory left for the simulator itself", "Use smaller sizes."));
  } catch (const std::exception& error) {
    return record(name, failure_of(cudaErrorUnknown, "internal error", error.what(),
                                   "This is a mistake in the simulator; please report it with the program."));
  }
}

void require_result(const void* pointer, const char* parameter) {
  if (pointer == nullptr)
    fail(cudaErrorInvalidValue, "bad argument", fmt::format("{} is null, so the result has no place to go", parameter),
         "Pass the address of a variable.");
}

std::string description_of(const machine::Allocation& allocation) {
  if (allocation.origin.starts_with("cuda"))
    return fmt::format("an allocation of {} bytes ({})", allocation.bytes, allocation.origin);
  return fmt::format("the variable {} of {} bytes", allocation.origin, allocation.bytes);
}

std::string description_of(const void* pointer) {
  using Kind = machine::AddressInfo::Kind;
  const machine::AddressInfo info = runtime().memory.describe(reinterpret_cast<machine::Address>(pointer));
  const std::string owner = info.allocation ? description_of(*info.allocation) : "";
  const std::int64_t size = info.allocation ? static_cast<std::int64_t>(info.allocation->bytes) : 0;
  switch (info.kind) {
    case Kind::inside:
      return info.offset == 0 ? owner : fmt::format("{} bytes into {}", info.offset, owner);
    case Kind::past_end:
      return info.offset == size ? "the end of " + owner
                                 : fmt::format("{} bytes past the end of {}", info.offset - size, owner);
    case Kind::before_start:
      return fmt::format("{} bytes before {}", -info.offset, owner);
    case Kind::freed:
      return info.offset == 0 ? owner + ", which was freed"
                              : fmt::format("{} bytes into {}, which was freed", info.offset, owner);
    case Kind::null:
      return info.offset == 0 ? "a null pointer" : fmt::format("{} bytes past a null pointer", info.offset);
    case Kind::host:
      return "a host pointer";
    case Kind::never_allocated:
      return "a device address that was never allocated";
  }
  return "";
}

}  // namespace warpwright::cudart
