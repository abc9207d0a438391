// What host code is told that follows a device's pointer. Each access is made by a child, which dies of it.
#include "cudart/host_access.h"

#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <thread>

#include "kernels.h"
#include "session_fixture.h"

namespace warpwright::cudart {
namespace {

class HostAccessDeathTest : public Session {
 protected:
  void SetUp() override {
    Session::SetUp();
    testing::FLAGS_gtest_death_test_style = "threadsafe";
  }
};

const std::string cannot_reach = "Host code cannot reach device memory: copy it with ";
const std::string copy_first = cannot_reach + "cudaMemcpy first, or allocate it with cudaMallocManaged\\.";

volatile int sink = 0;

void read(const int* at) { sink = *static_cast<const volatile int*>(at); }
void write(int* at) { *static_cast<volatile int*>(at) = 1; }

/// An address of nobody's, which the compiler does not know.
const int* nowhere() {
  static volatile std::uintptr_t address = 8;
  return reinterpret_cast<const int*>(address);
}

int* allocated_by(cudaError_t (*allocate)(void**)) {
  void* pointer = nullptr;
  EXPECT_EQ(allocate(&pointer), cudaSuccess);
  return static_cast<int*>(pointer);
}

constexpr std::size_t bytes = 4096;
int* device_memory() {
  return allocated_by([](void** pointer) { return cudaMalloc(pointer, bytes); });
}
int* pool_memory() {
  return allocated_by([](void** pointer) { return cudaMallocAsync(pointer, bytes, nullptr); });
}
int* managed_memory() {
  return allocated_by([](void** pointer) { return cudaMallocManaged(pointer, bytes, cudaMemAttachGlobal); });
}

TEST_F(HostAccessDeathTest, IsToldWithTheMend) {
  int* data = device_memory();
  EXPECT_DEATH(read(data),
               "warpwright: .*device pointer: host code reads device memory: an allocation of 4096 bytes "
               "\\(cudaMalloc\\)\\..* " +
                   copy_first);
  EXPECT_DEATH(write(data + 3), "host code writes device memory: 12 bytes into an allocation of 4096 bytes");
  EXPECT_DEATH(read(data + 2048), "host code reads device memory: 4096 bytes past the end of an allocation of 4096");
  cudaFree(data);
}

TEST_F(HostAccessDeathTest, IsToldOfEveryKindOfDeviceMemory) {
  int* data = pool_memory();
  EXPECT_DEATH(read(data), "reads device memory: an allocation of 4096 bytes \\(cudaMallocAsync\\)");
  cudaFreeAsync(data, nullptr);
  std::size_t pitch = 0;
  void* rows = nullptr;
  ASSERT_EQ(cudaMallocPitch(&rows, &pitch, 10, 2), cudaSuccess);
  EXPECT_DEATH(read(static_cast<int*>(rows)), "reads device memory: .*\\(cudaMallocPitch\\)");
  cudaFree(rows);
  cudaPitchedPtr box;
  ASSERT_EQ(cudaMalloc3D(&box, {10, 2, 2}), cudaSuccess);
  EXPECT_DEATH(read(static_cast<int*>(box.ptr)), "reads device memory: .*\\(cudaMalloc3D\\)");
  cudaFree(box.ptr);
}

TEST_F(HostAccessDeathTest, IsToldOfAVariableWithCopiesByName) {
  void* table = nullptr;
  ASSERT_EQ(cudaGetSymbolAddress(&table, kernels::table()), cudaSuccess);
  EXPECT_DEATH(read(static_cast<int*>(table)),
               "reads device memory: the variable table_variable of 16 "
               "bytes\\. " +
                   cannot_reach + "cudaMemcpyFromSymbol and cudaMemcpyToSymbol\\.");
}

TEST_F(HostAccessDeathTest, IsToldWhenTheHostsAllocatorIsGivenADevicePointer) {
  int* data = device_memory();
  EXPECT_DEATH(read(data - 2),
               "reads device memory: 8 bytes before an allocation of 4096 bytes \\(cudaMalloc\\)\\..* "
               "Free device memory with cudaFree: free\\(\\) and delete are for the host's\\.");
  EXPECT_DEATH(read(data - 8), copy_first);
  cudaFree(data);
}

TEST_F(HostAccessDeathTest, IsToldOfMemoryOfTheHostsOnlyWhereThereIsNone) {
  int* data = managed_memory();
  write(data);
  write(data + 1023);
  EXPECT_DEATH(write(data + 1024),
               "out of bounds: host code writes memory that was not allocated: the end of an "
               "allocation of 4096 bytes \\(cudaMallocManaged\\)\\..* Check the index, and the size "
               "that was allocated\\.");
  cudaFree(data);
  EXPECT_DEATH(read(data + 1),
               "use after free: host code reads memory that was freed: 4 bytes into an allocation of "
               "4096 bytes \\(cudaMallocManaged\\), which was freed\\..* Free memory after its last "
               "use\\.");
}

TEST_F(HostAccessDeathTest, IsToldFromInsideACallToo) {
  int* data = device_memory();
  EXPECT_DEATH(
      cudaMalloc(reinterpret_cast<void**>(data), 4),
      "device pointer: cudaMalloc writes device memory: an allocation of 4096 bytes \\(cudaMalloc\\)\\..* Pass "
      "the address of a host variable, such as &pointer\\.");
  EXPECT_DEATH((cudaGetLastError(), read(data)), "host code reads device memory") << "the call is over";
  cudaFree(data);
}

TEST_F(HostAccessDeathTest, IsToldOfDeviceMemoryThatWasFreed) {
  int* data = device_memory();
  cudaFree(data);
  EXPECT_DEATH(read(data + 1),
               "reads device memory: 4 bytes into an allocation of 4096 bytes \\(cudaMalloc\\), which "
               "was freed\\..* " +
                   copy_first);
}

TEST_F(HostAccessDeathTest, IsToldWhileAnotherThreadsKernelRuns) {
  EXPECT_DEATH(
      {
        alarm(20);  // the kernel runs for longer
        int* data = device_memory();
        int* flag = managed_memory();
        *flag = 0;
        std::thread kernel([flag] { kernels::wait_for(flag); });
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        read(data);
      },
      "host code reads device memory");
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
// The compiler's sanitizers have handlers of their own, which end the process in their way.

TEST_F(HostAccessDeathTest, EndsTheProgramByTheSignal) {
  int* data = device_memory();
  EXPECT_EXIT(read(data), testing::KilledBySignal(SIGSEGV), "device pointer");
  cudaFree(data);
}

TEST_F(HostAccessDeathTest, SaysNothingOfOtherAccessesAndSignals) {
  const auto elsewhere = testing::KilledBySignal(SIGSEGV);
  EXPECT_EXIT(read(nowhere()), elsewhere, "^$");
  EXPECT_EXIT(raise(SIGSEGV), elsewhere, "^$");
}

/// Another handler, as if it had been there before the runtime.
void install(void (*handler)(int)) {
  signal(SIGSEGV, handler);
  watch_host_accesses();
}

TEST_F(HostAccessDeathTest, IsHeardOfByTheHandlerThatWasThereBefore) {
  int* data = device_memory();
  const auto leave = [](int) { _exit(3); };
  EXPECT_EXIT((install(leave), read(data)), testing::ExitedWithCode(3), "device pointer");
  EXPECT_EXIT((install(leave), read(nowhere())), testing::ExitedWithCode(3), "^$");
  EXPECT_EXIT((install(SIG_IGN), raise(SIGSEGV), std::exit(4)), testing::ExitedWithCode(4), "^$");
  cudaFree(data);
}
#endif

}  // namespace
}  // namespace warpwright::cudart
