#include "cudart/runtime.h"

#include <fmt/core.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <utility>

#include "cudart/host_access.h"
#include "cudart/refuse.h"

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

void record(observe::Diagnosis diagnosis) {
  if (diagnosis.kernel.empty()) diagnosis.message = fmt::format("{}: {}", current_function(), diagnosis.message);
  if (!diagnosis.message.ends_with('.')) diagnosis.message += '.';
  if (const auto place = place_of(call_site(), diagnosis.kernel); place && diagnosis.file.empty()) {
    diagnosis.file = place->file;
    diagnosis.line = place->line;
  }
  runtime().keep(std::move(diagnosis));
}

cudaError_t record(Failure failure) {
  record(std::move(failure.diagnosis));
  return last_error() = failure.code;
}

std::atomic<bool> is_started = false;

/// The card that the environment variable names; the first of all when it is not set.
const Device& wanted_device() {
  const char* name = std::getenv("WARPWRIGHT_DEVICE");
  if (name == nullptr || *name == '\0') return devices().front();
  if (const Device* device = find_device(name)) return *device;
  fmt::print(stderr, "warpwright: there is no simulated {}; WARPWRIGHT_DEVICE can be {}.\n", name, names_of_devices());
  std::_Exit(EXIT_FAILURE);
}

cudaError_t attempt(const std::function<void()>& body) {
  try {
    body();
    return runtime().sticky;
  } catch (Failure& failure) {
    return record(std::move(failure));
  } catch (const std::bad_alloc&) {
    return record(failure_of(cudaErrorMemoryAllocation, "out of memory",
                             "this machine has no memory left for the simulator itself", "Use smaller sizes."));
  } catch (const std::exception& error) {
    return record(failure_of(cudaErrorUnknown, "internal error", error.what(),
                             "This is a mistake in the simulator; please report it with the program."));
  }
}

/// Happens before main, where nobody could catch an exception.
Runtime& start() {
  try {
    Runtime& made = *new Runtime;
    is_started = true;
    watch_host_accesses();
    return made;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "warpwright: the simulated GPU cannot reserve addresses for its memory; raise `ulimit -v`.\n");
    std::_Exit(EXIT_FAILURE);
  }
}

}  // namespace

Runtime::Runtime() : device(wanted_device()), memory(reservation, device.memory_bytes) {
  if (make_recorder != nullptr) recorder = make_recorder(device);
}

void Runtime::keep(observe::Report report) {
  if (recorder)
    recorder->launch(report);
  else
    launches.push_back(std::move(report));
}

void Runtime::keep(observe::Diagnosis diagnosis) {
  if (recorder)
    recorder->diagnosis(diagnosis);
  else
    diagnoses.push_back(std::move(diagnosis));
}

Runtime& runtime() {
  static Runtime& the_runtime = start();
  return the_runtime;
}

bool started() { return is_started; }

const char*& current_function() {
  thread_local const char* name = "";
  return name;
}

bool& in_brackets() {
  thread_local bool is_in = false;
  return is_in;
}

cudaError_t& last_error() {
  thread_local cudaError_t error = cudaSuccess;
  return error;
}

void fail(cudaError_t code, std::string kind, std::string message, std::string hint) {
  throw failure_of(code, std::move(kind), std::move(message), std::move(hint));
}

void warn(std::string kind, std::string message, std::string hint) {
  observe::Diagnosis diagnosis =
      failure_of(cudaSuccess, std::move(kind), std::move(message), std::move(hint)).diagnosis;
  diagnosis.is_warning = true;
  record(std::move(diagnosis));
}

cudaError_t call(const char* name, const std::function<void()>& body) {
  Runtime& state = runtime();
  const std::lock_guard lock(state.mutex);
  current_function() = name;
  const cudaError_t result = state.sticky != cudaSuccess ? state.sticky : attempt(body);
  state.guard.refresh();
  current_function() = "";
  if (result == cudaSuccess) return result;
  if (!in_brackets())
    state.unread.clear();
  else if (state.unread.empty())
    state.unread = fmt::format("{} ({})", cudaGetErrorName(result), cudaGetErrorString(result));
  return result;
}

void end_of_process() {
  if (!started()) return;
  Runtime& state = runtime();
  const std::lock_guard lock(state.mutex);
  if (!state.recorder) return;
  if (!state.unread.empty())
    state.keep(failure_of(cudaSuccess, "unread error",
                          fmt::format("a launch failed with {}, and the program never asked", state.unread),
                          "Call cudaGetLastError() after each launch: <<<...>>> itself returns nothing.")
                   .diagnosis);
  if (!state.printed.empty() && state.sticky == cudaSuccess)
    state.keep(
        failure_of(cudaSuccess, "lost output",
                   fmt::format("{} bytes that kernels have printed never appear, as the program ended without "
                               "waiting for them",
                               state.printed.size()),
                   "Call cudaDeviceSynchronize() behind the last launch: printf() in kernels writes to a buffer, "
                   "which is shown when the host waits.")
            .diagnosis);
  std::vector<Leak> leaks;
  for (const machine::Allocation& one : state.memory.live()) {
    if (state.sticky != cudaSuccess) break;  // a kernel has broken the GPU: nothing could be freed any more
    if (!one.origin.starts_with("cuda")) continue;
    Leak& leak = leaks.emplace_back(Leak{one.bytes, one.origin, one.number, {}, 0});
    if (const auto place = place_of(state.allocated_at[one.number])) {
      leak.file = place->file;
      leak.line = place->line;
    }
  }
  state.recorder->end(leaks);
}

cudaError_t refuse(const char* function, const Feature& feature) {
  return call(function, [&] {
    fail(cudaErrorNotSupported, "unsupported feature", fmt::format("not simulated: {}", feature.words), feature.hint);
  });
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
