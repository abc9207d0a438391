#include "device_array.h"

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include "cuda_error.h"
#include "device.h"

namespace warpwright {
namespace {

TEST(DeviceArray, HoldsPoisonUntilSomethingIsWritten) {
  const DeviceArray<float> array("a", 1000);
  for (const float value : array.download()) EXPECT_TRUE(is_poison(value));
}

TEST(DeviceArray, GivesBackWhatWasUploaded) {
  const std::vector<double> values = {1, 2.5, -3};
  const DeviceArray<double> array("a", values);
  EXPECT_EQ(array.download(), values);
}

TEST(DeviceArray, IsPoisonedAnewOnRequest) {
  DeviceArray<float> array("a", std::vector<float>{1, 2});
  array.poison();
  EXPECT_TRUE(is_poison(array.download()[1]));
}

TEST(DeviceArray, MayBeEmpty) {
  const DeviceArray<float> array("a", std::size_t{0});
  EXPECT_TRUE(array.download().empty());
}

TEST(DeviceArray, StartsAtAMultipleOf256Bytes) {
  for (int i = 0; i < 3; ++i) {
    const DeviceArray<char> array("a", 100 + i);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(array.data()) % 256, 0u);
  }
}

// With guards, a write beside the array is found when the array goes; without, the device refuses it at once.
TEST(DeviceArray, NoticesAWriteRightBehindItsEnd) {
  take_damage();
  const float beside = 7;
  cudaError_t refused = cudaSuccess;
  {
    const DeviceArray<float> array("out", 3);
    refused = cudaMemcpy(array.data() + 3, &beside, sizeof beside, cudaMemcpyHostToDevice);
  }
  const std::vector<std::string> damage = take_damage();
  if (guard_bytes() == 0) {
    EXPECT_NE(refused, cudaSuccess);
    EXPECT_FALSE(take_diagnoses().empty());
    reset_errors();
  } else {
    ASSERT_EQ(damage.size(), 1u);
    EXPECT_EQ(damage[0], "out was written behind its end, 0 bytes after its last byte");
  }
}

TEST(Check, SaysWhichCallFailedAndWhatTheErrorMeans) {
  try {
    check(cudaErrorInvalidConfiguration, "a launch");
    FAIL() << "check() did not throw";
  } catch (const CudaError& error) {
    EXPECT_EQ(error.code(), cudaErrorInvalidConfiguration);
    const std::string text = error.what();
    EXPECT_NE(text.find("a launch failed"), std::string::npos) << text;
    EXPECT_NE(text.find("cudaErrorInvalidConfiguration"), std::string::npos) << text;
    EXPECT_NE(text.find("0 blocks"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace warpwright
