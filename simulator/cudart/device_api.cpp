// The card: what it says of itself, and the calls that select, await and reset it. There is one, number 0.
#include <cuda_runtime_api.h>
#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "cudart/launch.h"
#include "cudart/passed.h"
#include "cudart/runtime.h"

using namespace warpwright::cudart;

namespace {

constexpr int warp_size = 32;
constexpr int most_pitch = 0x7fffffff;
constexpr int texture_alignment = 512;
constexpr int texture_pitch_alignment = 32;

/// An attribute's value; 0 says that the simulated card lacks the feature.
int value_of(const Device& card, Passed<cudaDeviceAttr> attribute) {
  switch (attribute.number) {
    case cudaDevAttrMaxThreadsPerBlock:
      return card.max_threads_per_block;
    case cudaDevAttrMaxBlockDimX:
      return card.max_block_x;
    case cudaDevAttrMaxBlockDimY:
      return card.max_block_y;
    case cudaDevAttrMaxBlockDimZ:
      return card.max_block_z;
    case cudaDevAttrMaxGridDimX:
      return card.max_grid_x;
    case cudaDevAttrMaxGridDimY:
      return card.max_grid_y;
    case cudaDevAttrMaxGridDimZ:
      return card.max_grid_z;
    case cudaDevAttrMaxSharedMemoryPerBlock:
      return card.shared_bytes_per_block;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      return card.shared_bytes_per_block_optin;
    case cudaDevAttrReservedSharedMemoryPerBlock:
      return card.shared_bytes_reserved_per_block;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
      return card.shared_bytes_per_multiprocessor;
    case cudaDevAttrTotalConstantMemory:
      return card.constant_bytes;
    case cudaDevAttrWarpSize:
      return warp_size;
    case cudaDevAttrMaxPitch:
      return most_pitch;
    case cudaDevAttrMaxRegistersPerBlock:
      return card.registers_per_block;
    case cudaDevAttrMaxRegistersPerMultiprocessor:
      return card.registers_per_multiprocessor;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
      return card.max_threads_per_multiprocessor;
    case cudaDevAttrMaxBlocksPerMultiprocessor:
      return card.max_blocks_per_multiprocessor;
    case cudaDevAttrMultiProcessorCount:
      return card.multiprocessors;
    case cudaDevAttrClockRate:
      return card.clock_khz;
    case cudaDevAttrMemoryClockRate:
      return card.memory_clock_khz;
    case cudaDevAttrGlobalMemoryBusWidth:
      return card.memory_bus_bits;
    case cudaDevAttrL2CacheSize:
      return card.l2_bytes;
    case cudaDevAttrComputeCapabilityMajor:
      return card.major;
    case cudaDevAttrComputeCapabilityMinor:
      return card.minor;
    case cudaDevAttrSingleToDoublePrecisionPerfRatio:
      return card.single_to_double_ratio;
    case cudaDevAttrAsyncEngineCount:
      return card.copy_engines;
    case cudaDevAttrEccEnabled:
      return card.ecc ? 1 : 0;
    case cudaDevAttrTextureAlignment:
    case cudaDevAttrSurfaceAlignment:
      return texture_alignment;
    case cudaDevAttrTexturePitchAlignment:
      return texture_pitch_alignment;
    case cudaDevAttrGpuOverlap:
    case cudaDevAttrCanMapHostMemory:
    case cudaDevAttrConcurrentKernels:
    case cudaDevAttrUnifiedAddressing:
    case cudaDevAttrStreamPrioritiesSupported:
    case cudaDevAttrGlobalL1CacheSupported:
    case cudaDevAttrLocalL1CacheSupported:
    case cudaDevAttrManagedMemory:
    case cudaDevAttrConcurrentManagedAccess:
    case cudaDevAttrComputePreemptionSupported:
    case cudaDevAttrCooperativeLaunch:
    case cudaDevAttrHostRegisterSupported:
    case cudaDevAttrCanUseHostPointerForRegisteredMem:
    case cudaDevAttrMemoryPoolsSupported:
      return 1;
    default:
      return 0;
  }
}

/// The same facts in the form of the properties.
void fill(cudaDeviceProp& properties, const Device& card) {
  const auto value = [&card](cudaDeviceAttr attribute) { return value_of(card, attribute); };
  properties = {};
  std::snprintf(properties.name, sizeof properties.name, "%s (simulated)", card.name);
  constexpr std::string_view identity = "warpwright sim 0";
  static_assert(identity.size() == sizeof properties.uuid.bytes);
  std::memcpy(properties.uuid.bytes, identity.data(), identity.size());
  properties.totalGlobalMem = card.memory_bytes;
  properties.sharedMemPerBlock = static_cast<std::size_t>(card.shared_bytes_per_block);
  properties.sharedMemPerBlockOptin = static_cast<std::size_t>(card.shared_bytes_per_block_optin);
  properties.sharedMemPerMultiprocessor = static_cast<std::size_t>(card.shared_bytes_per_multiprocessor);
  properties.reservedSharedMemPerBlock = static_cast<std::size_t>(card.shared_bytes_reserved_per_block);
  properties.regsPerBlock = card.registers_per_block;
  properties.regsPerMultiprocessor = card.registers_per_multiprocessor;
  properties.warpSize = warp_size;
  properties.memPitch = most_pitch;
  properties.maxThreadsPerBlock = card.max_threads_per_block;
  properties.maxThreadsDim[0] = card.max_block_x;
  properties.maxThreadsDim[1] = card.max_block_y;
  properties.maxThreadsDim[2] = card.max_block_z;
  properties.maxGridSize[0] = card.max_grid_x;
  properties.maxGridSize[1] = card.max_grid_y;
  properties.maxGridSize[2] = card.max_grid_z;
  properties.maxThreadsPerMultiProcessor = card.max_threads_per_multiprocessor;
  properties.maxBlocksPerMultiProcessor = card.max_blocks_per_multiprocessor;
  properties.multiProcessorCount = card.multiprocessors;
  properties.totalConstMem = static_cast<std::size_t>(card.constant_bytes);
  properties.major = card.major;
  properties.minor = card.minor;
  properties.memoryBusWidth = card.memory_bus_bits;
  properties.l2CacheSize = card.l2_bytes;
  properties.textureAlignment = properties.surfaceAlignment = texture_alignment;
  properties.texturePitchAlignment = texture_pitch_alignment;
  properties.asyncEngineCount = card.copy_engines;
  properties.canMapHostMemory = value(cudaDevAttrCanMapHostMemory);
  properties.concurrentKernels = value(cudaDevAttrConcurrentKernels);
  properties.ECCEnabled = value(cudaDevAttrEccEnabled);
  properties.unifiedAddressing = value(cudaDevAttrUnifiedAddressing);
  properties.streamPrioritiesSupported = value(cudaDevAttrStreamPrioritiesSupported);
  properties.globalL1CacheSupported = value(cudaDevAttrGlobalL1CacheSupported);
  properties.localL1CacheSupported = value(cudaDevAttrLocalL1CacheSupported);
  properties.managedMemory = value(cudaDevAttrManagedMemory);
  properties.concurrentManagedAccess = value(cudaDevAttrConcurrentManagedAccess);
  properties.computePreemptionSupported = value(cudaDevAttrComputePreemptionSupported);
  properties.cooperativeLaunch = value(cudaDevAttrCooperativeLaunch);
  properties.memoryPoolsSupported = value(cudaDevAttrMemoryPoolsSupported);
}

/// Limits and what they are before a program changes them, as on an H200.
std::size_t default_limit(Passed<cudaLimit> limit) {
  switch (limit.number) {
    case cudaLimitStackSize:
      return 1024;
    case cudaLimitPrintfFifoSize:
      return 8'650'752;
    case cudaLimitMallocHeapSize:
      return std::size_t{8} << 20;
    case cudaLimitMaxL2FetchGranularity:
      return 64;
    default:
      fail(cudaErrorUnsupportedLimit, "bad argument", fmt::format("limit {} is not supported", limit.number),
           "Stack, printf buffer, malloc heap and L2 fetch granularity can be set.");
  }
}

}  // namespace

void warpwright::cudart::require_device(int device) {
  if (device != 0)
    fail(cudaErrorInvalidDevice, "bad argument",
         fmt::format("there is no device {}: the simulator has one, number 0", device),
         "Ask cudaGetDeviceCount for the number of devices.");
}

extern "C" cudaError_t cudaGetDeviceCount(int* count) {
  return call("cudaGetDeviceCount", [&] {
    require_result(count, "count");
    *count = 1;
  });
}

extern "C" cudaError_t cudaGetDevice(int* device) {
  return call("cudaGetDevice", [&] {
    require_result(device, "device");
    *device = 0;
  });
}

extern "C" cudaError_t cudaSetDevice(int device) {
  return call("cudaSetDevice", [&] { require_device(device); });
}

extern "C" cudaError_t cudaInitDevice(int device, unsigned, unsigned) {
  return call("cudaInitDevice", [&] { require_device(device); });
}

extern "C" cudaError_t cudaSetDeviceFlags(unsigned flags) {
  // They say how the host waits, and it never does.
  return call("cudaSetDeviceFlags", [&] { runtime().device_flags = flags; });
}

extern "C" cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  return call("cudaGetDeviceProperties", [&] {
    require_result(properties, "prop");
    require_device(device);
    fill(*properties, runtime().device);
  });
}

extern "C" cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  return call("cudaDeviceGetAttribute", [&] {
    require_result(value, "value");
    require_device(device);
    const int number = Passed(attribute).number;
    if (number < cudaDevAttrMaxThreadsPerBlock || number >= cudaDevAttrMax)
      fail(cudaErrorInvalidValue, "bad argument", fmt::format("{} is no attribute", number),
           "Pass a value of cudaDeviceAttr.");
    *value = value_of(runtime().device, attribute);
  });
}

extern "C" cudaError_t cudaDeviceSynchronize() {
  return call("cudaDeviceSynchronize", [] {
    runtime().order.host_waits_for_all();
    print_out();
  });
}

extern "C" cudaError_t cudaDeviceReset() {
  {
    const std::lock_guard lock(runtime().mutex);
    runtime().sticky = last_error() = cudaSuccess;
  }
  return call("cudaDeviceReset", [] {
    Runtime& state = runtime();
    for (const warpwright::machine::Allocation& allocation : state.memory.live()) state.memory.free(allocation.base);
    state.modules.unload_all();
    state.streams.clear();
    state.events.clear();
    state.stream_of_thread.clear();
    state.order = {};
    state.races = {};
    state.guard = {};
    state.pools.clear();
    state.default_pool = state.current_pool = nullptr;
    state.limits.clear();
  });
}

extern "C" cudaError_t cudaDeviceSetLimit(cudaLimit limit, std::size_t value) {
  return call("cudaDeviceSetLimit", [&] {
    default_limit(limit);
    runtime().limits[limit] = value;
  });
}

extern "C" cudaError_t cudaDeviceGetLimit(std::size_t* value, cudaLimit limit) {
  return call("cudaDeviceGetLimit", [&] {
    require_result(value, "pValue");
    const std::size_t usual = default_limit(limit);
    const auto set = runtime().limits.find(limit);
    *value = set != runtime().limits.end() ? set->second : usual;
  });
}

extern "C" cudaError_t cudaDriverGetVersion(int* version) {
  return call("cudaDriverGetVersion", [&] {
    require_result(version, "driverVersion");
    *version = CUDART_VERSION;
  });
}

extern "C" cudaError_t cudaRuntimeGetVersion(int* version) {
  return call("cudaRuntimeGetVersion", [&] {
    require_result(version, "runtimeVersion");
    *version = CUDART_VERSION;
  });
}
