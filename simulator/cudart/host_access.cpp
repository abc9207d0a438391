#include "cudart/host_access.h"

#include <errno.h>
#include <fmt/core.h>
#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "cudart/call_site.h"
#include "cudart/runtime.h"
#include "machine/memory.h"

namespace warpwright::cudart {
namespace {

using machine::AddressInfo;

/// What was there before.
struct sigaction other_handler;

/// What stopped, and where.
struct Access {
  machine::Address address = 0;
  const char* verb = "uses";
  void* instruction = nullptr;
};

Access access_of(const siginfo_t& signal, const ucontext_t& context) {
  Access access{reinterpret_cast<machine::Address>(signal.si_addr)};
#if defined(__x86_64__)
  // Intel's manual, "Page-Fault Exceptions": bit 1 of the error code is set by a write.
  access.verb = (context.uc_mcontext.gregs[REG_ERR] & 2) != 0 ? "writes" : "reads";
  access.instruction = reinterpret_cast<void*>(context.uc_mcontext.gregs[REG_RIP]);
#endif
  return access;
}

/// The stack below the handler. A return address stands behind its call; the instruction that stopped is its own place.
CallSite site_of(const Access& access) {
  CallSite site = call_site();
  const auto stopped = std::ranges::find(site, access.instruction);
  if (stopped == site.end()) return site;
  *stopped = static_cast<char*>(*stopped) + 1;
  site.erase(site.begin(), stopped);
  return site;
}

/// Words for one access; `message` follows "host code reads " or "cudaMalloc writes ".
struct Finding {
  std::string kind, message, hint;
};

std::string hint_for_device_memory(const AddressInfo& info) {
  if (*current_function() != '\0') return "Pass the address of a host variable, such as &pointer.";
  // Where an allocator of the host keeps the size of what it is told to free.
  constexpr std::int64_t header = 2 * sizeof(std::size_t);
  if (info.kind == AddressInfo::Kind::before_start && info.offset >= -header)
    return "Free device memory with cudaFree: free() and delete are for the host's.";
  if (info.allocation && !info.allocation->origin.starts_with("cuda"))
    return "Host code cannot reach device memory: copy it with cudaMemcpyFromSymbol and cudaMemcpyToSymbol.";
  return "Host code cannot reach device memory: copy it with cudaMemcpy first, or allocate it with cudaMallocManaged.";
}

Finding finding_at(const AddressInfo& info) {
  if (!info.allocation || info.allocation->place == machine::Place::device)
    return {"device pointer", "device memory", hint_for_device_memory(info)};
  if (info.kind == AddressInfo::Kind::freed)
    return {"use after free", "memory that was freed", "Free memory after its last use."};
  return {"out of bounds", "memory that was not allocated", "Check the index, and the size that was allocated."};
}

observe::Diagnosis diagnosis_of(const Access& access, const AddressInfo& info) {
  observe::Diagnosis diagnosis;
  const char* const function = current_function();
  Finding finding = finding_at(info);
  diagnosis.message = fmt::format("{} {} {}: {}.", *function != '\0' ? function : "host code", access.verb,
                                  finding.message, description_of(reinterpret_cast<const void*>(access.address)));
  diagnosis.kind = std::move(finding.kind);
  diagnosis.hint = std::move(finding.hint);
  if (const auto place = place_of(site_of(access))) {
    diagnosis.file = place->file;
    diagnosis.line = place->line;
  }
  if (!info.allocation) return diagnosis;
  const auto allocated = runtime().allocated_at.find(info.allocation->number);
  if (allocated == runtime().allocated_at.end()) return diagnosis;
  if (const auto place = place_of(allocated->second))
    diagnosis.message += fmt::format(" The memory was allocated at {}:{}.", place->file, place->line);
  return diagnosis;
}

bool is_of_the_device(const AddressInfo& info) {
  return info.kind != AddressInfo::Kind::host && info.kind != AddressInfo::Kind::null;
}

/// Waits for a second at most, by trying again and again: not every ThreadSanitizer knows a timed mutex.
std::unique_lock<std::recursive_mutex> lock_soon() {
  std::unique_lock lock(runtime().mutex, std::try_to_lock);
  for (int tries = 0; !lock.owns_lock() && tries < 1000; ++tries) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    lock.try_lock();
  }
  return lock;
}

void explain(const Access& access, const AddressInfo& info) {
  // The thread may hold it already, in a call that was given a device's pointer for its result. Whoever else holds it
  // may keep it for as long as a kernel runs: no reason to say nothing.
  const auto lock = lock_soon();
  const observe::Diagnosis diagnosis = diagnosis_of(access, info);
  if (runtime().recorder)
    runtime().recorder->diagnosis(diagnosis);
  else
    tell_on_standard_error(diagnosis);
}

/// Whether what stopped is memory that host code may reach: it was closed (host_guard.h), and is open now. Nobody
/// may execute it.
bool may_go_on(const Access& access, const AddressInfo& info) {
  if (!info.allocation || info.allocation->freed || info.allocation->place == machine::Place::device) return false;
  const machine::Allocation& allocation = *info.allocation;
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t pages_end = (allocation.bytes + page - 1) / page * page;  // the rest of the last is closed with it
  if (info.offset < 0 || static_cast<std::size_t>(info.offset) >= pages_end) return false;
  if (access.instruction == reinterpret_cast<void*>(access.address)) return false;
  const auto lock = lock_soon();
  if (!lock.owns_lock()) {  // by whoever waits for this thread, perhaps
    AddressReservation::let_host(AddressReservation::Host::reads_and_writes, allocation.base, allocation.bytes);
    return true;
  }
  const char* const function = current_function();
  std::optional<observe::Diagnosis> race = runtime().races.add({.by = *function != '\0' ? function : "host code",
                                                                .does = access.verb,
                                                                .allocation = allocation.number,
                                                                .offset = static_cast<std::size_t>(info.offset),
                                                                .site = site_of(access)},
                                                               runtime().order);
  if (race) runtime().keep(std::move(*race));
  runtime().guard.open(allocation);
  return true;
}

void on_signal(int signal, siginfo_t* info, void* context) {
  const bool was_sent = info->si_code <= 0;  // by kill(), and says nothing of an address
  if (!was_sent) {
    const Access access = access_of(*info, *static_cast<ucontext_t*>(context));
    const AddressInfo address = runtime().memory.describe(access.address);
    const int error = errno;
    const bool goes_on = may_go_on(access, address);
    errno = error;
    if (goes_on) return;
    if (is_of_the_device(address)) explain(access, address);
  }
  if ((other_handler.sa_flags & SA_SIGINFO) != 0) return other_handler.sa_sigaction(signal, info, context);
  if (other_handler.sa_handler != SIG_DFL && other_handler.sa_handler != SIG_IGN)
    return other_handler.sa_handler(signal);
  // Back at the instruction, it stops again, and now the system does what it does.
  sigaction(signal, &other_handler, nullptr);
  if (was_sent) raise(signal);
}

}  // namespace

void watch_host_accesses() {
  sigaction(SIGSEGV, nullptr, &other_handler);
  struct sigaction ours = {};
  ours.sa_sigaction = on_signal;
  ours.sa_flags = SA_SIGINFO | (other_handler.sa_flags & SA_ONSTACK);  // what the other one needs
  sigaction(SIGSEGV, &ours, nullptr);
}

void tell_on_standard_error(const observe::Diagnosis& diagnosis) {
  const std::string place = diagnosis.file.empty() ? "" : fmt::format("{}:{}: ", diagnosis.file, diagnosis.line);
  fmt::print(stderr, "warpwright: {}{}: {} {}\n", place, diagnosis.kind, diagnosis.message, diagnosis.hint);
}

}  // namespace warpwright::cudart
