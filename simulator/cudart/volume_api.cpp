// Boxes of bytes: pitched allocations of three dimensions, and copies between devices, of which there is one.
#include <cuda_runtime_api.h>
#include <fmt/core.h>

#include "cudart/copies.h"
#include "cudart/per_thread.h"
#include "cudart/runtime.h"

using namespace warpwright::cudart;

namespace {

void refuse_array(const void* array) {
  if (array != nullptr)
    fail(cudaErrorNotSupported, "unsupported feature", "CUDA arrays, the memory of textures, are not supported",
         "Use a pitched pointer (srcPtr, dstPtr).");
}

/// One corner of a box: the address of its first byte, given that a row is `pitch` bytes and a plane `ysize` rows.
std::byte* corner_of(const cudaPitchedPtr& pointer, const cudaPos& position) {
  return static_cast<std::byte*>(pointer.ptr) + (position.z * pointer.ysize + position.y) * pointer.pitch + position.x;
}

/// Planes one by one. A box within one plane says nothing of the size of a plane.
void copy_box(const cudaPitchedPtr& destination, const cudaPos& to, const cudaPitchedPtr& source, const cudaPos& from,
              const cudaExtent& extent, Passed<cudaMemcpyKind> kind, const Queue& queue) {
  if (extent.width == 0 || extent.height == 0 || extent.depth == 0) return;
  if (extent.depth > 1 && (destination.ysize < extent.height || source.ysize < extent.height))
    fail(cudaErrorInvalidValue, "bad argument",
         fmt::format("planes of {} rows do not fit pitched pointers of {} and {} rows", extent.height,
                     destination.ysize, source.ysize),
         "The height of an allocation goes into make_cudaPitchedPtr as its last argument.");
  for (std::size_t plane = 0; plane < extent.depth; ++plane)
    copy(corner_of(destination, {to.x, to.y, to.z + plane}), destination.pitch,
         corner_of(source, {from.x, from.y, from.z + plane}), source.pitch, {extent.width, extent.height}, kind, queue);
}

void copy_box(const cudaMemcpy3DParms* parameters, const Queue& queue) {
  require_result(parameters, "p");
  refuse_array(parameters->srcArray);
  refuse_array(parameters->dstArray);
  copy_box(parameters->dstPtr, parameters->dstPos, parameters->srcPtr, parameters->srcPos, parameters->extent,
           parameters->kind, queue);
}

void copy_box(const cudaMemcpy3DPeerParms* parameters, const Queue& queue) {
  require_result(parameters, "p");
  refuse_array(parameters->srcArray);
  refuse_array(parameters->dstArray);
  require_device(parameters->srcDevice);
  require_device(parameters->dstDevice);
  copy_box(parameters->dstPtr, parameters->dstPos, parameters->srcPtr, parameters->srcPos, parameters->extent,
           cudaMemcpyDefault, queue);
}

void set_box(const cudaPitchedPtr& destination, int value, const cudaExtent& extent, const Queue& queue) {
  for (std::size_t plane = 0; plane < extent.depth; ++plane)
    set(corner_of(destination, {0, 0, plane}), destination.pitch, value, {extent.width, extent.height}, queue);
}

void copy_between(void* destination, int to, const void* source, int from, std::size_t bytes, const Queue& queue) {
  require_device(to);
  require_device(from);
  copy(destination, source, bytes, cudaMemcpyDeviceToDevice, queue);
}

}  // namespace

extern "C" cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent) {
  return call("cudaMalloc3D", [&] {
    require_result(pointer, "pitchedDevPtr");
    const std::size_t pitch = pitch_of(extent.width);
    void* made = allocate(pitch * extent.height * extent.depth, "cudaMalloc3D", warpwright::machine::Place::device);
    *pointer = {made, pitch, extent.width, extent.height};
  });
}

extern "C" cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters) {
  return call("cudaMemcpy3D", [&] { copy_box(parameters, in_default_stream); });
}

extern "C" cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t stream) {
  return call("cudaMemcpy3DAsync", [&] {
    require(stream);
    copy_box(parameters, in_stream(stream));
  });
}

extern "C" cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* parameters) {
  return call("cudaMemcpy3DPeer", [&] { copy_box(parameters, in_default_stream); });
}

extern "C" cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms* parameters, cudaStream_t stream) {
  return call("cudaMemcpy3DPeerAsync", [&] {
    require(stream);
    copy_box(parameters, in_stream(stream));
  });
}

extern "C" cudaError_t cudaMemset3D(cudaPitchedPtr destination, int value, cudaExtent extent) {
  return call("cudaMemset3D", [&] { set_box(destination, value, extent, in_default_stream); });
}

extern "C" cudaError_t cudaMemset3DAsync(cudaPitchedPtr destination, int value, cudaExtent extent,
                                         cudaStream_t stream) {
  return call("cudaMemset3DAsync", [&] {
    require(stream);
    set_box(destination, value, extent, in_stream(stream));
  });
}

extern "C" cudaError_t cudaMemcpyPeer(void* destination, int to, const void* source, int from, std::size_t bytes) {
  return call("cudaMemcpyPeer", [&] { copy_between(destination, to, source, from, bytes, in_default_stream); });
}

extern "C" cudaError_t cudaMemcpyPeerAsync(void* destination, int to, const void* source, int from, std::size_t bytes,
                                           cudaStream_t stream) {
  return call("cudaMemcpyPeerAsync", [&] {
    require(stream);
    copy_between(destination, to, source, from, bytes, in_stream(stream));
  });
}

PER_THREAD_STREAM(cudaMemcpy3D, ptds, 1);
PER_THREAD_STREAM(cudaMemcpy3DAsync, ptsz, 2);
PER_THREAD_STREAM(cudaMemcpy3DPeer, ptds, 1);
PER_THREAD_STREAM(cudaMemcpy3DPeerAsync, ptsz, 2);
PER_THREAD_STREAM(cudaMemset3D, ptds, 3);
PER_THREAD_STREAM(cudaMemset3DAsync, ptsz, 4);

/// Describes an element of a texture, which alone is no use of one.
extern "C" cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}
