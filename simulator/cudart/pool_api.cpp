// Memory pools. A pool is a name for where allocations come from: the simulated card's memory is never reused, so there
// is nothing to keep and to trim. What a program stores in a pool's attributes it reads back.
#include <cuda_runtime_api.h>
#include <fmt/core.h>

#include <memory>

#include "cudart/operations.h"
#include "cudart/passed.h"
#include "cudart/per_thread.h"
#include "cudart/runtime.h"

using namespace warpwright::cudart;

namespace {

CUmemPoolHandle_st& live(cudaMemPool_t pool) {
  const auto found = runtime().pools.find(pool);
  if (found == runtime().pools.end())
    fail(cudaErrorInvalidValue, "bad handle", "the memory pool does not exist, or was destroyed",
         "Ask cudaDeviceGetDefaultMemPool for the device's, or make one with cudaMemPoolCreate.");
  return *found->second;
}

cudaMemPool_t make_pool() {
  auto made = std::make_unique<CUmemPoolHandle_st>();
  const cudaMemPool_t handle = made.get();
  runtime().pools.emplace(handle, std::move(made));
  return handle;
}

cudaMemPool_t default_pool() {
  if (runtime().default_pool == nullptr) runtime().default_pool = make_pool();
  return runtime().default_pool;
}

cudaMemPool_t current_pool() {
  if (runtime().current_pool == nullptr) runtime().current_pool = default_pool();
  return runtime().current_pool;
}

void require_the_device(const cudaMemLocation* location) {
  require_result(location, "location");
  if (location->type != cudaMemLocationTypeDevice || location->id != 0)
    fail(cudaErrorNotSupported, "unsupported feature", "memory pools elsewhere than on device 0 are not supported",
         "Pass a location of type cudaMemLocationTypeDevice with id 0.");
}

/// What has no setter: how much is in use.
bool is_read_only(cudaMemPoolAttr attribute) {
  return attribute == cudaMemPoolAttrReservedMemCurrent || attribute == cudaMemPoolAttrUsedMemCurrent;
}

/// Whether the attribute is a 64-bit number; the others are an int.
bool is_wide(Passed<cudaMemPoolAttr> attribute) {
  switch (attribute.number) {
    case cudaMemPoolReuseFollowEventDependencies:
    case cudaMemPoolReuseAllowOpportunistic:
    case cudaMemPoolReuseAllowInternalDependencies:
      return false;
    case cudaMemPoolAttrReleaseThreshold:
    case cudaMemPoolAttrReservedMemCurrent:
    case cudaMemPoolAttrReservedMemHigh:
    case cudaMemPoolAttrUsedMemCurrent:
    case cudaMemPoolAttrUsedMemHigh:
      return true;
    default:
      fail(cudaErrorInvalidValue, "bad argument", fmt::format("{} is no attribute of a memory pool", attribute.number),
           "Pass a value of cudaMemPoolAttr.");
  }
}

}  // namespace

extern "C" cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  return call("cudaDeviceGetDefaultMemPool", [&] {
    require_result(pool, "memPool");
    require_device(device);
    *pool = default_pool();
  });
}

extern "C" cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  return call("cudaDeviceGetMemPool", [&] {
    require_result(pool, "memPool");
    require_device(device);
    *pool = current_pool();
  });
}

extern "C" cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  return call("cudaDeviceSetMemPool", [&] {
    require_device(device);
    live(pool);
    runtime().current_pool = pool;
  });
}

extern "C" cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t* pool, cudaMemLocation* location, cudaMemAllocationType) {
  return call("cudaMemGetDefaultMemPool", [&] {
    require_result(pool, "memPool");
    require_the_device(location);
    *pool = default_pool();
  });
}

extern "C" cudaError_t cudaMemGetMemPool(cudaMemPool_t* pool, cudaMemLocation* location, cudaMemAllocationType) {
  return call("cudaMemGetMemPool", [&] {
    require_result(pool, "memPool");
    require_the_device(location);
    *pool = current_pool();
  });
}

extern "C" cudaError_t cudaMemSetMemPool(cudaMemLocation* location, cudaMemAllocationType, cudaMemPool_t pool) {
  return call("cudaMemSetMemPool", [&] {
    require_the_device(location);
    live(pool);
    runtime().current_pool = pool;
  });
}

extern "C" cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  return call("cudaMemPoolCreate", [&] {
    require_result(pool, "memPool");
    require_result(properties, "poolProps");
    require_the_device(&properties->location);
    if (properties->handleTypes != cudaMemHandleTypeNone)
      fail(cudaErrorNotSupported, "unsupported feature", "memory that is shared between processes is not supported",
           "Pass handleTypes cudaMemHandleTypeNone.");
    *pool = make_pool();
  });
}

extern "C" cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  return call("cudaMemPoolDestroy", [&] {
    live(pool);
    if (pool == runtime().default_pool)
      fail(cudaErrorInvalidValue, "bad handle", "the device's default memory pool cannot be destroyed",
           "Destroy only pools that cudaMemPoolCreate made.");
    if (runtime().current_pool == pool) runtime().current_pool = default_pool();
    runtime().pools.erase(pool);
  });
}

extern "C" cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, std::size_t) {
  return call("cudaMemPoolTrimTo", [&] { live(pool); });
}

extern "C" cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return call("cudaMemPoolSetAttribute", [&] {
    require_result(value, "value");
    CUmemPoolHandle_st& found = live(pool);
    const bool wide = is_wide(attribute);
    if (is_read_only(attribute))
      fail(cudaErrorInvalidValue, "bad argument", "that attribute of a memory pool can only be read",
           "Set cudaMemPoolAttrReleaseThreshold, a high-water mark or one of cudaMemPoolReuse....");
    found.attributes[attribute] =
        wide ? *static_cast<std::uint64_t*>(value) : static_cast<std::uint64_t>(*static_cast<int*>(value) != 0);
  });
}

extern "C" cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return call("cudaMemPoolGetAttribute", [&] {
    require_result(value, "value");
    CUmemPoolHandle_st& found = live(pool);
    const bool wide = is_wide(attribute);
    const std::uint64_t usual = wide ? 0 : 1;
    const auto set = found.attributes.find(attribute);
    const std::uint64_t number = is_read_only(attribute)         ? runtime().memory.in_use()
                                 : set != found.attributes.end() ? set->second
                                                                 : usual;
    if (wide)
      *static_cast<std::uint64_t*>(value) = number;
    else
      *static_cast<int*>(value) = static_cast<int>(number);
  });
}

extern "C" cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* descriptions,
                                            std::size_t count) {
  return call("cudaMemPoolSetAccess", [&] {
    live(pool);
    if (count > 0) require_result(descriptions, "descList");
    for (std::size_t i = 0; i < count; ++i) require_the_device(&descriptions[i].location);
  });
}

extern "C" cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t pool, cudaMemLocation* location) {
  return call("cudaMemPoolGetAccess", [&] {
    require_result(flags, "flags");
    live(pool);
    require_the_device(location);
    *flags = cudaMemAccessFlagsProtReadWrite;
  });
}

extern "C" cudaError_t cudaMallocFromPoolAsync(void** pointer, std::size_t bytes, cudaMemPool_t pool,
                                               cudaStream_t stream) {
  return call("cudaMallocFromPoolAsync", [&] {
    require(stream);
    require_result(pointer, "ptr");
    live(pool);
    *pointer = allocate(bytes, "cudaMallocFromPoolAsync", warpwright::machine::Place::device);
    issue_whole(stream, *pointer);
  });
}

PER_THREAD_STREAM(cudaMallocFromPoolAsync, ptsz, 4);
