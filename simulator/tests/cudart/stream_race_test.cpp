// Races between streams as programs make them, and what looks like one and is none.
#include <numeric>
#include <thread>
#include <vector>

#include "cudart/operations.h"
#include "kernels.h"
#include "session_fixture.h"

extern "C" cudaError_t cudaMemsetAsync_ptsz(void* destination, int value, std::size_t bytes, cudaStream_t stream);

namespace warpwright::cudart {
namespace {

constexpr int n = 1024;
constexpr std::size_t bytes = n * sizeof(float);

class StreamRace : public Session {
 protected:
  void SetUp() override {
    Session::SetUp();
    cudaStreamCreate(&one);
    cudaStreamCreate(&other);
    cudaStreamCreateWithFlags(&free, cudaStreamNonBlocking);
    cudaEventCreate(&event);
    cudaMallocHost(reinterpret_cast<void**>(&pinned), bytes);
    cudaMemset(data.get(), 0, bytes);
    cudaDeviceSynchronize();
  }
  void TearDown() override {
    for (cudaStream_t stream : {one, other, free}) cudaStreamDestroy(stream);
    cudaEventDestroy(event);
    cudaFreeHost(pinned);
    cudaDeviceSynchronize();
    Session::TearDown();
  }

  /// Reads and writes elements [first, first + count) of `data`.
  void work(cudaStream_t stream, int first = 0, int count = n) const {
    kernels::scale({4, 1, 1}, {256, 1, 1}, 0, data.get() + first, 2, count, stream);
  }
  void expect_race(const char* says = "nothing orders the two") { Session::expect_race(says); }

  Buffer<float> data{n};
  float* pinned = nullptr;
  cudaStream_t one = nullptr, other = nullptr, free = nullptr;
  cudaEvent_t event = nullptr;
};

TEST_F(StreamRace, BetweenTwoKernelsIsNamed) {
  work(one);
  work(other, 512, 100);
  const observe::Diagnosis race = the_diagnosis();
  EXPECT_EQ(race.kind, "race");
  EXPECT_EQ(race.kernel, "scale_kernel");
  EXPECT_NE(race.message.find("element 512 (of 4 bytes) of an allocation of 4096 bytes (cudaMalloc)"),
            std::string::npos)
      << race.message;
}

TEST_F(StreamRace, IsRuledOutByAnEvent) {
  work(one);
  cudaEventRecord(event, one);
  cudaStreamWaitEvent(other, event, 0);
  work(other);
  expect_silence();
  cudaEventRecord(event, other);
  work(other);
  cudaStreamWaitEvent(one, event, 0);
  work(one);
  expect_race();
}

TEST_F(StreamRace, IsRuledOutByAHostThatWaits) {
  const auto waits = {+[](cudaStream_t stream, cudaEvent_t) { return cudaStreamSynchronize(stream); },
                      +[](cudaStream_t stream, cudaEvent_t) { return cudaStreamQuery(stream); },
                      +[](cudaStream_t, cudaEvent_t recorded) { return cudaEventSynchronize(recorded); },
                      +[](cudaStream_t, cudaEvent_t recorded) { return cudaEventQuery(recorded); },
                      +[](cudaStream_t, cudaEvent_t) { return cudaDeviceSynchronize(); },
                      +[](cudaStream_t, cudaEvent_t) { return cudaFree(nullptr); }};
  for (const auto& wait : waits) {
    work(one);
    cudaEventRecord(event, one);
    EXPECT_EQ(wait(one, event), cudaSuccess);
    work(free);
    cudaStreamSynchronize(free);
  }
  expect_silence();
}

TEST_F(StreamRace, IsNotRuledOutByWaitingForAnotherStream) {
  work(one);
  cudaStreamSynchronize(other);
  work(other);
  expect_race();
}

TEST_F(StreamRace, IsRuledOutByTheDefaultStreamBetweenStreamsThatBlock) {
  work(one);
  work(nullptr);
  work(other);
  expect_silence();
  work(free);
  expect_race("in stream 2, may still be writing");  // the last of the three, whom to wait for is enough
}

TEST_F(StreamRace, IsNoneWhereStreamsWorkOnChunksOfTheirOwn) {
  cudaStream_t streams[] = {one, other, free};
  for (int chunk = 0; chunk < 12; ++chunk) work(streams[chunk % 3], chunk * 64 + chunk % 3, 61);
  expect_silence();
  work(one, 64, 2);
  expect_race();
}

TEST_F(StreamRace, IsNoneBetweenCopiesIntoInterleavedRows) {
  cudaMemcpy2DAsync(data.get(), 8, pinned, 4, 4, n / 2, cudaMemcpyHostToDevice, one);
  cudaMemcpy2DAsync(data.get() + 1, 8, pinned, 4, 4, n / 2, cudaMemcpyHostToDevice, other);
  expect_silence();
  cudaMemset2DAsync(data.get(), 8, 0, 5, n / 2, other);
  expect_race("byte 0 of");
}

TEST_F(StreamRace, IsNoneBetweenAtomics) {
  int* counter = reinterpret_cast<int*>(data.get());
  for (cudaStream_t stream : {one, other, free}) kernels::count(4, counter, stream);
  expect_silence();
  cudaMemsetAsync(counter, 0, sizeof(int), other);
  expect_race("may still be updating it");
}

TEST_F(StreamRace, OfACopyAndAKernelTellsWhichCameFirst) {
  cudaMemcpyAsync(data.get(), pinned, bytes, cudaMemcpyHostToDevice, one);
  work(other);
  expect_race("and cudaMemcpyAsync");
}

TEST_F(StreamRace, OfPinnedMemoryIsOneOfMemoryLikeAnother) {
  cudaMemcpyAsync(pinned, data.get(), bytes, cudaMemcpyDeviceToHost, free);
  cudaMemcpy(data.get(), pinned, bytes, cudaMemcpyHostToDevice);
  EXPECT_EQ(take_diagnoses().size(), 1u);
}

TEST_F(StreamRace, IsNoneBehindACopyToThePageableHost) {
  std::vector<float> host(n);
  work(one);
  cudaMemcpyAsync(host.data(), data.get(), bytes, cudaMemcpyDeviceToHost, one);
  work(free);
  expect_silence();
}

TEST_F(StreamRace, IsThereBehindCallsThatReturnBeforeTheyAreDone) {
  const std::vector<float> host(n);
  Buffer<float> more(n);
  cudaMemset(data.get(), 1, bytes);
  work(free);
  expect_race("cudaMemset may return before it is done");
  cudaDeviceSynchronize();
  cudaMemcpy(data.get(), host.data(), bytes, cudaMemcpyHostToDevice);
  work(free);
  expect_race("cudaMemcpy may return before it is done");
  cudaDeviceSynchronize();
  cudaMemcpy(data.get(), more.get(), bytes, cudaMemcpyDeviceToDevice);
  work(free);
  expect_race("cudaMemcpy may return before it is done");
}

TEST_F(StreamRace, IsNoneBehindACopyFromPinnedMemory) {
  cudaMemcpy(data.get(), pinned, bytes, cudaMemcpyHostToDevice);
  work(free);
  cudaStreamSynchronize(free);
  expect_silence();
}

TEST_F(StreamRace, IsToldOnceForAPairOfCalls) {
  const std::vector<cudaStream_t> streams = {one, other, one, other, one};
  for (cudaStream_t stream : streams) work(stream);
  EXPECT_EQ(take_diagnoses().size(), 1u);
}

TEST_F(StreamRace, OfMemoryInTheOrderOfAStreamStartsWithItsAllocation) {
  void* made = nullptr;
  cudaMallocAsync(&made, bytes, one);
  cudaMemsetAsync(made, 0, bytes, one);
  cudaMemsetAsync(made, 1, bytes, other);
  expect_race();
  cudaFreeAsync(made, one);
  expect_race("frees byte 0 of");
  for (int round = 0; round < 3; ++round) {
    cudaMallocAsync(&made, bytes, one);
    cudaMemsetAsync(made, 0, bytes, one);
    cudaFreeAsync(made, one);
  }
  expect_silence();
}

TEST_F(StreamRace, IsNoneBehindAHostFunctionThatMayHaveToldTheHost) {
  work(one);
  cudaLaunchHostFunc(
      one, [](void*) {}, nullptr);
  work(other);
  expect_silence();
}

TEST_F(StreamRace, OfOneValueIsAWarning) {
  int* word = reinterpret_cast<int*>(data.get());
  kernels::set_word(word, 5, one);
  kernels::set_word(word, 5, other);
  const observe::Diagnosis race = the_diagnosis();
  EXPECT_TRUE(race.is_warning);
  EXPECT_NE(race.message.find("Both write the same value"), std::string::npos) << race.message;
  cudaDeviceSynchronize();
  kernels::set_word(word, 6, one);
  kernels::set_word(word, 7, other);
  expect_race();
}

TEST_F(StreamRace, LooksAtTheDefaultStreamOfEachThread) {
  work(cudaStreamPerThread);
  std::thread([&] { work(cudaStreamPerThread); }).join();
  expect_race("the default stream of a host thread");
  work(nullptr);
  expect_silence();
}

TEST_F(StreamRace, KnowsTheNullStreamOfCodeCompiledForDefaultStreamsOfThreads) {
  cudaMemsetAsync_ptsz(data.get(), 0, bytes, nullptr);
  work(nullptr);
  cudaMemsetAsync_ptsz(data.get(), 0, bytes, nullptr);
  expect_silence();
  std::thread([&] { cudaMemsetAsync_ptsz(data.get(), 0, bytes, nullptr); }).join();
  expect_race("the default stream of a host thread");
}

TEST_F(StreamRace, IsNotLookedForWithoutSanitizers) {
  settings().sanitizers = false;
  work(one);
  work(other);
  expect_silence();
}

TEST_F(StreamRace, OutlivesItsStream) {
  cudaStream_t brief = nullptr;
  cudaStreamCreate(&brief);
  work(brief);
  cudaStreamDestroy(brief);
  work(other);
  expect_race();
}

}  // namespace
}  // namespace warpwright::cudart
