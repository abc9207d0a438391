#include "cudart/fault_code.h"

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "kernels.h"
#include "session_fixture.h"

namespace warpwright::cudart {
namespace {

using Fault = Session;

observe::Fault fault_in_block(std::uint64_t block, observe::FaultKind kind) {
  observe::Fault fault;
  fault.kind = kind;
  fault.access.where.block = block;
  return fault;
}

TEST(FaultCode, IsTheFirstBlocksWhateverTheOrderOfJoining) {
  using machine::LaunchStatus;
  FaultCode first, second;
  first.fault(fault_in_block(7, observe::FaultKind::misaligned));
  second.fault(fault_in_block(3, observe::FaultKind::trap));
  second.fault(fault_in_block(5, observe::FaultKind::out_of_bounds));
  FaultCode one = first;
  one.join(second);
  FaultCode other = second;
  other.join(first);
  EXPECT_EQ(one.code(LaunchStatus::faulted), cudaErrorLaunchFailure);
  EXPECT_EQ(other.code(LaunchStatus::faulted), cudaErrorLaunchFailure);
  EXPECT_EQ(one.code(LaunchStatus::finished), cudaSuccess);
  EXPECT_EQ(one.code(LaunchStatus::over_budget), cudaErrorLaunchTimeout);
}

TEST(FaultCode, IsTheHardwares) {
  using observe::FaultKind;
  const std::pair<FaultKind, cudaError_t> codes[] = {{FaultKind::out_of_bounds, cudaErrorIllegalAddress},
                                                     {FaultKind::stack_overflow, cudaErrorIllegalAddress},
                                                     {FaultKind::misaligned, cudaErrorMisalignedAddress},
                                                     {FaultKind::bad_copy, cudaErrorLaunchTimeout},
                                                     {FaultKind::trap, cudaErrorLaunchFailure}};
  for (const auto& [kind, code] : codes) {
    FaultCode of;
    of.fault(fault_in_block(0, kind));
    EXPECT_EQ(of.code(machine::LaunchStatus::faulted), code) << cudaGetErrorName(code);
  }
}

TEST_F(Fault, LeavesNoCountersOfItsLaunch) {
  const Buffer<float> data(1000);
  ASSERT_EQ(cudaMemset(data.get(), 0, 4000), cudaSuccess);
  kernels::scale(16, 64, 0, data.get(), 1.0f, 1024);
  const std::vector<observe::Report> launches = take_launches();
  ASSERT_EQ(launches.size(), 1u);
  EXPECT_TRUE(launches[0].ended_early);
  EXPECT_TRUE(launches[0].metrics.empty());
  EXPECT_TRUE(launches[0].coverage.empty());
  EXPECT_EQ(launches[0].diagnoses.size(), 1u);
}

/// Every call now returns `code`, until the errors are reset.
void expect_broken(cudaError_t code) {
  void* data = nullptr;
  EXPECT_EQ(cudaDeviceSynchronize(), code);
  EXPECT_EQ(cudaMalloc(&data, 4), code);
  EXPECT_EQ(data, nullptr);
  EXPECT_EQ(cudaGetLastError(), code);
  EXPECT_EQ(cudaGetLastError(), code);  // asking does not mend it
  EXPECT_EQ(cudaPeekAtLastError(), code);
  reset_errors();
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

/// The report of the only launch has one diagnosis of this kind.
void expect_reported(const std::string& kind) {
  const std::vector<observe::Report> launches = take_launches();
  ASSERT_EQ(launches.size(), 1u);
  ASSERT_EQ(launches[0].diagnoses.size(), 1u);
  EXPECT_EQ(launches[0].diagnoses[0].kind, kind);
}

TEST_F(Fault, OfAHostPointerIsAnIllegalAddress) {
  Buffer<int> out(1);
  int local = 0;
  kernels::read_word(&local, out.get());
  expect_broken(cudaErrorIllegalAddress);
  expect_reported("host pointer");
}

TEST_F(Fault, OfAFreedPointerIsAnIllegalAddress) {
  Buffer<int> out(1);
  void* freed = nullptr;
  ASSERT_EQ(cudaMalloc(&freed, 64), cudaSuccess);
  ASSERT_EQ(cudaFree(freed), cudaSuccess);
  kernels::read_word(freed, out.get());
  expect_broken(cudaErrorIllegalAddress);
  expect_reported("use after free");
}

TEST_F(Fault, OfAnElementTooFarIsAnIllegalAddress) {
  Buffer<int> out(1), data(16);
  kernels::read_word(data.get() + 15, out.get());
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  take_launches();
  kernels::read_word(data.get() + 16, out.get());
  expect_broken(cudaErrorIllegalAddress);
  expect_reported("out of bounds");
}

TEST_F(Fault, OfAnOddAddressIsAMisalignedAddress) {
  Buffer<int> out(1), data(16);
  kernels::read_word(reinterpret_cast<char*>(data.get()) + 2, out.get());
  expect_broken(cudaErrorMisalignedAddress);
  expect_reported("misaligned");
}

TEST_F(Fault, NeverComesFromPinnedOrManagedMemory) {
  Buffer<int> out(1);
  int* pinned = nullptr;
  ASSERT_EQ(cudaMallocHost(reinterpret_cast<void**>(&pinned), 4), cudaSuccess);
  *pinned = 9;
  kernels::read_word(pinned, out.get());
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  int value = 0;
  ASSERT_EQ(cudaMemcpy(&value, out.get(), 4, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(value, 9);
  EXPECT_EQ(cudaFreeHost(pinned), cudaSuccess);
}

TEST_F(Fault, OfAnEndlessLoopIsATimeout) {
  Buffer<int> flag(1);
  ASSERT_EQ(cudaMemset(flag.get(), 0, 4), cudaSuccess);
  settings().step_budget = 100000;
  kernels::wait_for(flag.get());
  expect_broken(cudaErrorLaunchTimeout);
  expect_reported("endless loop");
}

TEST_F(Fault, OfTooManyStepsIsATimeoutAndTheEnvironmentSaysHowManyThatAre) {
  const auto status_after = [](const char* steps) {
    setenv("WARPWRIGHT_STEPS", steps, 1);
    Buffer<int> out(1), data(1);
    cudaMemset(data.get(), 0, 4);
    kernels::read_word(data.get(), out.get());
    unsetenv("WARPWRIGHT_STEPS");
    return cudaDeviceSynchronize();
  };
  EXPECT_EQ(status_after("100000"), cudaSuccess);
  settings().step_budget = 100000;
  EXPECT_EQ(status_after("2"), cudaErrorLaunchTimeout) << "the environment goes first";
  expect_broken(cudaErrorLaunchTimeout);
}

TEST_F(Fault, OfALivelockIsATimeout) {
  Buffer<int> flag(1);
  ASSERT_EQ(cudaMemset(flag.get(), 0, 4), cudaSuccess);
  kernels::wait_for(flag.get());
  expect_broken(cudaErrorLaunchTimeout);
  expect_reported("livelock");
}

TEST_F(Fault, IsNoneWhileAnotherThreadOfTheProgramMayWriteWhatIsPolled) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "ThreadSanitizer has a thread of its own, which might write as well";
#endif
  int* flag = nullptr;
  for (const bool pinned : {false, true}) {
    void** const into = reinterpret_cast<void**>(&flag);
    ASSERT_EQ(pinned ? cudaMallocHost(into, 4) : cudaMallocManaged(into, 4, cudaMemAttachGlobal), cudaSuccess);
    *flag = 0;
    {
      const std::jthread writer([flag] {
        std::this_thread::sleep_for(std::chrono::seconds(1));
        std::atomic_ref(*flag).store(1);
      });
      kernels::wait_for(flag);
    }
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    *flag = 0;
    kernels::wait_for(flag);
    expect_broken(cudaErrorLaunchTimeout);
    EXPECT_EQ(pinned ? cudaFreeHost(flag) : cudaFree(flag), cudaSuccess);
  }
}

TEST_F(Fault, IsNoneWhereHostMemoryIsRegisteredAsAnotherProcessMayShareIt) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "under ThreadSanitizer, which has a thread of its own, this holds anyway, and takes minutes";
#endif
  int flag = 0;
  ASSERT_EQ(cudaHostRegister(&flag, 4, cudaHostRegisterDefault), cudaSuccess);
  settings().step_budget = 1 << 23;
  kernels::wait_for(&flag);
  expect_broken(cudaErrorLaunchTimeout);
  expect_reported("endless loop");
  ASSERT_EQ(cudaHostUnregister(&flag), cudaSuccess);
}

TEST_F(Fault, OfADeadlockIsATimeout) {
  kernels::wait_in_vain();
  expect_broken(cudaErrorLaunchTimeout);
  expect_reported("deadlock");
}

TEST_F(Fault, IsReturnedByTheLaunchItself) {
  int local = 0;
  const void* pointer = &local;
  float factor = 1.0f;
  int n = 1;
  void* arguments[] = {&pointer, &factor, &n};
  EXPECT_EQ(cudaLaunchKernel(kernels::scale_function(), 1, 1, arguments, 0, nullptr), cudaErrorIllegalAddress);
}

TEST_F(Fault, IsForgottenByAResetOfTheDevice) {
  kernels::read_word(nullptr, nullptr);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST_F(Fault, OfAnAssertionNamesWhatDoesNotHoldAndWhere) {
  kernels::insist(4);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  take_launches();
  kernels::insist(5);
  expect_broken(cudaErrorAssert);
  const std::vector<observe::Report> launches = take_launches();
  ASSERT_EQ(launches.size(), 1u);
  ASSERT_EQ(launches[0].diagnoses.size(), 1u);
  const observe::Diagnosis& diagnosis = launches[0].diagnoses[0];
  EXPECT_EQ(diagnosis.kind, "assertion");
  EXPECT_NE(diagnosis.message.find("n < 5 || blockIdx.x == 0 || threadIdx.x != 3"), std::string::npos)
      << diagnosis.message;
  EXPECT_EQ(diagnosis.kernel, "insist_kernel");
  ASSERT_TRUE(diagnosis.who);
  EXPECT_EQ(diagnosis.who->block.x, 1u);
  EXPECT_EQ(diagnosis.who->thread.x, 3u);
  EXPECT_TRUE(diagnosis.file.ends_with("kernels.cu")) << diagnosis.file;
}

TEST_F(Fault, OfATrapIsALaunchFailure) {
  kernels::give_up();
  expect_broken(cudaErrorLaunchFailure);
  expect_reported("trap");
}

}  // namespace
}  // namespace warpwright::cudart
