// __device__, __constant__ and __managed__ variables from the host's side, where a variable is known by the address of
// its shadow.
#include <cuda_runtime_api.h>
#include <fmt/core.h>

#include "cudart/copies.h"
#include "cudart/per_thread.h"
#include "cudart/runtime.h"

using namespace warpwright::cudart;

namespace {

struct Place {
  std::byte* address = nullptr;
  std::size_t bytes = 0;
};

Place place_of(const void* symbol) {
  const Modules::Found found = runtime().modules.variable(symbol);
  if (found.variable == nullptr)
    fail(cudaErrorInvalidSymbol, "bad symbol",
         fmt::format("the symbol is no variable of a kernel's: it is {}", description_of(symbol)),
         "Pass the __device__ or __constant__ variable itself, not a pointer, a device address or a name.");
  found.module->load();
  const auto address = found.module->symbols().addresses.find(found.variable->name);
  if (address == found.module->symbols().addresses.end())
    fail(cudaErrorInvalidSymbol, "bad symbol",
         fmt::format("the object's PTX does not hold the variable {}", readable(found.variable->name)),
         "Build the object again.");
  return {reinterpret_cast<std::byte*>(address->second), found.variable->bytes};
}

/// The address `offset` bytes into a variable, once `bytes` are known to fit behind it.
std::byte* part_of(const void* symbol, std::size_t offset, std::size_t bytes) {
  const Place place = place_of(symbol);
  if (offset > place.bytes || bytes > place.bytes - offset)
    fail(cudaErrorInvalidValue, "out of bounds",
         fmt::format("copies {} bytes at offset {} of {}", bytes, offset, description_of(place.address)),
         "Size and offset are in bytes.");
  return place.address + offset;
}

void require_kind(Passed<cudaMemcpyKind> kind, cudaMemcpyKind natural) {
  if (kind.number != natural && kind.number != cudaMemcpyDeviceToDevice && kind.number != cudaMemcpyDefault)
    fail(cudaErrorInvalidMemcpyDirection, "bad copy", "the direction does not fit a variable on the device",
         natural == cudaMemcpyHostToDevice ? "Pass cudaMemcpyHostToDevice or cudaMemcpyDeviceToDevice."
                                           : "Pass cudaMemcpyDeviceToHost or cudaMemcpyDeviceToDevice.");
}

void copy_to(const void* symbol, const void* source, std::size_t bytes, std::size_t offset, Passed<cudaMemcpyKind> kind,
             const Queue& queue) {
  require_kind(kind, cudaMemcpyHostToDevice);
  copy(part_of(symbol, offset, bytes), source, bytes, kind, queue);
}

void copy_from(void* destination, const void* symbol, std::size_t bytes, std::size_t offset,
               Passed<cudaMemcpyKind> kind, const Queue& queue) {
  require_kind(kind, cudaMemcpyDeviceToHost);
  copy(destination, part_of(symbol, offset, bytes), bytes, kind, queue);
}

}  // namespace

extern "C" cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* source, std::size_t bytes, std::size_t offset,
                                          cudaMemcpyKind kind) {
  return call("cudaMemcpyToSymbol", [&] { copy_to(symbol, source, bytes, offset, kind, in_default_stream); });
}

extern "C" cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* source, std::size_t bytes,
                                               std::size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
  return call("cudaMemcpyToSymbolAsync", [&] {
    require(stream);
    copy_to(symbol, source, bytes, offset, kind, in_stream(stream));
  });
}

extern "C" cudaError_t cudaMemcpyFromSymbol(void* destination, const void* symbol, std::size_t bytes,
                                            std::size_t offset, cudaMemcpyKind kind) {
  return call("cudaMemcpyFromSymbol", [&] { copy_from(destination, symbol, bytes, offset, kind, in_default_stream); });
}

extern "C" cudaError_t cudaMemcpyFromSymbolAsync(void* destination, const void* symbol, std::size_t bytes,
                                                 std::size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
  return call("cudaMemcpyFromSymbolAsync", [&] {
    require(stream);
    copy_from(destination, symbol, bytes, offset, kind, in_stream(stream));
  });
}

extern "C" cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol) {
  return call("cudaGetSymbolAddress", [&] {
    require_result(pointer, "devPtr");
    *pointer = place_of(symbol).address;
  });
}

extern "C" cudaError_t cudaGetSymbolSize(std::size_t* bytes, const void* symbol) {
  return call("cudaGetSymbolSize", [&] {
    require_result(bytes, "size");
    *bytes = place_of(symbol).bytes;
  });
}

PER_THREAD_STREAM(cudaMemcpyToSymbol, ptds, 5);
PER_THREAD_STREAM(cudaMemcpyToSymbolAsync, ptsz, 6);
PER_THREAD_STREAM(cudaMemcpyFromSymbol, ptds, 5);
PER_THREAD_STREAM(cudaMemcpyFromSymbolAsync, ptsz, 6);
