// A program is right, and nothing is found wrong with it, in the machine's own order and in others.
#include <gtest/gtest.h>

#include <optional>

#include "cudart/session.h"

/// Runs kernels, and says whether all that they computed is right.
bool program();

namespace warpwright::cudart {
namespace {

void expect_right_and_silent() {
  reset_errors();
  EXPECT_TRUE(program());
  const auto launches = take_launches();
  EXPECT_FALSE(launches.empty());
  for (const observe::Report& launch : launches)
    for (const observe::Diagnosis& diagnosis : launch.diagnoses)
      ADD_FAILURE() << launch.kernel << ": " << diagnosis.kind << " at " << diagnosis.file << ":" << diagnosis.line
                    << "\n"
                    << diagnosis.message << "\n"
                    << diagnosis.instruction;
  for (const observe::Diagnosis& diagnosis : take_diagnoses())
    ADD_FAILURE() << diagnosis.kind << "\n" << diagnosis.message;
}

TEST(Program, IsRightAndSilent) { expect_right_and_silent(); }

TEST(Program, IsRightAndSilentUnderOtherSchedules) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    SCOPED_TRACE(seed);
    settings().schedule = seed;
    expect_right_and_silent();
  }
  settings().schedule = std::nullopt;
}

}  // namespace
}  // namespace warpwright::cudart
