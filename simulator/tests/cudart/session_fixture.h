// What the runtime's tests share: each starts with a working GPU and nothing said, and must account for all that was
// said.
#pragma once

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cudart/session.h"

namespace warpwright::cudart {

class Session : public testing::Test {
 protected:
  void SetUp() override {
    reset_errors();
    settings() = {};
    take_diagnoses();
    take_launches();
  }

  void TearDown() override {
    expect_silence();
    reset_errors();
  }

  /// The only diagnosis since the last call.
  observe::Diagnosis the_diagnosis() {
    std::vector<observe::Diagnosis> diagnoses = take_diagnoses();
    EXPECT_EQ(diagnoses.size(), 1u);
    return diagnoses.empty() ? observe::Diagnosis{} : diagnoses.front();
  }

  /// Expects a race as the only diagnosis, in words that hold these.
  void expect_race(const std::string& says) {
    const observe::Diagnosis race = the_diagnosis();
    EXPECT_EQ(race.kind, "race");
    EXPECT_NE(race.message.find(says), std::string::npos) << race.message;
    EXPECT_FALSE(race.is_warning);
  }
  static void expect_silence() {
    for (const observe::Diagnosis& diagnosis : take_diagnoses()) ADD_FAILURE() << "unexpected: " << diagnosis.message;
  }

  /// Expects that the last call said exactly this.
  void expect_said(const std::string& message, const std::string& hint) {
    const observe::Diagnosis diagnosis = the_diagnosis();
    EXPECT_EQ(diagnosis.message, message);
    EXPECT_EQ(diagnosis.hint, hint);
    cudaGetLastError();
  }
};

/// Device memory for one test.
template <typename T>
class Buffer {
 public:
  explicit Buffer(std::size_t count) : bytes_(count * sizeof(T)) { EXPECT_EQ(cudaMalloc(&data_, bytes_), cudaSuccess); }
  ~Buffer() { cudaFree(data_); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  T* get() const { return static_cast<T*>(data_); }

 private:
  void* data_ = nullptr;
  std::size_t bytes_;
};

}  // namespace warpwright::cudart
