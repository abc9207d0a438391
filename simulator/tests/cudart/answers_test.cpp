// What calls return that a program should not make, and what a program may ask: as recorded on an H200 with CUDA 13.
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "kernels.h"
#include "session_fixture.h"

namespace warpwright::cudart {
namespace {

constexpr std::size_t bytes = 64;

/// A device allocation and a host array of 64 bytes each, and what is neither.
struct Here {
  void* device = nullptr;
  char host[bytes] = {};
  int local = 0;  // no function, no symbol
};

struct Answer {
  const char* call;
  cudaError_t code;
  std::function<cudaError_t(Here&)> make;
};

void PrintTo(const Answer& answer, std::ostream* stream) { *stream << answer.call; }

class Answers : public Session, public testing::WithParamInterface<Answer> {
 protected:
  void TearDown() override {
    take_diagnoses();
    take_launches();
    reset_errors();
    cudaGetLastError();
  }
};

TEST_P(Answers, AreThoseOfTheCard) {
  Here here;
  ASSERT_EQ(cudaMalloc(&here.device, bytes), cudaSuccess);
  const cudaError_t code = GetParam().make(here);
  EXPECT_EQ(code, GetParam().code) << cudaGetErrorName(code) << " is not " << cudaGetErrorName(GetParam().code);
  EXPECT_EQ(cudaGetLastError(), GetParam().code);
  reset_errors();
  cudaFree(here.device);
}

cudaError_t launch(const void* function, dim3 grid, dim3 block, std::size_t shared_bytes = 0) {
  float* data = nullptr;
  float factor = 1;
  int n = 0;
  void* arguments[] = {&data, &factor, &n};
  return cudaLaunchKernel(function, grid, block, arguments, shared_bytes, nullptr);
}

cudaError_t after(void (*launched)()) {
  launched();
  return cudaDeviceSynchronize();
}

cudaError_t between_events(unsigned flags, bool recorded) {
  cudaEvent_t begin = nullptr, end = nullptr;
  EXPECT_EQ(cudaEventCreateWithFlags(&begin, flags), cudaSuccess);
  EXPECT_EQ(cudaEventCreateWithFlags(&end, flags), cudaSuccess);
  if (recorded) {
    EXPECT_EQ(cudaEventRecord(begin, nullptr), cudaSuccess);
    EXPECT_EQ(cudaEventRecord(end, nullptr), cudaSuccess);
  }
  float milliseconds = 0;
  const cudaError_t code = cudaEventElapsedTime(&milliseconds, begin, end);
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  return code;
}

INSTANTIATE_TEST_SUITE_P(
    Copies, Answers,
    testing::Values(
        Answer{"host to device, the pointers exchanged", cudaErrorInvalidValue,
               [](Here& here) { return cudaMemcpy(here.host, here.device, bytes, cudaMemcpyHostToDevice); }},
        Answer{"device to host, the pointers exchanged", cudaErrorInvalidValue,
               [](Here& here) { return cudaMemcpy(here.device, here.host, bytes, cudaMemcpyDeviceToHost); }},
        Answer{"a direction that is none", cudaErrorInvalidMemcpyDirection,
               [](Here& here) { return cudaMemcpy(here.device, here.host, bytes, static_cast<cudaMemcpyKind>(9)); }},
        Answer{"host to host, to a device pointer", cudaSuccess,
               [](Here& here) { return cudaMemcpy(here.device, here.host, bytes, cudaMemcpyHostToHost); }},
        Answer{"host to host, from a device pointer", cudaSuccess,
               [](Here& here) { return cudaMemcpy(here.host, here.device, bytes, cudaMemcpyHostToHost); }},
        Answer{"rows wider than the destination's pitch", cudaErrorInvalidPitchValue,
               [](Here& here) { return cudaMemcpy2D(here.device, 4, here.host, 8, 8, 2, cudaMemcpyHostToDevice); }},
        Answer{"a row wider than the source's pitch", cudaErrorInvalidPitchValue,
               [](Here& here) { return cudaMemcpy2D(here.device, 8, here.host, 4, 8, 1, cudaMemcpyHostToDevice); }}));

INSTANTIATE_TEST_SUITE_P(
    Memory, Answers,
    testing::Values(Answer{"freeing a host pointer", cudaErrorInvalidValue,
                           [](Here& here) { return cudaFree(here.host); }},
                    Answer{"freeing twice", cudaErrorInvalidValue,
                           [](Here& here) {
                             EXPECT_EQ(cudaFree(here.device), cudaSuccess);
                             return cudaFree(here.device);
                           }},
                    Answer{"registering twice", cudaErrorHostMemoryAlreadyRegistered,
                           [](Here& here) {
                             EXPECT_EQ(cudaHostRegister(here.host, bytes, cudaHostRegisterDefault), cudaSuccess);
                             const cudaError_t code = cudaHostRegister(here.host, bytes, cudaHostRegisterDefault);
                             EXPECT_EQ(cudaHostUnregister(here.host), cudaSuccess);
                             return code;
                           }},
                    Answer{"unregistering what was never registered", cudaErrorHostMemoryNotRegistered,
                           [](Here& here) { return cudaHostUnregister(here.host); }},
                    Answer{"the size of an unknown symbol", cudaErrorInvalidSymbol,
                           [](Here& here) {
                             std::size_t size = 0;
                             return cudaGetSymbolSize(&size, &here.local);
                           }},
                    Answer{"a copy to an unknown symbol", cudaErrorInvalidSymbol, [](Here& here) {
                             return cudaMemcpyToSymbol(&here.local, here.host, 4, 0, cudaMemcpyHostToDevice);
                           }}));

INSTANTIATE_TEST_SUITE_P(
    Launches, Answers,
    testing::Values(
        Answer{"an empty grid", cudaErrorInvalidValue, [](Here&) { return launch(kernels::scale_function(), 0, 1); }},
        Answer{"1,025 threads", cudaErrorInvalidValue,
               [](Here&) { return launch(kernels::scale_function(), 1, 1025); }},
        Answer{"more dynamic shared memory than was asked for", cudaErrorInvalidValue,
               [](Here&) { return launch(kernels::scale_function(), 1, 1, 49153); }},
        Answer{"a block above its launch bounds", cudaErrorInvalidValue,
               [](Here&) {
                 kernels::bounded(65);
                 return cudaPeekAtLastError();
               }},
        Answer{"a null pointer", cudaErrorInvalidDeviceFunction, [](Here&) { return launch(nullptr, 1, 1); }},
        Answer{"what is no kernel", cudaErrorInvalidResourceHandle,
               [](Here& here) { return launch(&here.local, 1, 1); }},
        Answer{"the attributes of a null pointer", cudaErrorInvalidDeviceFunction,
               [](Here&) {
                 cudaFuncAttributes attributes;
                 return cudaFuncGetAttributes(&attributes, nullptr);
               }},
        Answer{"the attributes of what is no kernel", cudaErrorInvalidResourceHandle,
               [](Here& here) {
                 cudaFuncAttributes attributes;
                 return cudaFuncGetAttributes(&attributes, &here.local);
               }},
        Answer{"a cooperative launch that does not fit", cudaErrorCooperativeLaunchTooLarge, [](Here&) {
                 float* data = nullptr;
                 float factor = 1;
                 int n = 0;
                 void* arguments[] = {&data, &factor, &n};
                 return cudaLaunchCooperativeKernel(kernels::scale_function(), 1 << 20, 1024, arguments, 0, nullptr);
               }}));

INSTANTIATE_TEST_SUITE_P(
    Others, Answers,
    testing::Values(Answer{"the time between events that were not recorded", cudaErrorInvalidResourceHandle,
                           [](Here&) { return between_events(cudaEventDefault, false); }},
                    Answer{"the time between events that keep none", cudaErrorInvalidResourceHandle,
                           [](Here&) { return between_events(cudaEventDisableTiming, true); }},
                    Answer{"a device that is not there", cudaErrorInvalidDevice,
                           [](Here&) { return cudaSetDevice(99); }}));

/// What a kernel breaks stays broken: every call fails until the process ends, or the device is reset.
class Broken : public Answers {};

TEST_P(Broken, StaysSo) {
  Here here;
  ASSERT_EQ(cudaMalloc(&here.device, bytes), cudaSuccess);
  EXPECT_EQ(GetParam().make(here), GetParam().code);
  EXPECT_EQ(cudaGetLastError(), GetParam().code);
  EXPECT_EQ(cudaGetLastError(), GetParam().code);
  void* more = nullptr;
  EXPECT_EQ(cudaMalloc(&more, bytes), GetParam().code);
  EXPECT_EQ(cudaMemcpy(here.host, here.device, bytes, cudaMemcpyDeviceToHost), GetParam().code);
  reset_errors();
  cudaFree(here.device);
}

INSTANTIATE_TEST_SUITE_P(
    Kernels, Broken,
    testing::Values(Answer{"a trap", cudaErrorLaunchFailure, [](Here&) { return after(kernels::give_up); }},
                    Answer{"an assertion", cudaErrorAssert, [](Here&) { return after([] { kernels::insist(5); }); }},
                    Answer{"a misaligned address", cudaErrorMisalignedAddress, [](Here& here) {
                             kernels::read_word(static_cast<char*>(here.device) + 2, static_cast<int*>(here.device));
                             return cudaDeviceSynchronize();
                           }}));

using Questions = Session;

TEST_F(Questions, HaveTheCardsAnswers) {
  const auto limit = [](cudaLimit which) {
    std::size_t value = 0;
    EXPECT_EQ(cudaDeviceGetLimit(&value, which), cudaSuccess);
    return value;
  };
  EXPECT_EQ(limit(cudaLimitStackSize), 1024u);
  EXPECT_EQ(limit(cudaLimitPrintfFifoSize), 8650752u);
  EXPECT_EQ(limit(cudaLimitMallocHeapSize), 8388608u);

  int least = -1, greatest = -1, engines = 0;
  EXPECT_EQ(cudaDeviceGetStreamPriorityRange(&least, &greatest), cudaSuccess);
  EXPECT_EQ(least, 0);
  EXPECT_EQ(greatest, -5);
  EXPECT_EQ(cudaDeviceGetAttribute(&engines, cudaDevAttrAsyncEngineCount, 0), cudaSuccess);
  EXPECT_EQ(engines, 3);

  void* rows = nullptr;
  std::size_t pitch = 0;
  EXPECT_EQ(cudaMallocPitch(&rows, &pitch, 100, 2), cudaSuccess);
  EXPECT_EQ(pitch, 512u);
  EXPECT_EQ(cudaFree(rows), cudaSuccess);
}

}  // namespace
}  // namespace warpwright::cudart
