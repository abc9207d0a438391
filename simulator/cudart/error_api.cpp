// Problem: programs print the name and the meaning of an error.
// Idea: one row per code of cudaError_t. A code that the simulated GPU can return has CUDA's usual words, which people
// look up; the others, which it never returns, are described in ours.
// Invariant: every code of the toolkit's header has a row (a test reads the header).
// Left out: what a call did wrong; that is in its diagnosis.
#include <cuda_runtime_api.h>

#include <mutex>
#include <utility>

#include "cudart/runtime.h"

using namespace warpwright::cudart;

namespace {

struct Row {
  cudaError_t code;
  const char* name;
  const char* text;
};

#define ROW(code, text) \
  { code, #code, text }
constexpr Row rows[] = {
    ROW(cudaSuccess, "no error"),
    ROW(cudaErrorInvalidValue, "invalid argument"),
    ROW(cudaErrorMemoryAllocation, "out of memory"),
    ROW(cudaErrorInitializationError, "initialization error"),
    ROW(cudaErrorCudartUnloading, "the runtime is shutting down"),
    ROW(cudaErrorProfilerDisabled, "the profiler is disabled for this run"),
    ROW(cudaErrorProfilerNotInitialized, "the profiler was not initialised (deprecated)"),
    ROW(cudaErrorProfilerAlreadyStarted, "the profiler runs already (deprecated)"),
    ROW(cudaErrorProfilerAlreadyStopped, "the profiler does not run (deprecated)"),
    ROW(cudaErrorInvalidConfiguration, "invalid configuration argument"),
    ROW(cudaErrorInvalidPitchValue, "invalid pitch argument"),
    ROW(cudaErrorInvalidSymbol, "invalid device symbol"),
    ROW(cudaErrorInvalidHostPointer, "invalid host pointer (deprecated)"),
    ROW(cudaErrorInvalidDevicePointer, "invalid device pointer (deprecated)"),
    ROW(cudaErrorInvalidTexture, "invalid texture"),
    ROW(cudaErrorInvalidTextureBinding, "invalid texture binding"),
    ROW(cudaErrorInvalidChannelDescriptor, "invalid channel descriptor"),
    ROW(cudaErrorInvalidMemcpyDirection, "invalid copy direction for memcpy"),
    ROW(cudaErrorAddressOfConstant, "address of a constant variable taken (deprecated)"),
    ROW(cudaErrorTextureFetchFailed, "texture fetch failed (deprecated)"),
    ROW(cudaErrorTextureNotBound, "texture is not bound (deprecated)"),
    ROW(cudaErrorSynchronizationError, "synchronisation failed (deprecated)"),
    ROW(cudaErrorInvalidFilterSetting, "linear filtering of a type that has none"),
    ROW(cudaErrorInvalidNormSetting, "normalised reads of a type that has none"),
    ROW(cudaErrorMixedDeviceExecution, "device code and its emulation mixed (deprecated)"),
    ROW(cudaErrorNotYetImplemented, "not yet implemented (deprecated)"),
    ROW(cudaErrorMemoryValueTooLarge, "emulated device pointer out of range (deprecated)"),
    ROW(cudaErrorStubLibrary, "the program was linked with the driver's stub library"),
    ROW(cudaErrorInsufficientDriver, "the driver is older than the runtime"),
    ROW(cudaErrorCallRequiresNewerDriver, "the call needs a newer driver"),
    ROW(cudaErrorInvalidSurface, "invalid surface"),
    ROW(cudaErrorDuplicateVariableName, "two global variables have one name"),
    ROW(cudaErrorDuplicateTextureName, "two textures have one name"),
    ROW(cudaErrorDuplicateSurfaceName, "two surfaces have one name"),
    ROW(cudaErrorDevicesUnavailable, "all devices are busy or unavailable"),
    ROW(cudaErrorIncompatibleDriverContext, "the current context does not suit the runtime"),
    ROW(cudaErrorMissingConfiguration, "a launch without a configuration"),
    ROW(cudaErrorPriorLaunchFailure, "an earlier launch failed (deprecated)"),
    ROW(cudaErrorLaunchMaxDepthExceeded, "launches nested too deeply"),
    ROW(cudaErrorLaunchFileScopedTex, "a nested launch uses file-scoped textures"),
    ROW(cudaErrorLaunchFileScopedSurf, "a nested launch uses file-scoped surfaces"),
    ROW(cudaErrorSyncDepthExceeded, "device-side synchronisation nested too deeply"),
    ROW(cudaErrorLaunchPendingCountExceeded, "too many launches are pending"),
    ROW(cudaErrorInvalidDeviceFunction, "invalid device function"),
    ROW(cudaErrorNoDevice, "no CUDA-capable device is detected"),
    ROW(cudaErrorInvalidDevice, "invalid device ordinal"),
    ROW(cudaErrorDeviceNotLicensed, "the device has no valid licence"),
    ROW(cudaErrorSoftwareValidityNotEstablished, "the software's integrity was not established"),
    ROW(cudaErrorStartupFailure, "the runtime could not start"),
    ROW(cudaErrorInvalidKernelImage, "device kernel image is invalid"),
    ROW(cudaErrorDeviceUninitialized, "invalid device context"),
    ROW(cudaErrorMapBufferObjectFailed, "mapping of a buffer object failed"),
    ROW(cudaErrorUnmapBufferObjectFailed, "unmapping of a buffer object failed"),
    ROW(cudaErrorArrayIsMapped, "the array is mapped"),
    ROW(cudaErrorAlreadyMapped, "the resource is already mapped"),
    ROW(cudaErrorNoKernelImageForDevice, "no kernel image is available for execution on the device"),
    ROW(cudaErrorAlreadyAcquired, "the resource is already acquired"),
    ROW(cudaErrorNotMapped, "the resource is not mapped"),
    ROW(cudaErrorNotMappedAsArray, "the resource is not mapped as an array"),
    ROW(cudaErrorNotMappedAsPointer, "the resource is not mapped as a pointer"),
    ROW(cudaErrorECCUncorrectable, "uncorrectable ECC error"),
    ROW(cudaErrorUnsupportedLimit, "the device does not support this limit"),
    ROW(cudaErrorDeviceAlreadyInUse, "another thread uses the device exclusively"),
    ROW(cudaErrorPeerAccessUnsupported, "these devices cannot access one another"),
    ROW(cudaErrorInvalidPtx, "a PTX JIT compilation failed"),
    ROW(cudaErrorInvalidGraphicsContext, "invalid OpenGL or DirectX context"),
    ROW(cudaErrorNvlinkUncorrectable, "uncorrectable NVLink error"),
    ROW(cudaErrorJitCompilerNotFound, "the PTX compiler library was not found"),
    ROW(cudaErrorUnsupportedPtxVersion, "the PTX was made by a newer toolchain than this one"),
    ROW(cudaErrorJitCompilationDisabled, "compiling PTX is disabled"),
    ROW(cudaErrorUnsupportedExecAffinity, "the device does not support this execution affinity"),
    ROW(cudaErrorUnsupportedDevSideSync, "device-side cudaDeviceSynchronize is not supported"),
    ROW(cudaErrorContained, "a contained memory error"),
    ROW(cudaErrorInvalidSource, "invalid device kernel source"),
    ROW(cudaErrorFileNotFound, "file not found"),
    ROW(cudaErrorSharedObjectSymbolNotFound, "a symbol of a shared object was not found"),
    ROW(cudaErrorSharedObjectInitFailed, "a shared object could not be initialised"),
    ROW(cudaErrorOperatingSystem, "a call to the operating system failed"),
    ROW(cudaErrorInvalidResourceHandle, "invalid resource handle"),
    ROW(cudaErrorIllegalState, "the resource is in the wrong state"),
    ROW(cudaErrorLossyQuery, "the answer would lose information"),
    ROW(cudaErrorSymbolNotFound, "named symbol not found"),
    ROW(cudaErrorNotReady, "device not ready"),
    ROW(cudaErrorIllegalAddress, "an illegal memory access was encountered"),
    ROW(cudaErrorLaunchOutOfResources, "too many resources requested for launch"),
    ROW(cudaErrorLaunchTimeout, "the launch timed out and was terminated"),
    ROW(cudaErrorLaunchIncompatibleTexturing, "the launch uses incompatible texturing"),
    ROW(cudaErrorPeerAccessAlreadyEnabled, "peer access is already enabled"),
    ROW(cudaErrorPeerAccessNotEnabled, "peer access is not enabled"),
    ROW(cudaErrorSetOnActiveProcess, "the device was already initialised"),
    ROW(cudaErrorContextIsDestroyed, "the context is destroyed"),
    ROW(cudaErrorAssert, "device-side assert triggered"),
    ROW(cudaErrorTooManyPeers, "no peer mappings are left"),
    ROW(cudaErrorHostMemoryAlreadyRegistered, "the memory is already registered"),
    ROW(cudaErrorHostMemoryNotRegistered, "the memory is not registered"),
    ROW(cudaErrorHardwareStackError, "hardware stack error"),
    ROW(cudaErrorIllegalInstruction, "an illegal instruction was encountered"),
    ROW(cudaErrorMisalignedAddress, "misaligned address"),
    ROW(cudaErrorInvalidAddressSpace, "an access to the wrong address space"),
    ROW(cudaErrorInvalidPc, "invalid program counter"),
    ROW(cudaErrorLaunchFailure, "unspecified launch failure"),
    ROW(cudaErrorCooperativeLaunchTooLarge, "too many blocks in cooperative launch"),
    ROW(cudaErrorTensorMemoryLeak, "a kernel left tensor memory allocated"),
    ROW(cudaErrorNotPermitted, "operation not permitted"),
    ROW(cudaErrorNotSupported, "operation not supported"),
    ROW(cudaErrorSystemNotReady, "the system is not ready for CUDA work"),
    ROW(cudaErrorSystemDriverMismatch, "display driver and CUDA driver differ in version"),
    ROW(cudaErrorCompatNotSupportedOnDevice, "forward compatibility is not supported here"),
    ROW(cudaErrorMpsConnectionFailed, "no connection to the MPS server"),
    ROW(cudaErrorMpsRpcFailure, "a remote call to the MPS server failed"),
    ROW(cudaErrorMpsServerNotReady, "the MPS server takes no new clients now"),
    ROW(cudaErrorMpsMaxClientsReached, "the MPS server has no room for another client"),
    ROW(cudaErrorMpsMaxConnectionsReached, "the MPS server has no room for another connection"),
    ROW(cudaErrorMpsClientTerminated, "the MPS server ended this client"),
    ROW(cudaErrorCdpNotSupported, "nested launches are not supported"),
    ROW(cudaErrorCdpVersionMismatch, "nested launches of different versions"),
    ROW(cudaErrorStreamCaptureUnsupported, "not permitted while a stream is captured"),
    ROW(cudaErrorStreamCaptureInvalidated, "the capture failed because of an earlier error"),
    ROW(cudaErrorStreamCaptureMerge, "two captures would be merged"),
    ROW(cudaErrorStreamCaptureUnmatched, "the capture was not begun in this stream"),
    ROW(cudaErrorStreamCaptureUnjoined, "the capture has work that was not joined"),
    ROW(cudaErrorStreamCaptureIsolation, "a dependency would cross the capture's border"),
    ROW(cudaErrorStreamCaptureImplicit, "a capture would depend on the legacy default stream"),
    ROW(cudaErrorCapturedEvent, "the event belongs to a capture"),
    ROW(cudaErrorStreamCaptureWrongThread, "the capture was begun by another thread"),
    ROW(cudaErrorTimeout, "the wait ran out of time"),
    ROW(cudaErrorGraphExecUpdateFailure, "the graph cannot be updated in this way"),
    ROW(cudaErrorExternalDevice, "another device reported an error"),
    ROW(cudaErrorInvalidClusterSize, "invalid cluster size"),
    ROW(cudaErrorFunctionNotLoaded, "the function is not loaded"),
    ROW(cudaErrorInvalidResourceType, "invalid resource type"),
    ROW(cudaErrorInvalidResourceConfiguration, "invalid resource configuration"),
    ROW(cudaErrorUnknown, "unknown error"),
    ROW(cudaErrorApiFailureBase, "API failure base (deprecated)"),
};
#undef ROW

const Row* row_of(cudaError_t code) {
  for (const Row& row : rows)
    if (row.code == code) return &row;
  return nullptr;
}

}  // namespace

extern "C" const char* cudaGetErrorName(cudaError_t code) {
  const Row* row = row_of(code);
  return row != nullptr ? row->name : "unrecognized error code";
}

extern "C" const char* cudaGetErrorString(cudaError_t code) {
  const Row* row = row_of(code);
  return row != nullptr ? row->text : "unrecognized error code";
}

extern "C" cudaError_t cudaGetLastError() {
  const std::lock_guard lock(runtime().mutex);
  runtime().unread.clear();
  const cudaError_t last = std::exchange(last_error(), cudaSuccess);
  return runtime().sticky != cudaSuccess ? runtime().sticky : last;
}

extern "C" cudaError_t cudaPeekAtLastError() {
  const std::lock_guard lock(runtime().mutex);
  runtime().unread.clear();
  return runtime().sticky != cudaSuccess ? runtime().sticky : last_error();
}
