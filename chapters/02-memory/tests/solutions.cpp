// The answers side by side: each mends the flaw of the one before, in the exact numbers that hints and prose quote.
#include <map>
#include <string_view>

#include "observe/metrics.h"
#include "transposes.h"

using namespace warpwright;
namespace metric = observe::metric;

namespace {

/// A matrix of 1024 x 1024 floats: 32,768 requests of warps each way. Each transpose is profiled once.
double transposing(memory::Transpose transpose, std::string_view name) {
  static std::map<memory::Transpose, observe::Report> launches;
  auto launch = launches.find(transpose);
  if (launch == launches.end()) launch = launches.emplace(transpose, memory::launch_of(transpose, {1024, 1024})).first;
  return launch->second.metrics.at(std::string(name));
}

void expect_by_request(const observe::Report& launch, std::string_view sectors, std::string_view requests,
                       double expected) {
  EXPECT_EQ(launch.metrics.at(std::string(sectors)) / launch.metrics.at(std::string(requests)), expected);
}

}  // namespace

TEST_F(Contract, EveryTransposeMoves4SectorsARequest) {
  for (const auto transpose : {memory::transpose_tile, memory::transpose_pad, memory::transpose_swizzle}) {
    const auto launch = memory::launch_of(transpose);
    expect_by_request(launch, metric::global_load_sectors, metric::global_load_requests, 4);
    expect_by_request(launch, metric::global_store_sectors, metric::global_store_requests, 4);
  }
}

TEST_F(Contract, APlainTileMakesAColumnWait32WaysAndTheOthersDoNot) {
  EXPECT_EQ(transposing(memory::transpose_tile, metric::shared_load_wavefronts), 1048576);
  EXPECT_EQ(transposing(memory::transpose_pad, metric::shared_load_wavefronts), 32768);
  EXPECT_EQ(transposing(memory::transpose_swizzle, metric::shared_load_wavefronts), 32768);
}

TEST_F(Contract, NoTileMakesTheStoresWait) {
  EXPECT_EQ(transposing(memory::transpose_tile, metric::shared_store_conflicts), 0);
  EXPECT_EQ(transposing(memory::transpose_pad, metric::shared_store_conflicts), 0);
  EXPECT_EQ(transposing(memory::transpose_swizzle, metric::shared_store_conflicts), 0);
}

TEST_F(Contract, OnlyThePaddedTileIsLargerThanItsElements) {
  EXPECT_EQ(memory::shared_bytes(memory::launch_of(memory::transpose_tile)), 4096u);
  EXPECT_EQ(memory::shared_bytes(memory::launch_of(memory::transpose_pad)), 4224u);
  EXPECT_EQ(memory::shared_bytes(memory::launch_of(memory::transpose_swizzle)), 4096u);
}

TEST_F(Contract, AParticleLoadedWholeIs16SectorsOfWhichAllIsWanted) {
  constexpr std::size_t n = 1024;
  const DeviceArray<memory::Particle> particles("particles", std::vector<memory::Particle>(n, {1, 2, 3, 4}));
  const DeviceArray<float> x("x", n), y("y", n), z("z", n), mass("mass", n);
  const auto launch = profile([&] {
                        memory::soa(particles.data(), {x.data(), y.data(), z.data(), mass.data()}, n, nullptr);
                      }).front();
  expect_by_request(launch, metric::global_load_sectors, metric::global_load_requests, 16);
  expect_by_request(launch, metric::global_store_sectors, metric::global_store_requests, 4);
}
