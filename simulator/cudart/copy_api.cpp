#include <fmt/core.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cudart/copies.h"
#include "cudart/launch.h"
#include "cudart/operations.h"
#include "cudart/per_thread.h"
#include "cudart/runtime.h"

namespace warpwright::cudart {
namespace {

using machine::Address;
using machine::Allocation;
using machine::Place;

enum class Expected { host, device, either };

struct Direction {
  const char* words;
  Expected source, destination;
};

Direction direction_of(Passed<cudaMemcpyKind> kind) {
  switch (kind.number) {
    case cudaMemcpyHostToHost:
      return {"host to host", Expected::host, Expected::host};
    case cudaMemcpyHostToDevice:
      return {"host to device", Expected::host, Expected::device};
    case cudaMemcpyDeviceToHost:
      return {"device to host", Expected::device, Expected::host};
    case cudaMemcpyDeviceToDevice:
      return {"device to device", Expected::device, Expected::device};
    case cudaMemcpyDefault:
      return {"default", Expected::either, Expected::either};
  }
  fail(cudaErrorInvalidMemcpyDirection, "bad copy", fmt::format("{} is no direction", kind.number),
       "Pass a value of cudaMemcpyKind.");
}

/// The address is one that only a device has, whether or not it is a good one.
bool is_device_address(const void* pointer) {
  using Kind = machine::AddressInfo::Kind;
  const Kind kind = runtime().memory.describe(reinterpret_cast<Address>(pointer)).kind;
  return kind != Kind::host && kind != Kind::null;
}

/// The direction that the pointers ask for, as an argument.
const char* fitting_kind(const void* destination, const void* source) {
  if (is_device_address(source))
    return is_device_address(destination) ? "cudaMemcpyDeviceToDevice" : "cudaMemcpyDeviceToHost";
  return is_device_address(destination) ? "cudaMemcpyHostToDevice" : "cudaMemcpyHostToHost";
}

/// "table", of a pointer into what host code knows of a variable; else nothing.
std::string variable_at(const void* pointer) {
  const Modules::Found found = runtime().modules.variable_around(pointer);
  return found.variable != nullptr ? readable(found.variable->name) : "";
}

std::string no_place(const char* role, const std::string& variable) {
  return fmt::format("the {} is what host code knows of the variable {}, not its place on the device", role, variable);
}

/// Checks that all of `bytes` from `pointer` on are live memory of the device's range.
void check_range(const char* verb, const char* role, const void* pointer, std::size_t bytes) {
  const auto address = reinterpret_cast<Address>(pointer);
  if (runtime().memory.find(address, bytes) != nullptr) return;
  const Allocation* start = runtime().memory.find(address, 1);
  if (start == nullptr)
    fail(cudaErrorInvalidValue, "bad pointer", fmt::format("the {} is {}", role, description_of(pointer)),
         "Pass a pointer into an allocation that has not been freed.");
  const std::size_t left = start->bytes - (address - start->base);
  const std::string from = left == start->bytes ? "" : fmt::format(", of which {} bytes are left from there", left);
  fail(cudaErrorInvalidValue, "out of bounds",
       fmt::format("{} {} bytes, but the {} is {}{}", verb, bytes, role, description_of(pointer), from),
       left % bytes == 0 || bytes % left == 0 ? "Sizes are in bytes: multiply the number of elements by sizeof once."
                                              : "Make the allocation larger, or the size smaller.");
}

/// Whether host memory at this place holds a pointer to device memory. It need not be readable.
bool holds_device_pointer(const void* place) {
  void* held = nullptr;
  const iovec here{&held, sizeof held};
  const iovec there{const_cast<void*>(place), sizeof held};
  return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == sizeof held && is_device_address(held);
}

void check_end(const char* role, const void* pointer, std::size_t bytes, Expected expected, const Direction& direction,
               const char* fitting) {
  if (reinterpret_cast<Address>(pointer) == 0)
    fail(cudaErrorInvalidValue, "bad pointer", fmt::format("the {} is a null pointer", role),
         "Check that its allocation succeeded.");
  if (!is_device_address(pointer)) {
    if (expected == Expected::host) return;
    if (const std::string variable = variable_at(pointer); !variable.empty()) {
      const std::string what = no_place(role, variable);
      const char* mend = "Use cudaMemcpyToSymbol or cudaMemcpyFromSymbol, or ask cudaGetSymbolAddress for the place.";
      // A driver cannot know, and copies on the host.
      if (expected == Expected::either) return warn("bad copy", what, mend);
      fail(cudaErrorInvalidValue, "bad copy", what, mend);
    }
    if (expected == Expected::device)
      fail(cudaErrorInvalidValue, "bad copy",
           fmt::format("the {} is a host pointer, but the direction says {}", role, direction.words),
           holds_device_pointer(pointer)
               ? "It is the address of a pointer to device memory: pass the pointer itself, without &."
               : fmt::format("The destination comes first, then the source; for these pointers pass {}.", fitting));
    return;
  }
  check_range("copies", role, pointer, bytes);
  const Allocation* allocation = runtime().memory.find(reinterpret_cast<Address>(pointer), bytes);
  if (expected != Expected::host || allocation->place != Place::device) return;
  const std::string what = fmt::format("the {} is a device pointer ({}), but the direction says {}", role,
                                       description_of(pointer), direction.words);
  const std::string mend =
      fmt::format("The destination comes first, then the source; for these pointers pass {}.", fitting);
  // A driver takes "host to host" to say nothing, and copies (recorded on an H200).
  if (direction.source == direction.destination) return warn("bad copy", what, mend);
  fail(cudaErrorInvalidValue, "bad copy", what, mend);
}

/// What is known of the source's bytes is known of the destination's too.
void note_copy(Address to, Address from, std::size_t bytes) {
  machine::DeviceMemory& memory = runtime().memory;
  const Allocation* target = memory.find(to, bytes);
  const Allocation* origin = memory.find(from, bytes);
  if (target != nullptr && target->contents && origin != nullptr && origin->contents)
    target->contents->copy(to - target->base, *origin->contents, from - origin->base, bytes);
  else
    memory.host_writes(to, bytes);
}

/// What a rectangle of bytes is used for, where CUDA knows of the memory.
void add_part(std::vector<observe::Part>& parts, observe::Use use, const void* start, std::size_t pitch,
              const Extent& extent) {
  const auto address = reinterpret_cast<Address>(start);
  const Allocation* allocation = runtime().memory.find(address, extent.span(pitch));
  if (allocation == nullptr) return;
  observe::Part& part =
      parts.emplace_back(observe::Part{.allocation = allocation->number, .base = allocation->base, .use = use});
  for (std::size_t row = 0; row < extent.height; ++row)
    part.bytes.add(address - allocation->base + row * pitch, extent.width);
}

/// Where one end of a copy is; nothing of memory that CUDA did not allocate.
std::optional<Place> place_of(const void* pointer) {
  const Allocation* allocation = runtime().memory.find(reinterpret_cast<Address>(pointer), 1);
  return allocation == nullptr ? std::nullopt : std::optional(allocation->place);
}

/// Issues a copy, and lets the host wait as the runtime API's "API synchronization behavior" says. What has "might"
/// there counts as waiting, and so does a copy of managed memory, of which nothing is said.
void issue_copy(const void* destination, const void* source, const Queue& queue, std::vector<observe::Part> parts) {
  const std::optional<Place> to = place_of(destination), from = place_of(source);
  const bool is_managed = to == Place::managed || from == Place::managed;
  const bool to_device = to == Place::device, from_device = from == Place::device;
  const bool is_staged = to_device && !from;
  StreamOrder& order = runtime().order;
  const StreamOrder::Stream stream = number_of(queue.stream);
  if (is_staged && !queue.is_asynchronous) order.host_waits_for(stream);
  issue(queue.stream, std::move(parts));
  const bool is_waited_for = is_managed                 ? true
                             : to_device && from_device ? false
                             : to_device                ? !queue.is_asynchronous && !is_staged
                             : from_device              ? !queue.is_asynchronous || !to
                                                        : true;
  if (is_waited_for) order.host_waits_for(stream);
}

}  // namespace

void set(void* destination, std::size_t pitch, int value, Extent extent, const Queue& queue) {
  const std::size_t span = extent.span(pitch);
  if (span == 0) return;
  if (pitch < extent.width)
    fail(cudaErrorInvalidValue, "bad argument",
         fmt::format("rows of {} bytes do not fit a pitch of {} bytes", extent.width, pitch));
  if (const std::string variable = variable_at(destination); !variable.empty())
    fail(cudaErrorInvalidValue, "bad pointer", no_place("destination", variable),
         "Ask cudaGetSymbolAddress for the place.");
  if (!is_device_address(destination))
    fail(cudaErrorInvalidValue, "bad pointer", fmt::format("the destination is {}", description_of(destination)),
         "Pass device memory; host memory is set by std::memset.");
  check_range("sets", "destination", destination, span);
  constexpr int least = -128, most = 255;
  if (value < least || value > most)
    warn("bad argument", fmt::format("sets each byte to {}, which is all that a byte holds of {}", value & most, value),
         "Elements of other values are written by a kernel, or copied.");
  for (std::size_t row = 0; row < extent.height; ++row) {
    const Address at = reinterpret_cast<Address>(destination) + row * pitch;
    std::memset(runtime().memory.place(at), value, extent.width);
    runtime().memory.host_writes(at, extent.width);
  }
  std::vector<observe::Part> parts;
  if (watches_operations()) add_part(parts, observe::Use::writes, destination, pitch, extent);
  issue(queue.stream, std::move(parts));
  if (!queue.is_asynchronous && place_of(destination) != Place::device)
    runtime().order.host_waits_for(number_of(queue.stream));
}

void copy(void* destination, std::size_t destination_pitch, const void* source, std::size_t source_pitch, Extent extent,
          Passed<cudaMemcpyKind> kind, const Queue& queue) {
  const Direction direction = direction_of(kind);
  if (extent.span(source_pitch) == 0) return;
  if (extent.width > destination_pitch || extent.width > source_pitch)
    fail(cudaErrorInvalidPitchValue, "bad argument",
         fmt::format("rows of {} bytes do not fit pitches of {} and {} bytes", extent.width, destination_pitch,
                     source_pitch),
         "Width and pitches are in bytes, and a pitch is at least the width.");
  const char* fitting = fitting_kind(destination, source);
  check_end("source", source, extent.span(source_pitch), direction.source, direction, fitting);
  check_end("destination", destination, extent.span(destination_pitch), direction.destination, direction, fitting);
  for (std::size_t row = 0; row < extent.height; ++row) {
    const Address to = reinterpret_cast<Address>(destination) + row * destination_pitch;
    const Address from = reinterpret_cast<Address>(source) + row * source_pitch;
    std::memmove(runtime().memory.place(to), runtime().memory.place(from), extent.width);
    note_copy(to, from, extent.width);
  }
  std::vector<observe::Part> parts;
  if (watches_operations()) {
    add_part(parts, observe::Use::reads, source, source_pitch, extent);
    add_part(parts, observe::Use::writes, destination, destination_pitch, extent);
  }
  issue_copy(destination, source, queue, std::move(parts));
}

void copy(void* destination, const void* source, std::size_t bytes, Passed<cudaMemcpyKind> kind, const Queue& queue) {
  copy(destination, bytes, source, bytes, {bytes, 1}, kind, queue);
}

}  // namespace warpwright::cudart

using namespace warpwright::cudart;

extern "C" cudaError_t cudaMemcpy(void* destination, const void* source, std::size_t bytes, cudaMemcpyKind kind) {
  return call("cudaMemcpy", [&] {
    print_out();
    copy(destination, source, bytes, kind, in_default_stream);
  });
}

extern "C" cudaError_t cudaMemcpyAsync(void* destination, const void* source, std::size_t bytes, cudaMemcpyKind kind,
                                       cudaStream_t stream) {
  return call("cudaMemcpyAsync", [&] {
    require(stream);
    copy(destination, source, bytes, kind, in_stream(stream));
  });
}

extern "C" cudaError_t cudaMemcpy2D(void* destination, std::size_t destination_pitch, const void* source,
                                    std::size_t source_pitch, std::size_t width, std::size_t height,
                                    cudaMemcpyKind kind) {
  return call("cudaMemcpy2D", [&] {
    copy(destination, destination_pitch, source, source_pitch, {width, height}, kind, in_default_stream);
  });
}

extern "C" cudaError_t cudaMemcpy2DAsync(void* destination, std::size_t destination_pitch, const void* source,
                                         std::size_t source_pitch, std::size_t width, std::size_t height,
                                         cudaMemcpyKind kind, cudaStream_t stream) {
  return call("cudaMemcpy2DAsync", [&] {
    require(stream);
    copy(destination, destination_pitch, source, source_pitch, {width, height}, kind, in_stream(stream));
  });
}

extern "C" cudaError_t cudaMemset(void* destination, int value, std::size_t bytes) {
  return call("cudaMemset", [&] { set(destination, bytes, value, {bytes, 1}, in_default_stream); });
}

extern "C" cudaError_t cudaMemsetAsync(void* destination, int value, std::size_t bytes, cudaStream_t stream) {
  return call("cudaMemsetAsync", [&] {
    require(stream);
    set(destination, bytes, value, {bytes, 1}, in_stream(stream));
  });
}

extern "C" cudaError_t cudaMemset2D(void* destination, std::size_t pitch, int value, std::size_t width,
                                    std::size_t height) {
  return call("cudaMemset2D", [&] { set(destination, pitch, value, {width, height}, in_default_stream); });
}

extern "C" cudaError_t cudaMemset2DAsync(void* destination, std::size_t pitch, int value, std::size_t width,
                                         std::size_t height, cudaStream_t stream) {
  return call("cudaMemset2DAsync", [&] {
    require(stream);
    set(destination, pitch, value, {width, height}, in_stream(stream));
  });
}

PER_THREAD_STREAM(cudaMemcpy, ptds, 4);
PER_THREAD_STREAM(cudaMemcpyAsync, ptsz, 5);
PER_THREAD_STREAM(cudaMemcpy2D, ptds, 7);
PER_THREAD_STREAM(cudaMemcpy2DAsync, ptsz, 8);
PER_THREAD_STREAM(cudaMemset, ptds, 3);
PER_THREAD_STREAM(cudaMemsetAsync, ptsz, 4);
PER_THREAD_STREAM(cudaMemset2D, ptds, 5);
PER_THREAD_STREAM(cudaMemset2DAsync, ptsz, 6);
