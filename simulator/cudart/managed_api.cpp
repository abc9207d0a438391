// Advice about managed memory: where it should be, and when it should go there. The simulated card and the host share
// one memory, so advice is checked, and nothing moves.
#include <cuda_runtime_api.h>
#include <fmt/core.h>

#include "cudart/passed.h"
#include "cudart/per_thread.h"
#include "cudart/runtime.h"

using namespace warpwright::cudart;
using warpwright::machine::Allocation;
using warpwright::machine::Place;

namespace {

void require_managed(const void* pointer, std::size_t bytes) {
  if (bytes == 0)
    fail(cudaErrorInvalidValue, "bad argument", "a range of 0 bytes", "Pass the size of the range in bytes.");
  const Allocation* found = runtime().memory.find(reinterpret_cast<warpwright::machine::Address>(pointer), bytes);
  if (found == nullptr || found->place != Place::managed)
    fail(cudaErrorInvalidValue, "bad pointer",
         fmt::format("the range of {} bytes is not managed memory: it starts at {}", bytes, description_of(pointer)),
         "Allocate it with cudaMallocManaged, and stay inside.");
}

void require_location(const cudaMemLocation& location) {
  if (location.type == cudaMemLocationTypeDevice) require_device(location.id);
}

}  // namespace

// The stream is not looked at: CUDA 12's function of this name has it in another place.
extern "C" cudaError_t cudaMemPrefetchAsync(const void* pointer, std::size_t bytes, cudaMemLocation location, unsigned,
                                            cudaStream_t) {
  return call("cudaMemPrefetchAsync", [&] {
    require_location(location);
    require_managed(pointer, bytes);
  });
}

extern "C" cudaError_t cudaMemAdvise(const void* pointer, std::size_t bytes, cudaMemoryAdvise advice,
                                     cudaMemLocation location) {
  return call("cudaMemAdvise", [&] {
    const int number = Passed(advice).number;
    if (number < cudaMemAdviseSetReadMostly || number > cudaMemAdviseUnsetAccessedBy)
      fail(cudaErrorInvalidValue, "bad argument", fmt::format("{} is no advice", number),
           "Pass a value of cudaMemoryAdvise.");
    require_location(location);
    require_managed(pointer, bytes);
  });
}

extern "C" cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* pointer, std::size_t, unsigned flags) {
  return call("cudaStreamAttachMemAsync", [&] {
    require(stream);
    require_managed(pointer, 1);
    if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost && flags != cudaMemAttachSingle)
      fail(cudaErrorInvalidValue, "bad argument", fmt::format("unknown flags {}", flags),
           "Pass cudaMemAttachGlobal, cudaMemAttachHost or cudaMemAttachSingle.");
  });
}

PER_THREAD_STREAM(cudaMemPrefetchAsync, ptsz, 5);
PER_THREAD_STREAM(cudaStreamAttachMemAsync, ptsz, 4);
