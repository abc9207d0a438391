// WARPWRIGHT_SCHEDULES=N, in the environment, tries every claim under N schedules of the device, by the seeds 1 to N.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "listener.h"

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const char* schedules = std::getenv("WARPWRIGHT_SCHEDULES");
  const int count = schedules == nullptr ? 0 : std::max(0, std::atoi(schedules));
  if (count > 0) GTEST_FLAG_SET(repeat, count);
  testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();
  delete listeners.Release(listeners.default_result_printer());
  listeners.Append(new warpwright::Listener(count));  // GoogleTest owns it
  return RUN_ALL_TESTS();
}
