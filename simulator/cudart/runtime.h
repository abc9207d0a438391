// Problem: some eighty C functions share one simulated GPU, fail in the same ways, and may be called before main.
// Idea: all state is one object, made at first use; every function's body runs inside `call`, which locks it, turns a
// thrown Failure into CUDA's code and a diagnosis, and answers for a GPU that a kernel has already broken.
// Invariant: no exception leaves the library; a call that fails leaves a diagnosis that says why and what mends it.
// Left out: what the functions do. The state is never destroyed, because a program's own destructors may still call.
#pragma once

#include <cuda_runtime_api.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "cudart/call_site.h"
#include "cudart/device.h"
#include "cudart/host_guard.h"
#include "cudart/modules.h"
#include "cudart/reservation.h"
#include "cudart/session.h"
#include "cudart/stream_order.h"
#include "cudart/stream_races.h"
#include "machine/memory.h"
#include "observe/report.h"

/// What a cudaStream_t points to. Work runs at once, in the order of the calls, which is an order that streams allow.
struct CUstream_st {
  unsigned flags = cudaStreamDefault;
  int priority = 0;
  warpwright::cudart::StreamOrder::Stream order = warpwright::cudart::StreamOrder::legacy;
  unsigned number = 1;  // for messages: the first that no other live stream has
};

/// What a cudaEvent_t points to. Its time is the host's: the difference of two says how long the simulator took, and
/// nothing about a GPU.
struct CUevent_st {
  unsigned flags = cudaEventDefault;
  std::optional<std::chrono::steady_clock::time_point> recorded;
  warpwright::cudart::StreamOrder::Clock order;  // what is over when it has happened
};

/// What a cudaMemPool_t points to.
struct CUmemPoolHandle_st {
  std::map<cudaMemPoolAttr, std::uint64_t> attributes;  // those that were set
};

namespace warpwright::cudart {

struct Runtime {
  Runtime();

  std::recursive_mutex mutex;
  const Device& device;
  AddressReservation reservation;
  machine::DeviceMemory memory;
  Modules modules;
  std::map<const void*, std::unique_ptr<CUstream_st>> streams;  // live ones, by handle
  std::map<const void*, std::unique_ptr<CUevent_st>> events;
  StreamOrder order;
  StreamRaces races;
  HostGuard guard;
  std::map<std::thread::id, StreamOrder::Stream> stream_of_thread;  // default streams of threads
  std::map<const void*, std::unique_ptr<CUmemPoolHandle_st>> pools;
  cudaMemPool_t default_pool = nullptr, current_pool = nullptr;  // null until somebody asks
  std::map<cudaLimit, std::size_t> limits;
  unsigned device_flags = cudaDeviceScheduleAuto;
  cudaFuncCache cache_config = cudaFuncCachePreferNone;

  std::map<std::uint64_t, CallSite> allocated_at;  // who asked for memory, by the allocation's number
  std::map<std::uint64_t, CallSite> freed_at;      // who freed it

  std::string printed;               // by kernels, and not shown yet
  cudaError_t sticky = cudaSuccess;  // what a kernel left behind: every later call returns it
  std::string unread;                // why a launch by <<<...>>> failed, until the program asks or is told
  Settings settings;
  std::unique_ptr<Recorder> recorder;
  std::uint64_t launched = 0;             // kernels
  std::vector<observe::Report> launches;  // those that no recorder took
  std::vector<observe::Diagnosis> diagnoses;

  void keep(observe::Report report);
  void keep(observe::Diagnosis diagnosis);
};

Runtime& runtime();
/// Whether there is one yet: a process that only inherited the library has none.
bool started();

/// Defined by the shared library alone, where the linker finds it: what a program of its own is recorded with.
[[gnu::weak]] std::unique_ptr<Recorder> make_recorder(const Device& device);

/// How an API function fails: CUDA's code, and words for whoever called it.
struct Failure {
  cudaError_t code = cudaErrorUnknown;
  observe::Diagnosis diagnosis;
};

/// Throws a Failure. `kind` is a short noun ("bad copy"), `hint` what mends it.
[[noreturn]] void fail(cudaError_t code, std::string kind, std::string message, std::string hint = "");
/// Keeps a warning: the call goes on.
void warn(std::string kind, std::string message, std::string hint);

/// Runs the body of the API function `name`. The name starts the message of a failure that names no kernel.
cudaError_t call(const char* name, const std::function<void()>& body);

/// The API function that the calling thread is in; empty when it is in none.
const char*& current_function();

/// The calling thread is in a launch written <<<...>>>: what the API function returns, nobody sees.
bool& in_brackets();

/// The calling thread's last error: what cudaGetLastError returns while no kernel has broken the GPU.
cudaError_t& last_error();

/// The process ends: tells the recorder what the program has left undone.
void end_of_process();

/// Fails unless `pointer`, which the API function fills in, is there.
void require_result(const void* pointer, const char* parameter);

/// Fails unless `device` is the number of a device: 0.
void require_device(int device);

/// Memory of the card, or null for 0 bytes. Throws Failure (memory_api.cpp).
void* allocate(std::size_t bytes, const char* origin, machine::Place place);
/// How far apart rows of so many bytes lie in a pitched allocation.
std::size_t pitch_of(std::size_t width);

/// What an address is, in a few words: "a host pointer", "20 bytes past the end of an allocation of 1024 bytes
/// (cudaMalloc)".
std::string description_of(const void* pointer);
/// "an allocation of 1024 bytes (cudaMalloc)", "the variable table of 16 bytes".
std::string description_of(const machine::Allocation& allocation);

inline constexpr const char* default_stream_words = "the default stream";
/// Fails unless `stream` is a default stream or a live one.
void require(cudaStream_t stream);

}  // namespace warpwright::cudart
