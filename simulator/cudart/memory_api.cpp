// Allocation in the simulated card's memory, and questions about pointers. Pinned host memory and managed memory come
// from the same range, since a kernel reaches both through the same addresses.
#include <cuda_runtime_api.h>
#include <fmt/core.h>

#include <string>

#include "cudart/operations.h"
#include "cudart/per_thread.h"
#include "cudart/runtime.h"

using namespace warpwright::cudart;
using warpwright::machine::Address;
using warpwright::machine::Allocation;
using warpwright::machine::Place;

namespace {

// Rows of a pitched allocation start at multiples of this, as on current cards.
constexpr std::size_t pitch_granule = 512;

void free(void* pointer, const char* allocated_by, bool host) {
  if (pointer == nullptr) return;
  warpwright::machine::DeviceMemory& memory = runtime().memory;
  const auto address = reinterpret_cast<Address>(pointer);
  const Allocation* allocation = memory.find(address, 1);
  if (allocation != nullptr && allocation->base == address && host == (allocation->place == Place::host)) {
    if (allocation->origin == "cudaHostRegister")
      fail(cudaErrorInvalidValue, "bad pointer", "the memory was registered, not allocated, by CUDA",
           "Call cudaHostUnregister, and free it as it was allocated.");
    if (!allocation->origin.starts_with("cuda"))
      fail(cudaErrorInvalidValue, "bad pointer", description_of(pointer) + " lives as long as the program",
           "Do not free a variable.");
    runtime().races.forget(allocation->number);
    runtime().freed_at[allocation->number] = call_site();
    memory.free(address);
    return;
  }
  const std::string what = description_of(pointer);
  const std::string mend =
      allocation != nullptr && allocation->base == address
          ? std::string(host ? "Free device memory with cudaFree." : "Free pinned memory with cudaFreeHost.")
          : fmt::format("Free each pointer once, exactly as {} returned it.", allocated_by);
  fail(cudaErrorInvalidValue, "bad pointer", "the pointer to free is " + what, mend);
}

void allocate_host(void** pointer, std::size_t bytes, const char* origin) {
  require_result(pointer, "the pointer's address");
  *pointer = allocate(bytes, origin, Place::host);
}

}  // namespace

void* warpwright::cudart::allocate(std::size_t bytes, const char* origin, Place place) {
  if (bytes == 0) return nullptr;
  warpwright::machine::DeviceMemory& memory = runtime().memory;
  memory.watch_contents(runtime().settings.sanitizers);
  const Address address = memory.allocate(bytes, origin, place);
  if (address != 0) {
    runtime().allocated_at[memory.find(address, 1)->number] = call_site();
    return reinterpret_cast<void*>(address);
  }
  const std::size_t left = memory.capacity() - memory.in_use();
  if (place == Place::device && bytes > left)
    fail(cudaErrorMemoryAllocation, "out of memory",
         fmt::format("{} bytes asked for, and {} of the {}'s {} bytes are free", bytes, left, runtime().device.name,
                     memory.capacity()),
         "Free what is no longer used, or work on the data in pieces.");
  fail(cudaErrorMemoryAllocation, "out of memory",
       fmt::format("the machine that simulates the {} cannot supply {} bytes", runtime().device.name, bytes),
       "Use smaller sizes: the simulator needs as much host memory as the program uses device memory.");
}

std::size_t warpwright::cudart::pitch_of(std::size_t width) {
  return (width + pitch_granule - 1) / pitch_granule * pitch_granule;
}

extern "C" cudaError_t cudaMalloc(void** pointer, std::size_t bytes) {
  return call("cudaMalloc", [&] {
    require_result(pointer, "devPtr");
    *pointer = allocate(bytes, "cudaMalloc", Place::device);
  });
}

extern "C" cudaError_t cudaMallocAsync(void** pointer, std::size_t bytes, cudaStream_t stream) {
  return call("cudaMallocAsync", [&] {
    require(stream);
    require_result(pointer, "devPtr");
    *pointer = allocate(bytes, "cudaMallocAsync", Place::device);
    issue_whole(stream, *pointer);
  });
}

extern "C" cudaError_t cudaMallocManaged(void** pointer, std::size_t bytes, unsigned flags) {
  return call("cudaMallocManaged", [&] {
    require_result(pointer, "devPtr");
    if (bytes == 0 || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost))
      fail(cudaErrorInvalidValue, "bad argument",
           bytes == 0 ? "0 bytes asked for" : fmt::format("unknown flags {}", flags),
           "Ask for at least one byte, with cudaMemAttachGlobal or cudaMemAttachHost.");
    *pointer = allocate(bytes, "cudaMallocManaged", Place::managed);
  });
}

extern "C" cudaError_t cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width, std::size_t height) {
  return call("cudaMallocPitch", [&] {
    require_result(pointer, "devPtr");
    require_result(pitch, "pitch");
    *pitch = pitch_of(width);
    *pointer = allocate(*pitch * height, "cudaMallocPitch", Place::device);
  });
}

extern "C" cudaError_t cudaMallocHost(void** pointer, std::size_t bytes) {
  return call("cudaMallocHost", [&] { allocate_host(pointer, bytes, "cudaMallocHost"); });
}

extern "C" cudaError_t cudaHostAlloc(void** pointer, std::size_t bytes, unsigned) {
  return call("cudaHostAlloc", [&] { allocate_host(pointer, bytes, "cudaHostAlloc"); });
}

extern "C" cudaError_t cudaFree(void* pointer) {
  return call("cudaFree", [&] {
    runtime().order.host_waits_for_all();
    free(pointer, "cudaMalloc", false);
  });
}

extern "C" cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  return call("cudaFreeAsync", [&] {
    issue_whole(stream, pointer);
    free(pointer, "cudaMallocAsync", false);
  });
}

extern "C" cudaError_t cudaFreeHost(void* pointer) {
  return call("cudaFreeHost", [&] {
    runtime().order.host_waits_for_all();
    free(pointer, "cudaMallocHost", true);
  });
}

extern "C" cudaError_t cudaHostRegister(void* pointer, std::size_t bytes, unsigned) {
  return call("cudaHostRegister", [&] {
    if (pointer == nullptr || bytes == 0)
      fail(cudaErrorInvalidValue, "bad argument", pointer == nullptr ? "a null pointer" : "0 bytes",
           "Pass host memory and its size in bytes.");
    const auto address = reinterpret_cast<Address>(pointer);
    const bool is_ours = description_of(pointer) != "a host pointer";
    if (is_ours)
      fail(cudaErrorInvalidValue, "bad pointer", "the memory to register is " + description_of(pointer),
           "Register host memory that CUDA did not allocate.");
    if (!runtime().memory.register_host(address, bytes, "cudaHostRegister"))
      fail(cudaErrorHostMemoryAlreadyRegistered, "bad pointer", "part of the memory is registered already",
           "Register each range once, and unregister it in between.");
  });
}

extern "C" cudaError_t cudaHostUnregister(void* pointer) {
  return call("cudaHostUnregister", [&] {
    if (pointer == nullptr)
      fail(cudaErrorInvalidValue, "bad pointer", "a null pointer", "Pass what cudaHostRegister was given.");
    if (!runtime().memory.unregister_host(reinterpret_cast<Address>(pointer)))
      fail(cudaErrorHostMemoryNotRegistered, "bad pointer",
           fmt::format("the pointer is {}, which is not registered", description_of(pointer)),
           "Pass exactly the pointer that cudaHostRegister was given, once.");
  });
}

extern "C" cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned) {
  return call("cudaHostGetDevicePointer", [&] {
    require_result(device, "pDevice");
    const Allocation* allocation = runtime().memory.find(reinterpret_cast<Address>(host), 1);
    if (allocation == nullptr || allocation->place != Place::host)
      fail(cudaErrorInvalidValue, "bad pointer", fmt::format("the host pointer is {}", description_of(host)),
           "Allocate it with cudaHostAlloc or cudaMallocHost, or register it with cudaHostRegister.");
    *device = host;  // one address serves both sides
  });
}

extern "C" cudaError_t cudaMemGetInfo(std::size_t* free_bytes, std::size_t* total) {
  return call("cudaMemGetInfo", [&] {
    require_result(free_bytes, "free");
    require_result(total, "total");
    *total = runtime().memory.capacity();
    *free_bytes = *total - runtime().memory.in_use();
  });
}

extern "C" cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  return call("cudaPointerGetAttributes", [&] {
    require_result(attributes, "attributes");
    *attributes = {};
    auto* mutable_pointer = const_cast<void*>(pointer);
    const Allocation* allocation = runtime().memory.find(reinterpret_cast<Address>(pointer), 1);
    if (allocation == nullptr) {
      attributes->type = cudaMemoryTypeUnregistered;
      attributes->device = cudaInvalidDeviceId;
      attributes->hostPointer = mutable_pointer;
      return;
    }
    attributes->device = 0;
    attributes->devicePointer = mutable_pointer;
    switch (allocation->place) {
      case Place::device:
        attributes->type = cudaMemoryTypeDevice;
        break;
      case Place::host:
        attributes->type = cudaMemoryTypeHost;
        break;
      case Place::managed:
        attributes->type = cudaMemoryTypeManaged;
        break;
    }
    if (allocation->place != Place::device) attributes->hostPointer = mutable_pointer;
  });
}

extern "C" cudaError_t cudaHostGetFlags(unsigned* flags, void* host) {
  return call("cudaHostGetFlags", [&] {
    require_result(flags, "pFlags");
    const Allocation* allocation = runtime().memory.find(reinterpret_cast<Address>(host), 1);
    if (allocation == nullptr || allocation->place != Place::host)
      fail(cudaErrorInvalidValue, "bad pointer", fmt::format("the host pointer is {}", description_of(host)),
           "Allocate it with cudaHostAlloc or cudaMallocHost, or register it with cudaHostRegister.");
    *flags = cudaHostAllocMapped | cudaHostAllocPortable;  // what all pinned memory is, under unified addressing
  });
}

PER_THREAD_STREAM(cudaMallocAsync, ptsz, 3);
PER_THREAD_STREAM(cudaFreeAsync, ptsz, 2);
