#include <fstream>
#include <sstream>
#include <string>
#include <thread>

#include "session_fixture.h"

namespace warpwright::cudart {
namespace {

using Error = Session;

TEST_F(Error, HasCudasNameAndWords) {
  EXPECT_STREQ(cudaGetErrorName(cudaErrorIllegalAddress), "cudaErrorIllegalAddress");
  EXPECT_STREQ(cudaGetErrorString(cudaErrorIllegalAddress), "an illegal memory access was encountered");
  EXPECT_STREQ(cudaGetErrorString(cudaSuccess), "no error");
  EXPECT_STREQ(cudaGetErrorName(static_cast<cudaError_t>(12345)), "unrecognized error code");
}

/// Reads "name = number" out of the header's enumeration, so that a new toolkit's new codes are noticed.
TEST_F(Error, HasANameForEveryCodeOfTheHeader) {
  std::ifstream file(WARPWRIGHT_TOOLKIT_INCLUDE "/driver_types.h");
  ASSERT_TRUE(file) << WARPWRIGHT_TOOLKIT_INCLUDE;
  std::string line;
  while (std::getline(file, line) && line.find("enum __device_builtin__ cudaError") == std::string::npos) {
  }
  int codes = 0;
  while (std::getline(file, line) && line.find("};") == std::string::npos) {
    if (line.find('=') == std::string::npos || line.find('*') != std::string::npos) continue;
    std::istringstream words(line);
    std::string name, equals;
    int code = -1;
    words >> name;
    if (name == ",") words >> name;
    words >> equals >> code;
    EXPECT_EQ(cudaGetErrorName(static_cast<cudaError_t>(code)), name) << line;
    EXPECT_STRNE(cudaGetErrorString(static_cast<cudaError_t>(code)), "unrecognized error code") << line;
    ++codes;
  }
  EXPECT_GT(codes, 120);
}

TEST_F(Error, OfACallIsReturnedAndKeptUntilItIsAskedFor) {
  EXPECT_EQ(cudaSetDevice(3), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);  // does not forget it
  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  take_diagnoses();
}

TEST_F(Error, BelongsToTheThreadThatMadeIt) {
  EXPECT_EQ(cudaSetDevice(3), cudaErrorInvalidDevice);
  cudaError_t elsewhere = cudaErrorUnknown;
  std::thread([&] { elsewhere = cudaGetLastError(); }).join();
  EXPECT_EQ(elsewhere, cudaSuccess);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDevice);
  take_diagnoses();
}

TEST_F(Error, IsDiagnosedWithItsKind) {
  cudaSetDevice(3);
  EXPECT_EQ(the_diagnosis().kind, "bad argument");
}

}  // namespace
}  // namespace warpwright::cudart
