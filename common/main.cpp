#include <gtest/gtest.h>

#include "listener.h"

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();
  delete listeners.Release(listeners.default_result_printer());
  listeners.Append(new warpwright::Listener);  // GoogleTest owns it
  return RUN_ALL_TESTS();
}
