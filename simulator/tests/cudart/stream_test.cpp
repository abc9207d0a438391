#include <thread>

#include "session_fixture.h"

namespace warpwright::cudart {
namespace {

using Stream = Session;
using Event = Session;

TEST_F(Stream, LivesFromCreationToDestruction) {
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, -100), cudaSuccess);
  unsigned flags = 0;
  int priority = 0;
  EXPECT_EQ(cudaStreamGetFlags(stream, &flags), cudaSuccess);
  EXPECT_EQ(flags, static_cast<unsigned>(cudaStreamNonBlocking));
  EXPECT_EQ(cudaStreamGetPriority(stream, &priority), cudaSuccess);
  EXPECT_EQ(priority, -5);  // the greatest there is
  EXPECT_EQ(cudaStreamQuery(stream), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorInvalidResourceHandle);
  expect_said("cudaStreamSynchronize: the stream does not exist, or was destroyed.",
              "Create it with cudaStreamCreate, and destroy it after its last use.");
}

TEST_F(Stream, ByDefaultAlwaysExistsAndCannotBeDestroyed) {
  for (cudaStream_t stream : {cudaStream_t{}, cudaStreamLegacy, cudaStreamPerThread}) {
    EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    EXPECT_EQ(cudaStreamDestroy(stream), cudaErrorInvalidResourceHandle);
    EXPECT_EQ(the_diagnosis().message, "cudaStreamDestroy: the default stream cannot be destroyed.");
  }
}

TEST_F(Stream, IsNeverCaptured) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusActive;
  EXPECT_EQ(cudaStreamIsCapturing(nullptr, &status), cudaSuccess);
  EXPECT_EQ(status, cudaStreamCaptureStatusNone);
}

TEST_F(Stream, RejectsUnknownFlags) {
  cudaStream_t stream = nullptr;
  EXPECT_EQ(cudaStreamCreateWithFlags(&stream, 7), cudaErrorInvalidValue);
  expect_said("cudaStreamCreateWithFlags: unknown flags 7.", "Pass cudaStreamDefault or cudaStreamNonBlocking.");
}

TEST_F(Stream, RunsHostFunctionsThatMayAskTheRuntime) {
  int seen = -1;
  const auto body = [](void* data) { EXPECT_EQ(cudaGetDevice(static_cast<int*>(data)), cudaSuccess); };
  EXPECT_EQ(cudaLaunchHostFunc(nullptr, body, &seen), cudaSuccess);
  EXPECT_EQ(seen, 0);
}

TEST_F(Event, MeasuresTheHostsTimeBetweenTwoRecords) {
  cudaEvent_t start = nullptr, end = nullptr;
  ASSERT_EQ(cudaEventCreate(&start), cudaSuccess);
  ASSERT_EQ(cudaEventCreateWithFlags(&end, cudaEventBlockingSync), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(start, nullptr), cudaSuccess);
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  ASSERT_EQ(cudaEventRecord(end, nullptr), cudaSuccess);
  EXPECT_EQ(cudaEventSynchronize(end), cudaSuccess);
  EXPECT_EQ(cudaEventQuery(end), cudaSuccess);
  EXPECT_EQ(cudaStreamWaitEvent(nullptr, end, 0), cudaSuccess);
  float milliseconds = 0;
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, start, end), cudaSuccess);
  EXPECT_GE(milliseconds, 2.0f);
  EXPECT_EQ(cudaEventDestroy(start), cudaSuccess);
  EXPECT_EQ(cudaEventDestroy(end), cudaSuccess);
  EXPECT_EQ(cudaEventQuery(end), cudaErrorInvalidResourceHandle);
  expect_said("cudaEventQuery: the event does not exist, or was destroyed.",
              "Create it with cudaEventCreate, and destroy it after its last use.");
}

TEST_F(Event, ThatNobodyHasWaitedForHasNoTimeYet) {
  cudaEvent_t event = nullptr;
  float milliseconds = 0;
  ASSERT_EQ(cudaEventCreate(&event), cudaSuccess);
  const auto ask = [&] { return cudaEventElapsedTime(&milliseconds, event, event); };
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(event, nullptr), cudaSuccess);
  EXPECT_EQ(ask(), cudaSuccess) << "nothing was under way";
  Buffer<int> buffer(1);
  ASSERT_EQ(cudaMemsetAsync(buffer.get(), 0, sizeof(int), nullptr), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(event, nullptr), cudaSuccess);
  EXPECT_EQ(ask(), cudaErrorNotReady);
  expect_said("cudaEventElapsedTime: the end event may not have happened yet.",
              "Call cudaEventSynchronize on it first.");
  EXPECT_EQ(ask(), cudaSuccess) << "who asks again is told";
  EXPECT_EQ(cudaEventDestroy(event), cudaSuccess);
}

TEST_F(Event, ThatWasNotRecordedOrKeepsNoTimeHasNone) {
  cudaEvent_t silent = nullptr, timeless = nullptr;
  float milliseconds = 0;
  ASSERT_EQ(cudaEventCreate(&silent), cudaSuccess);
  ASSERT_EQ(cudaEventCreateWithFlags(&timeless, cudaEventDisableTiming), cudaSuccess);
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, silent, silent), cudaErrorInvalidResourceHandle);
  expect_said("cudaEventElapsedTime: the start event was never recorded.",
              "Call cudaEventRecord for both events first.");
  ASSERT_EQ(cudaEventRecord(silent, nullptr), cudaSuccess);
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, silent, timeless), cudaErrorInvalidResourceHandle);
  expect_said("cudaEventElapsedTime: the end event keeps no time.", "Create it without cudaEventDisableTiming.");
  cudaEventDestroy(silent);
  cudaEventDestroy(timeless);
}

}  // namespace
}  // namespace warpwright::cudart
