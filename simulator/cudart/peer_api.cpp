// Questions for machines with several cards, from a machine with one; and what else is known of a card and its driver.
#include <cuda_runtime_api.h>
#include <fmt/core.h>

#include <cstring>
#include <string_view>

#include "cudart/per_thread.h"
#include "cudart/runtime.h"

using namespace warpwright::cudart;

namespace {

constexpr std::string_view pci_bus_id = "0000:01:00.0";

[[noreturn]] void refuse_peer(cudaError_t code) {
  fail(code, "bad argument", "a device has no access to itself as to a peer, and the simulator has one device",
       "Ask cudaGetDeviceCount and cudaDeviceCanAccessPeer first.");
}

/// What the driver's own functions are asked for. There is no driver.
cudaError_t look_up(const char* name, const char* symbol, void** function, cudaDriverEntryPointQueryResult* result) {
  return call(name, [&] {
    require_result(symbol, "symbol");
    require_result(function, "funcPtr");
    *function = nullptr;
    if (result == nullptr)
      fail(cudaErrorSymbolNotFound, "unsupported feature",
           fmt::format("the driver's function {} is not there: the simulated GPU has the runtime API alone", symbol),
           "Call the runtime's function that does the same.");
    *result = cudaDriverEntryPointSymbolNotFound;
  });
}

}  // namespace

extern "C" cudaError_t cudaDeviceCanAccessPeer(int* can_access, int device, int peer) {
  return call("cudaDeviceCanAccessPeer", [&] {
    require_result(can_access, "canAccessPeer");
    require_device(device);
    require_device(peer);
    *can_access = 0;
  });
}

extern "C" cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned) {
  return call("cudaDeviceEnablePeerAccess", [&] {
    require_device(peer);
    refuse_peer(cudaErrorInvalidDevice);
  });
}

extern "C" cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  return call("cudaDeviceDisablePeerAccess", [&] {
    require_device(peer);
    refuse_peer(cudaErrorPeerAccessNotEnabled);
  });
}

extern "C" cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr, int source, int destination) {
  return call("cudaDeviceGetP2PAttribute", [&] {
    require_result(value, "value");
    require_device(source);
    require_device(destination);
    refuse_peer(cudaErrorInvalidDevice);
  });
}

extern "C" cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int device) {
  return call("cudaDeviceGetPCIBusId", [&] {
    require_result(text, "pciBusId");
    require_device(device);
    if (length <= static_cast<int>(pci_bus_id.size()))
      fail(cudaErrorInvalidValue, "bad argument", fmt::format("{} bytes are too few for a PCI bus id", length),
           "Pass an array of at least 13 bytes.");
    std::memcpy(text, pci_bus_id.data(), pci_bus_id.size());
    text[pci_bus_id.size()] = '\0';
  });
}

extern "C" cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* text) {
  return call("cudaDeviceGetByPCIBusId", [&] {
    require_result(device, "device");
    require_result(text, "pciBusId");
    if (text != pci_bus_id)
      fail(cudaErrorInvalidDevice, "bad argument", fmt::format("no device has the PCI bus id {}", text),
           fmt::format("The simulated one has {}.", pci_bus_id));
    *device = 0;
  });
}

extern "C" cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* wanted) {
  return call("cudaChooseDevice", [&] {
    require_result(device, "device");
    require_result(wanted, "prop");
    *device = 0;
  });
}

extern "C" cudaError_t cudaSetValidDevices(int* devices, int count) {
  return call("cudaSetValidDevices", [&] {
    if (count > 0) require_result(devices, "device_arr");
    for (int i = 0; i < count; ++i) require_device(devices[i]);
  });
}

extern "C" cudaError_t cudaGetDeviceFlags(unsigned* flags) {
  return call("cudaGetDeviceFlags", [&] {
    require_result(flags, "flags");
    *flags = runtime().device_flags;
  });
}

// Preferences between cache and shared memory, and what they concern: the simulated GPU has no caches.
extern "C" cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  return call("cudaDeviceGetCacheConfig", [&] {
    require_result(config, "pCacheConfig");
    *config = runtime().cache_config;
  });
}

extern "C" cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config) {
  return call("cudaDeviceSetCacheConfig", [&] { runtime().cache_config = config; });
}

extern "C" cudaError_t cudaCtxResetPersistingL2Cache() {
  return call("cudaCtxResetPersistingL2Cache", [] {});
}

extern "C" cudaError_t cudaProfilerStart() {
  return call("cudaProfilerStart", [] {});  // every launch is counted
}

extern "C" cudaError_t cudaProfilerStop() {
  return call("cudaProfilerStop", [] {});
}

extern "C" cudaError_t cudaGetDriverEntryPoint(const char* symbol, void** function, unsigned long long,
                                               cudaDriverEntryPointQueryResult* result) {
  return look_up("cudaGetDriverEntryPoint", symbol, function, result);
}

extern "C" cudaError_t cudaGetDriverEntryPoint_ptsz(const char* symbol, void** function, unsigned long long,
                                                    cudaDriverEntryPointQueryResult* result) {
  return look_up("cudaGetDriverEntryPoint", symbol, function, result);
}

extern "C" cudaError_t cudaGetDriverEntryPointByVersion(const char* symbol, void** function, unsigned,
                                                        unsigned long long, cudaDriverEntryPointQueryResult* result) {
  return look_up("cudaGetDriverEntryPointByVersion", symbol, function, result);
}

PER_THREAD_STREAM(cudaGetDriverEntryPointByVersion, ptsz, 5);

// How NVIDIA's own tools reach into the runtime. They find nothing.
extern "C" cudaError_t cudaGetExportTable(const void** table, const cudaUUID_t*) {
  if (table != nullptr) *table = nullptr;
  return cudaErrorNotSupported;
}
extern "C" void* __cudaGetProcAddress(const char*) { return nullptr; }
