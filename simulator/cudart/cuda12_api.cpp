// What CUDA 12's header calls by other names, or declares and CUDA 13's no longer does, for programs that were built
// with it. Where the two have a function of one name, its arguments lie in the same registers.
#include <cuda_runtime_api.h>

#include <cstring>

#include "cudart/per_thread.h"
#include "cudart/runtime.h"

using namespace warpwright::cudart;

namespace {

// CUDA 12's cudaDeviceProp: how large it is, and where it has what. Read off its header with offsetof.
constexpr std::size_t properties12_bytes = 1032;

void put(void* properties, std::size_t at, const void* value, std::size_t bytes) {
  std::memcpy(static_cast<std::byte*>(properties) + at, value, bytes);
}

struct Member {
  std::size_t at;
  int cudaDeviceProp::*of;
};
constexpr Member members[] = {
    {304, &cudaDeviceProp::regsPerBlock},
    {308, &cudaDeviceProp::warpSize},
    {320, &cudaDeviceProp::maxThreadsPerBlock},
    {360, &cudaDeviceProp::major},
    {364, &cudaDeviceProp::minor},
    {388, &cudaDeviceProp::multiProcessorCount},
    {400, &cudaDeviceProp::canMapHostMemory},
    {576, &cudaDeviceProp::concurrentKernels},
    {580, &cudaDeviceProp::ECCEnabled},
    {600, &cudaDeviceProp::asyncEngineCount},
    {604, &cudaDeviceProp::unifiedAddressing},
    {612, &cudaDeviceProp::memoryBusWidth},
    {616, &cudaDeviceProp::l2CacheSize},
    {624, &cudaDeviceProp::maxThreadsPerMultiProcessor},
    {628, &cudaDeviceProp::streamPrioritiesSupported},
    {632, &cudaDeviceProp::globalL1CacheSupported},
    {636, &cudaDeviceProp::localL1CacheSupported},
    {648, &cudaDeviceProp::regsPerMultiprocessor},
    {652, &cudaDeviceProp::managedMemory},
    {676, &cudaDeviceProp::concurrentManagedAccess},
    {680, &cudaDeviceProp::computePreemptionSupported},
    {688, &cudaDeviceProp::cooperativeLaunch},
    {712, &cudaDeviceProp::maxBlocksPerMultiProcessor},
    {744, &cudaDeviceProp::memoryPoolsSupported},
};

struct Size {
  std::size_t at;
  std::size_t cudaDeviceProp::*of;
};
constexpr Size sizes[] = {
    {288, &cudaDeviceProp::totalGlobalMem},
    {296, &cudaDeviceProp::sharedMemPerBlock},
    {312, &cudaDeviceProp::memPitch},
    {352, &cudaDeviceProp::totalConstMem},
    {368, &cudaDeviceProp::textureAlignment},
    {376, &cudaDeviceProp::texturePitchAlignment},
    {568, &cudaDeviceProp::surfaceAlignment},
    {640, &cudaDeviceProp::sharedMemPerMultiprocessor},
    {696, &cudaDeviceProp::sharedMemPerBlockOptin},
    {720, &cudaDeviceProp::reservedSharedMemPerBlock},
};

// What CUDA 13 gives as attributes alone.
struct Attribute {
  std::size_t at;
  cudaDeviceAttr of;
};
constexpr Attribute attributes[] = {
    {348, cudaDevAttrClockRate},
    {384, cudaDevAttrGpuOverlap},
    {608, cudaDevAttrMemoryClockRate},
    {668, cudaDevAttrSingleToDoublePrecisionPerfRatio},
};

}  // namespace

extern "C" {

cudaError_t cudaGetDeviceProperties_v2(void* properties, int device) {
  if (properties == nullptr) return cudaGetDeviceProperties(nullptr, device);
  cudaDeviceProp now = {};
  const cudaError_t result = cudaGetDeviceProperties(&now, device);
  if (result != cudaSuccess) return result;
  std::memset(properties, 0, properties12_bytes);
  put(properties, 0, now.name, sizeof now.name);
  put(properties, 256, &now.uuid, sizeof now.uuid);
  put(properties, 324, now.maxThreadsDim, sizeof now.maxThreadsDim);
  put(properties, 336, now.maxGridSize, sizeof now.maxGridSize);
  for (const Member& member : members) put(properties, member.at, &(now.*member.of), sizeof(int));
  for (const Size& size : sizes) put(properties, size.at, &(now.*size.of), sizeof(std::size_t));
  for (const Attribute& attribute : attributes) {
    int value = 0;
    cudaDeviceGetAttribute(&value, attribute.of, device);
    put(properties, attribute.at, &value, sizeof value);
  }
  return cudaSuccess;
}

cudaError_t cudaMemAdvise_v2(const void* pointer, std::size_t bytes, cudaMemoryAdvise advice,
                             cudaMemLocation location) {
  return cudaMemAdvise(pointer, bytes, advice, location);
}

cudaError_t cudaMemPrefetchAsync_v2(const void* pointer, std::size_t bytes, cudaMemLocation location, unsigned flags,
                                    cudaStream_t stream) {
  return cudaMemPrefetchAsync(pointer, bytes, location, flags, stream);
}

cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,
                                        cudaGraph_t* graph, const cudaGraphNode_t** nodes, std::size_t* count) {
  return cudaStreamGetCaptureInfo(stream, status, id, graph, nodes, nullptr, count);
}

cudaError_t cudaStreamGetCaptureInfo_v3(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,
                                        cudaGraph_t* graph, const cudaGraphNode_t** nodes,
                                        const cudaGraphEdgeData** edges, std::size_t* count) {
  return cudaStreamGetCaptureInfo(stream, status, id, graph, nodes, edges, count);
}

cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }
cudaError_t cudaThreadExit() { return cudaDeviceReset(); }
cudaError_t cudaThreadSetLimit(cudaLimit limit, std::size_t value) { return cudaDeviceSetLimit(limit, value); }
cudaError_t cudaThreadGetLimit(std::size_t* value, cudaLimit limit) { return cudaDeviceGetLimit(value, limit); }
cudaError_t cudaThreadSetCacheConfig(cudaFuncCache config) { return cudaDeviceSetCacheConfig(config); }
cudaError_t cudaThreadGetCacheConfig(cudaFuncCache* config) { return cudaDeviceGetCacheConfig(config); }

// The width of shared memory's banks, which no card has let a program choose since compute capability 5.0.
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  return call("cudaDeviceGetSharedMemConfig", [&] {
    require_result(config, "pConfig");
    *config = cudaSharedMemBankSizeFourByte;
  });
}
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) {
  return call("cudaDeviceSetSharedMemConfig", [] {});
}
cudaError_t cudaFuncSetSharedMemConfig(const void*, cudaSharedMemConfig) {
  return call("cudaFuncSetSharedMemConfig", [] {});
}

// Of no effect since double precision is everywhere.
cudaError_t cudaSetDoubleForDevice(double*) {
  return call("cudaSetDoubleForDevice", [] {});
}
cudaError_t cudaSetDoubleForHost(double*) {
  return call("cudaSetDoubleForHost", [] {});
}

}  // extern "C"

PER_THREAD_STREAM(cudaMemPrefetchAsync_v2, ptsz, 5);
PER_THREAD_STREAM(cudaStreamGetCaptureInfo_v2, ptsz, 6);
PER_THREAD_STREAM(cudaStreamGetCaptureInfo_v3, ptsz, 7);
