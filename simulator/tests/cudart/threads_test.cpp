// Many threads of the host use one card. Each sees its own work done, in its own order: run these under the preset
// `tsan`, which sees what they share without a lock.
#include <atomic>
#include <barrier>
#include <functional>
#include <numeric>
#include <thread>
#include <vector>

#include "kernels.h"
#include "session_fixture.h"

namespace warpwright::cudart {
namespace {

constexpr int threads = 4;
constexpr int rounds = 8;

class Threads : public Session {
 protected:
  /// Runs the body on every thread, all at once.
  static void together(const std::function<void(int)>& body) {
    std::barrier start(threads);
    std::vector<std::jthread> running;
    for (int i = 0; i < threads; ++i)
      running.emplace_back([&, i] {
        start.arrive_and_wait();
        body(i);
      });
  }
};

TEST_F(Threads, LaunchWithStreamsAndEventsOfTheirOwn) {
  settings().host_threads = 2;
  std::atomic<int> right = 0;
  together([&](int number) {
    constexpr int n = 2048;
    std::vector<float> host(n);
    std::iota(host.begin(), host.end(), 0.0f);
    cudaStream_t stream = nullptr;
    cudaEvent_t begin = nullptr, end = nullptr;
    float* data = nullptr;
    bool good = cudaStreamCreate(&stream) == cudaSuccess && cudaEventCreate(&begin) == cudaSuccess &&
                cudaEventCreate(&end) == cudaSuccess &&
                cudaMalloc(reinterpret_cast<void**>(&data), n * sizeof(float)) == cudaSuccess;
    const auto factor = static_cast<float>(number + 2);
    for (int round = 0; good && round < rounds; ++round) {
      good = cudaMemcpyAsync(data, host.data(), n * sizeof(float), cudaMemcpyHostToDevice, stream) == cudaSuccess &&
             cudaEventRecord(begin, stream) == cudaSuccess;
      kernels::scale(n / 64, 64, 0, data, factor, n, stream);
      std::vector<float> back(n);
      float milliseconds = -1;
      good = good && cudaGetLastError() == cudaSuccess && cudaEventRecord(end, stream) == cudaSuccess &&
             cudaStreamWaitEvent(stream, end, 0) == cudaSuccess && cudaStreamSynchronize(stream) == cudaSuccess &&
             cudaEventElapsedTime(&milliseconds, begin, end) == cudaSuccess && milliseconds >= 0 &&
             cudaMemcpy(back.data(), data, n * sizeof(float), cudaMemcpyDeviceToHost) == cudaSuccess;
      for (int i = 0; good && i < n; ++i) good = back[i] == host[i] * factor;
    }
    good = good && cudaFree(data) == cudaSuccess && cudaEventDestroy(begin) == cudaSuccess &&
           cudaEventDestroy(end) == cudaSuccess && cudaStreamDestroy(stream) == cudaSuccess;
    right += good ? 1 : 0;
  });
  EXPECT_EQ(right, threads);
  EXPECT_EQ(take_launches().size(), static_cast<std::size_t>(threads * rounds));
}

TEST_F(Threads, CountTogetherInOneCounter) {
  Buffer<int> counter(1);
  ASSERT_EQ(cudaMemset(counter.get(), 0, sizeof(int)), cudaSuccess);
  together([&](int) {
    for (int round = 0; round < rounds; ++round) kernels::count(4, counter.get());
  });
  int counted = 0;
  ASSERT_EQ(cudaMemcpy(&counted, counter.get(), sizeof counted, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(counted, threads * rounds * 4 * 32);
}

TEST_F(Threads, KeepTheirErrorsApartAndTheirDiagnosesTogether) {
  std::atomic<int> right = 0;
  together([&](int number) {
    const bool is_wrong = number % 2 == 0;
    if (is_wrong) cudaSetDevice(99);
    right += cudaGetLastError() == (is_wrong ? cudaErrorInvalidDevice : cudaSuccess) ? 1 : 0;
  });
  EXPECT_EQ(right, threads);
  EXPECT_EQ(take_diagnoses().size(), threads / 2u);
}

TEST_F(Threads, UseTheVariablesOfOneObject) {
  std::atomic<int> right = 0;
  together([&](int) {
    void* first = nullptr;
    std::size_t size = 0;
    right += cudaGetSymbolAddress(&first, kernels::table()) == cudaSuccess && first != nullptr &&
             cudaGetSymbolSize(&size, kernels::big()) == cudaSuccess && size == 8192;
  });
  EXPECT_EQ(right, threads);
}

TEST_F(Threads, AllLearnThatAKernelBrokeTheCard) {
  std::atomic<int> told = 0;
  std::barrier broken(threads);
  together([&](int number) {
    if (number == 0) kernels::give_up();
    broken.arrive_and_wait();
    told += cudaDeviceSynchronize() == cudaErrorLaunchFailure ? 1 : 0;
  });
  EXPECT_EQ(told, threads);
}

}  // namespace
}  // namespace warpwright::cudart
