// Problem: a kernel can be right by luck, right for the wrong reason, or right and unsafe.
// Idea: three kinds of tests, named by what they claim: TEST_F(Right, SumsEveryLength), TEST_F(Safely, ...),
// TEST_F(Contract, ...). Each kind builds on those before it: once one has failed, the later ones are not tried.
// Invariant: whatever kind is running, a mistake that the device diagnoses, a damaged guard or a failed call fails it.
// Left out: how failures look (listener.h).
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "expect.h"

namespace warpwright {

enum class Kind { right, safely, contract };

class ClaimTest : public testing::Test {
 protected:
  explicit ClaimTest(Kind kind) : kind_(kind) {}
  void SetUp() override;
  void TearDown() override;

 private:
  Kind kind_;
};

/// The results are right, whatever the input.
class Right : public ClaimTest {
 protected:
  Right() : ClaimTest(Kind::right) {}
};

/// Nothing is read or written that should not be.
class Safely : public ClaimTest {
 protected:
  Safely() : ClaimTest(Kind::safely) {}
};

/// The results come about in the way that the exercise teaches. Skipped where launches cannot be profiled.
class Contract : public ClaimTest {
 protected:
  Contract() : ClaimTest(Kind::contract) {}
};

/// Fails the running test if there is a mismatch (see expect.h). `input` says what the kernel was given: "n = 257".
void expect(const std::string& input, const std::optional<std::string>& mismatch);

}  // namespace warpwright
