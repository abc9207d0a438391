#include "cudart/device.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace warpwright::cudart {
namespace {

TEST(Devices, AreFoundByTheNamesThatPeopleUse) {
  const auto label = [](const char* name) {
    const Device* found = find_device(name);
    return std::string(found != nullptr ? found->label : "");
  };
  for (const char* name : {"RTX 4090", "rtx4090", "RTX-4090", "4090", "NVIDIA GeForce RTX 4090", "geforce_rtx_4090"})
    EXPECT_EQ(label(name), "RTX 4090") << name;
  for (const char* name : {"H200", "h200", "NVIDIA H200", "simulated H200", " h200 "}) EXPECT_EQ(label(name), "H200");
  EXPECT_EQ(label("Tesla T4"), "T4");
  EXPECT_EQ(label("A100-SXM4-80GB"), "A100");
  for (const char* name : {"", "H20", "H2000", "RTX", "nvidia"}) EXPECT_EQ(label(name), "") << name;
  for (const Device& device : devices()) EXPECT_EQ(label(device.name), device.label);
}

TEST(Devices, DifferInTheirNamesAndObeyTheirOwnLimits) {
  std::set<std::string> labels;
  for (const Device& device : devices()) {
    SCOPED_TRACE(device.label);
    EXPECT_TRUE(labels.insert(device.label).second);
    EXPECT_EQ(device.max_threads_per_multiprocessor % device.max_threads_per_block,
              device.major * 10 + device.minor == 89 ? 512 : 0);
    EXPECT_LE(device.shared_bytes_per_block_optin + device.shared_bytes_reserved_per_block,
              device.shared_bytes_per_multiprocessor);
    EXPECT_EQ(device.shared_bytes_per_multiprocessor % device.shared_granule, 0);
    EXPECT_NE(names_of_devices().find(device.label), std::string::npos);
  }
  EXPECT_EQ(labels, (std::set<std::string>{"A100", "H100", "H200", "L4", "RTX 4090", "T4"}));
  EXPECT_STREQ(devices().front().label, "H200") << "what exercises are tested on";
}

}  // namespace
}  // namespace warpwright::cudart
