// Streams and events. Everything has already happened when a call returns: work runs in the order of the calls, which
// is one of the orders that streams and their events allow. So waiting is free, and a query always says "done". What is
// waited for is noted all the same (stream_order.h).
#include <cuda_runtime_api.h>
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

#include "cudart/launch.h"
#include "cudart/operations.h"
#include "cudart/passed.h"
#include "cudart/per_thread.h"
#include "cudart/runtime.h"

using namespace warpwright::cudart;

namespace {

constexpr int least_priority = 0;
constexpr int greatest_priority = -5;

bool is_default(cudaStream_t stream) {
  return stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
}

constexpr CUstream_st default_stream;

const CUstream_st& live(cudaStream_t stream) {
  if (is_default(stream)) return default_stream;
  const auto found = runtime().streams.find(stream);
  if (found == runtime().streams.end())
    fail(cudaErrorInvalidResourceHandle, "bad handle", "the stream does not exist, or was destroyed",
         "Create it with cudaStreamCreate, and destroy it after its last use.");
  return *found->second;
}

CUevent_st& live(cudaEvent_t event) {
  const auto found = runtime().events.find(event);
  if (found == runtime().events.end())
    fail(cudaErrorInvalidResourceHandle, "bad handle", "the event does not exist, or was destroyed",
         "Create it with cudaEventCreate, and destroy it after its last use.");
  return *found->second;
}

void create(cudaStream_t* stream, unsigned flags, int priority) {
  require_result(stream, "pStream");
  if (flags != cudaStreamDefault && flags != cudaStreamNonBlocking)
    fail(cudaErrorInvalidValue, "bad argument", fmt::format("unknown flags {}", flags),
         "Pass cudaStreamDefault or cudaStreamNonBlocking.");
  auto created = std::make_unique<CUstream_st>();
  created->flags = flags;
  created->priority = std::clamp(priority, greatest_priority, least_priority);
  created->order = runtime().order.add(flags != cudaStreamNonBlocking);
  const auto has_number = [&](const auto& other) { return other.second->number == created->number; };
  while (std::ranges::any_of(runtime().streams, has_number)) ++created->number;
  *stream = created.get();
  runtime().streams.emplace(*stream, std::move(created));
}

void create(cudaEvent_t* event, unsigned flags) {
  require_result(event, "event");
  if ((flags & ~(cudaEventBlockingSync | cudaEventDisableTiming)) != 0)
    fail(cudaErrorInvalidValue, "bad argument", fmt::format("flags {} are not supported", flags),
         "Pass cudaEventDefault, cudaEventBlockingSync or cudaEventDisableTiming.");
  auto created = std::make_unique<CUevent_st>(CUevent_st{flags, {}, {}});
  *event = created.get();
  runtime().events.emplace(*event, std::move(created));
}

void record(cudaEvent_t event, cudaStream_t stream) {
  live(stream);
  CUevent_st& found = live(event);
  found.recorded = std::chrono::steady_clock::now();
  found.order = runtime().order.record(number_of(stream));
}

/// The host has seen that it is over.
void host_knows(cudaStream_t stream) { runtime().order.host_waits_for(number_of(stream)); }
void host_knows(cudaEvent_t event) { runtime().order.host_waits_for(live(event).order); }

std::chrono::steady_clock::time_point time_of(cudaEvent_t event, const char* role) {
  const CUevent_st& found = live(event);
  if ((found.flags & cudaEventDisableTiming) != 0)
    fail(cudaErrorInvalidResourceHandle, "bad handle", fmt::format("the {} event keeps no time", role),
         "Create it without cudaEventDisableTiming.");
  if (!found.recorded)
    fail(cudaErrorInvalidResourceHandle, "bad handle", fmt::format("the {} event was never recorded", role),
         "Call cudaEventRecord for both events first.");
  return *found.recorded;
}

void require_waited_for(cudaEvent_t event, const char* role) {
  if (runtime().order.host_knows(live(event).order)) return;
  host_knows(event);  // who asks again and again is told in the end
  fail(cudaErrorNotReady, "not waited for", fmt::format("the {} event may not have happened yet", role),
       "Call cudaEventSynchronize on it first.");
}

}  // namespace

void warpwright::cudart::require(cudaStream_t stream) { live(stream); }

extern "C" cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return call("cudaStreamCreate", [&] { create(stream, cudaStreamDefault, least_priority); });
}

extern "C" cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  return call("cudaStreamCreateWithFlags", [&] { create(stream, flags, least_priority); });
}

extern "C" cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
  return call("cudaStreamCreateWithPriority", [&] { create(stream, flags, priority); });
}

extern "C" cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return call("cudaStreamDestroy", [&] {
    if (is_default(stream))
      fail(cudaErrorInvalidResourceHandle, "bad handle", "the default stream cannot be destroyed",
           "Destroy only streams that cudaStreamCreate made.");
    runtime().order.retire(number_of(stream));
    runtime().streams.erase(stream);
  });
}

extern "C" cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return call("cudaStreamSynchronize", [&] {
    host_knows(stream);
    print_out();
  });
}

extern "C" cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return call("cudaStreamQuery", [&] { host_knows(stream); });
}

extern "C" cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  return call("cudaStreamWaitEvent", [&] {
    live(stream);
    runtime().order.wait(number_of(stream), live(event).order);
  });
}

extern "C" cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags) {
  return call("cudaStreamGetFlags", [&] {
    require_result(flags, "flags");
    *flags = live(stream).flags;
  });
}

extern "C" cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  return call("cudaStreamGetPriority", [&] {
    require_result(priority, "priority");
    *priority = live(stream).priority;
  });
}

extern "C" cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device) {
  return call("cudaStreamGetDevice", [&] {
    require_result(device, "device");
    live(stream);
    *device = 0;
  });
}

extern "C" cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  return call("cudaStreamIsCapturing", [&] {
    require_result(status, "pCaptureStatus");
    live(stream);
    *status = cudaStreamCaptureStatusNone;
  });
}

extern "C" cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return call("cudaDeviceGetStreamPriorityRange", [&] {
    if (least != nullptr) *least = least_priority;
    if (greatest != nullptr) *greatest = greatest_priority;
  });
}

extern "C" cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  const cudaError_t checked = call("cudaLaunchHostFunc", [&] { host_knows(stream); });  // it may tell others
  if (checked == cudaSuccess) function(data);  // outside of `call`, whose lock it must not meet
  return checked;
}

extern "C" cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return call("cudaEventCreate", [&] { create(event, cudaEventDefault); });
}

extern "C" cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  return call("cudaEventCreateWithFlags", [&] { create(event, flags); });
}

extern "C" cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return call("cudaEventRecord", [&] { record(event, stream); });
}

extern "C" cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned) {
  return call("cudaEventRecordWithFlags", [&] { record(event, stream); });
}

extern "C" cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return call("cudaEventSynchronize", [&] {
    host_knows(event);
    print_out();
  });
}

extern "C" cudaError_t cudaEventQuery(cudaEvent_t event) {
  return call("cudaEventQuery", [&] { host_knows(event); });
}

extern "C" cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  return call("cudaEventElapsedTime", [&] {
    require_result(milliseconds, "ms");
    const auto begun = time_of(start, "start");
    const std::chrono::duration<float, std::milli> elapsed = time_of(end, "end") - begun;
    require_waited_for(end, "end");
    require_waited_for(start, "start");
    *milliseconds = elapsed.count();
  });
}

extern "C" cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return call("cudaEventDestroy", [&] {
    live(event);
    runtime().events.erase(event);
  });
}

extern "C" cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function, void* data,
                                             unsigned flags) {
  const cudaError_t checked = call("cudaStreamAddCallback", [&] {
    live(stream);
    if (function == nullptr || flags != 0)
      fail(cudaErrorInvalidValue, "bad argument", function == nullptr ? "the callback is null" : "flags must be 0",
           "Pass a function, and 0 as the last argument.");
    host_knows(stream);  // the callback may tell others
  });
  if (checked == cudaSuccess) function(stream, cudaSuccess, data);
  return checked;
}

extern "C" cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id) {
  return call("cudaStreamGetId", [&] {
    require_result(id, "streamId");
    live(stream);
    *id = reinterpret_cast<std::uintptr_t>(stream);
  });
}

// Attributes of streams prefer and tune; what a stream computes does not depend on them.
extern "C" cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID, const cudaStreamAttrValue* value) {
  return call("cudaStreamSetAttribute", [&] {
    require_result(value, "value");
    live(stream);
  });
}

extern "C" cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                              cudaStreamAttrValue* value) {
  return call("cudaStreamGetAttribute", [&] {
    require_result(value, "value_out");
    *value = {};
    if (Passed(attribute).number == cudaStreamAttributePriority) value->priority = live(stream).priority;
    live(stream);
  });
}

extern "C" cudaError_t cudaStreamCopyAttributes(cudaStream_t destination, cudaStream_t source) {
  return call("cudaStreamCopyAttributes", [&] {
    live(destination);
    live(source);
  });
}

extern "C" cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                                unsigned long long* id, cudaGraph_t* graph, const cudaGraphNode_t**,
                                                const cudaGraphEdgeData**, std::size_t* dependencies) {
  return call("cudaStreamGetCaptureInfo", [&] {
    require_result(status, "captureStatus_out");
    live(stream);
    *status = cudaStreamCaptureStatusNone;
    if (id != nullptr) *id = 0;
    if (graph != nullptr) *graph = nullptr;
    if (dependencies != nullptr) *dependencies = 0;
  });
}

extern "C" cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  return call("cudaThreadExchangeStreamCaptureMode", [&] {
    require_result(mode, "mode");
    thread_local cudaStreamCaptureMode current = cudaStreamCaptureModeGlobal;
    std::swap(current, *mode);
  });
}

PER_THREAD_STREAM(cudaStreamSynchronize, ptsz, 1);
PER_THREAD_STREAM(cudaStreamQuery, ptsz, 1);
PER_THREAD_STREAM(cudaStreamWaitEvent, ptsz, 3);
PER_THREAD_STREAM(cudaStreamGetFlags, ptsz, 2);
PER_THREAD_STREAM(cudaStreamGetPriority, ptsz, 2);
PER_THREAD_STREAM(cudaStreamGetDevice, ptsz, 2);
PER_THREAD_STREAM(cudaStreamGetId, ptsz, 2);
PER_THREAD_STREAM(cudaStreamAddCallback, ptsz, 4);
PER_THREAD_STREAM(cudaStreamSetAttribute, ptsz, 3);
PER_THREAD_STREAM(cudaStreamGetAttribute, ptsz, 3);
PER_THREAD_STREAM(cudaStreamCopyAttributes, ptsz, 2);
PER_THREAD_STREAM(cudaStreamIsCapturing, ptsz, 2);
PER_THREAD_STREAM(cudaStreamGetCaptureInfo, ptsz, 7);
PER_THREAD_STREAM(cudaLaunchHostFunc, ptsz, 3);
PER_THREAD_STREAM(cudaEventRecord, ptsz, 2);
PER_THREAD_STREAM(cudaEventRecordWithFlags, ptsz, 3);
