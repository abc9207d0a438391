// Host code that touches what an operation may still use, as programs do it, and what looks like that and is none.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "kernels.h"
#include "session_fixture.h"

namespace warpwright::cudart {
namespace {

constexpr int n = 3000;  // not whole pages
constexpr std::size_t bytes = n * sizeof(int);

int read(const int* at) { return *static_cast<const volatile int*>(at); }
void write(int* at) { *static_cast<volatile int*>(at) = 1; }

class HostRace : public Session {
 protected:
  void SetUp() override {
    Session::SetUp();
    cudaStreamCreate(&one);
    cudaStreamCreate(&other);
    cudaEventCreate(&event);
    cudaMallocManaged(reinterpret_cast<void**>(&managed), bytes);
    cudaMallocHost(reinterpret_cast<void**>(&pinned), bytes);
    std::fill_n(managed, n, 1);
    std::fill_n(pinned, n, 1);
    cudaMemset(device.get(), 0, bytes);
    cudaDeviceSynchronize();
  }
  void TearDown() override {
    for (cudaStream_t stream : {one, other}) cudaStreamDestroy(stream);
    cudaEventDestroy(event);
    cudaFreeHost(pinned);
    cudaFree(managed);
    Session::TearDown();
  }

  /// A kernel that reads and writes the first `count` elements.
  void work(cudaStream_t stream = nullptr, int count = n) const {
    kernels::scale({12, 1, 1}, {256, 1, 1}, 0, reinterpret_cast<float*>(managed), 1, count, stream);
  }

  Buffer<int> device{n};
  int* managed = nullptr;
  int* pinned = nullptr;
  cudaStream_t one = nullptr, other = nullptr;
  cudaEvent_t event = nullptr;
};

TEST_F(HostRace, OfAReaderAndAKernelIsNamedAndTheProgramGoesOn) {
  kernels::set_word(device.get(), 7, nullptr);
  work();
  EXPECT_EQ(read(managed + 5), 1);
  const observe::Diagnosis race = the_diagnosis();
  EXPECT_EQ(race.kind, "race");
  EXPECT_NE(race.message.find("Race with the host: host code reads element 5 (of 4 bytes) of an allocation of 12000 "
                              "bytes (cudaMallocManaged), and the kernel scale_kernel, launched"),
            std::string::npos)
      << race.message;
  EXPECT_NE(race.message.find("may still be writing it"), std::string::npos) << race.message;
  EXPECT_EQ(race.hint,
            "Let the host wait first: with cudaDeviceSynchronize(), or for the default stream alone with "
            "cudaStreamSynchronize().");
}

TEST_F(HostRace, ReachesToTheLastElement) {
  work();
  read(managed + n - 1);
  expect_race("element 2999 (of 4 bytes)");
}

TEST_F(HostRace, ClosesNothingThatWasOpenBehindTheLastElement) {
  read(managed + n);  // found nowhere: on a GPU it does no harm either
  work();
  read(managed + n);
  expect_silence();
}

TEST_F(HostRace, IsRuledOutByEveryWayToWait) {
  const std::vector<std::function<cudaError_t()>> waits = {
      [&] { return cudaStreamSynchronize(one); },
      [&] { return cudaStreamQuery(one); },
      [&] { return cudaEventSynchronize(event); },
      [&] { return cudaEventQuery(event); },
      [] { return cudaDeviceSynchronize(); },
      [] { return cudaStreamSynchronize(nullptr); },
      [] { return cudaFree(nullptr); },
      [&] { return cudaMemcpy(pinned, device.get(), sizeof(int), cudaMemcpyDefault); },
      [&] {
        return cudaLaunchHostFunc(
            one, [](void*) {}, nullptr);
      },
      [&] {
        std::thread([&] { cudaStreamSynchronize(one); }).join();
        return cudaSuccess;
      }};
  for (const auto& wait : waits) {
    work(one);
    cudaEventRecord(event, one);
    EXPECT_EQ(wait(), cudaSuccess);
    EXPECT_EQ(read(managed), 1);
    write(managed + n - 1);
    expect_silence();
  }
}

TEST_F(HostRace, IsNotRuledOutByWaitingForAnotherStream) {
  work(one);
  cudaStreamSynchronize(other);
  read(managed);
  expect_race("in stream 1, may still be writing it");
}

TEST_F(HostRace, OfAWriterAndAKernelThatOnlyReads) {
  kernels::read_word(managed, device.get());
  EXPECT_EQ(read(managed), 1);
  write(managed);
  expect_silence();  // one element is in use, of a page of many
  kernels::copy_scattered(reinterpret_cast<const char*>(managed), reinterpret_cast<char*>(device.get()), 11776);
  read(managed + 1024);
  expect_silence();
  write(managed + 1024);
  expect_race("host code writes byte 4096 of");
}

TEST_F(HostRace, IsNamedWithTheLastOfSeveralOperations) {
  cudaMemcpyAsync(device.get(), pinned, bytes, cudaMemcpyHostToDevice, one);
  cudaEventRecord(event, one);
  cudaStreamWaitEvent(other, event, 0);
  cudaMemcpyAsync(pinned, device.get(), bytes, cudaMemcpyDeviceToHost, other);
  write(pinned);
  expect_race("in stream 2, may still be writing it");
}

/// The system cannot be stopped and told: it finds the memory closed.
TEST_F(HostRace, IsNoneOfTheSystemOnceTheHostHasWaited) {
  std::array<int, 2> ends;
  ASSERT_EQ(pipe(ends.data()), 0);
  for (const bool is_busy : {true, false}) {
    if (is_busy) work();
    const ssize_t written = ::write(ends[1], managed, sizeof(int));
    EXPECT_EQ(written, is_busy ? -1 : ssize_t{sizeof(int)});
    cudaDeviceSynchronize();
  }
  expect_silence();
  for (const int end : ends) close(end);
}

TEST_F(HostRace, OfACopyIntoPinnedMemory) {
  cudaMemcpyAsync(pinned, device.get(), bytes, cudaMemcpyDeviceToHost, one);
  read(pinned);
  expect_race("and cudaMemcpyAsync, called ");
  cudaMemcpyAsync(pinned, device.get(), bytes, cudaMemcpyDeviceToHost, one);
  cudaStreamSynchronize(one);
  read(pinned);
  expect_silence();
}

TEST_F(HostRace, OfACopyOutOfPinnedMemoryThatIsFilledAgain) {
  cudaMemcpyAsync(device.get(), pinned, bytes, cudaMemcpyHostToDevice, one);
  read(pinned);
  expect_silence();
  write(pinned);
  expect_race("may still be reading it");
}

TEST_F(HostRace, IsNoneWithACopyThatTheHostWaitsFor) {
  cudaMemcpy(device.get(), pinned, bytes, cudaMemcpyHostToDevice);
  write(pinned);
  cudaMemcpy(pinned, device.get(), bytes, cudaMemcpyDeviceToHost);
  read(pinned);
  cudaMemset(managed, 0, bytes);
  write(managed);
  expect_silence();
}

TEST_F(HostRace, IsNoneOfOperationsAmongThemselves) {
  work(one);
  work(one);
  cudaMemcpyAsync(device.get(), managed, bytes, cudaMemcpyDefault, one);
  int last = 0;
  cudaMemcpy(&last, managed + n - 1, sizeof(int), cudaMemcpyDefault);
  EXPECT_EQ(last, 1);
  expect_silence();
}

TEST_F(HostRace, IsNoneOnAPageThatIsInUseInPart) {
  work(nullptr, n - 1);
  read(managed + n - 1);
  write(managed + n - 1);
  expect_silence();
  read(managed);
  expect_race("element 0");
}

TEST_F(HostRace, OfAnAtomicIsOneUnlessTheHostMayLookAtAnyTime) {
  int* counter = nullptr;
  cudaMallocManaged(reinterpret_cast<void**>(&counter), sizeof(int));
  *counter = 0;
  kernels::count(4, counter);
  EXPECT_EQ(read(counter), 128);
  expect_race("may still be updating it");
  cudaDeviceSynchronize();

  *counter = 0;
  work();
  kernels::set_and_tell(pinned, 5, counter);
  expect_silence();
  EXPECT_EQ(read(counter), 1);  // and who has seen it knows of all that came before
  EXPECT_EQ(read(pinned), 5);
  EXPECT_EQ(read(managed), 1);
  expect_silence();
  cudaFree(counter);
}

TEST_F(HostRace, IsToldOnceForAPairOfPlaces) {
  for (int round = 0; round < 3; ++round) {
    work();
    read(managed);
    read(managed + 1);
  }
  EXPECT_EQ(take_diagnoses().size(), 1u);
}

TEST_F(HostRace, InMemoryThatIsInUseInPatchesIsFoundInTheFirst) {
  constexpr std::size_t page_ints = 1024, pages = 200, row = 2 * page_ints * sizeof(int);
  int* large = nullptr;
  cudaMallocHost(reinterpret_cast<void**>(&large), pages * page_ints * sizeof(int));
  void* source = nullptr;
  cudaMalloc(&source, pages * page_ints * sizeof(int));
  cudaMemset(source, 0, pages * page_ints * sizeof(int));
  cudaMemcpy2DAsync(large, row, source, row, row / 2, pages / 2, cudaMemcpyDefault, one);
  for (std::size_t page = 1; page < pages; page += 2) write(large + page * page_ints);
  read(large + (pages - 2) * page_ints);  // among the last: a mapping for each would be too many
  expect_silence();
  read(large);
  expect_race("byte 0 of");
  cudaFree(source);
  cudaFreeHost(large);
}

TEST_F(HostRace, IsNotLookedForWithoutSanitizers) {
  settings().sanitizers = false;
  work();
  read(managed);
  expect_silence();
}

using HostRaceDeathTest = HostRace;

TEST_F(HostRaceDeathTest, LeavesFreedMemoryClosed) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  work();
  cudaFree(managed);
  cudaDeviceSynchronize();
  EXPECT_DEATH(read(managed), "use after free");
  managed = nullptr;
}

}  // namespace
}  // namespace warpwright::cudart
