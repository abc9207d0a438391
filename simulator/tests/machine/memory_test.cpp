#include "machine/memory.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <atomic>
#include <cstring>
#include <thread>

namespace warpwright::machine {
namespace {

using Kind = AddressInfo::Kind;

/// A range that is readable from the start and remembers what it was asked for. Pages cost nothing until touched.
class Range : public Reservation {
 public:
  explicit Range(std::size_t bytes) : bytes_(bytes) {
    void* at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at != MAP_FAILED) base_ = reinterpret_cast<Address>(at);
  }
  ~Range() override { munmap(reinterpret_cast<void*>(base_), bytes_); }
  Address base() const override { return base_; }
  std::size_t bytes() const override { return apart == 0 ? bytes_ : apart; }
  std::uint64_t shift() const override { return apart; }
  bool commit(Address, std::size_t) override { return host_has_room; }
  bool commit_shared(Address at, std::size_t size) override {
    shared = at;
    return commit(at, size);
  }
  void release(Address at, std::size_t size) override { released.push_back({at, size}); }

  bool host_has_room = true;
  std::size_t apart = 0;  // how far from their addresses the device's bytes lie
  Address shared = 0;     // the last bytes that are the host's too
  std::vector<std::pair<Address, std::size_t>> released;

 private:
  std::size_t bytes_;
  Address base_ = 0;
};

constexpr std::size_t mebibyte = std::size_t{1} << 20;
constexpr std::size_t gibibyte = std::size_t{1} << 30;

struct Memory : testing::Test {
  Range range{64 * gibibyte};
  DeviceMemory memory{range, gibibyte};
};

TEST_F(Memory, HandsOutAlignedAddressesInAscendingOrder) {
  Address last = 0;
  for (const std::size_t bytes : {1u, 255u, 256u, 257u, 100000u, 3u << 20}) {
    const Address address = memory.allocate(bytes, "cudaMalloc");
    ASSERT_NE(address, 0u);
    EXPECT_EQ(address % DeviceMemory::alignment, 0u);
    EXPECT_GE(address, last + DeviceMemory::least_guard);
    last = address + bytes;
  }
}

TEST_F(Memory, NeverReusesAnAddress) {
  const Address first = memory.allocate(4096, "cudaMalloc");
  ASSERT_TRUE(memory.free(first));
  const Address second = memory.allocate(4096, "cudaMalloc");
  EXPECT_GT(second, first);
}

TEST_F(Memory, LeavesAtLeastAsMuchUnusedSpaceAsTheAllocationItself) {
  const std::size_t bytes = 100 * mebibyte;
  const Address first = memory.allocate(bytes, "cudaMalloc");
  const Address second = memory.allocate(bytes, "cudaMalloc");
  EXPECT_GE(second, first + 2 * bytes);
  EXPECT_EQ(memory.find(first + 2 * bytes - 1, 1), nullptr);
}

TEST_F(Memory, FindsAnAccessThatFitsAndNoOther) {
  const Address base = memory.allocate(1000, "cudaMalloc");
  const Allocation* found = memory.find(base, 1000);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->base, base);
  EXPECT_EQ(found->bytes, 1000u);
  EXPECT_EQ(found->origin, "cudaMalloc");
  EXPECT_EQ(memory.find(base + 996, 4), found);
  EXPECT_EQ(memory.find(base + 997, 4), nullptr);  // straddles the end
  EXPECT_EQ(memory.find(base + 1000, 1), nullptr);
  EXPECT_EQ(memory.find(base - 1, 4), nullptr);  // straddles the start
  EXPECT_EQ(memory.find(base, ~std::size_t{0}), nullptr);
  EXPECT_EQ(memory.find(0, 4), nullptr);
  EXPECT_EQ(memory.find(~Address{0} - 3, 8), nullptr);
}

TEST_F(Memory, HintsChangeTheSpeedAndNeverTheAnswer) {
  const Address a = memory.allocate(1000, "cudaMalloc");
  const Address b = memory.allocate(1000, "cudaMalloc");
  const Allocation* hint = nullptr;
  EXPECT_EQ(memory.find(a, 4, hint)->base, a);
  EXPECT_EQ(hint->base, a);
  EXPECT_EQ(memory.find(b, 4, hint)->base, b);
  EXPECT_EQ(hint->base, b);
  EXPECT_EQ(memory.find(b + 1000, 4, hint), nullptr);
  EXPECT_EQ(hint->base, b);
  memory.free(b);
  EXPECT_EQ(memory.find(b, 4, hint), nullptr);
}

TEST_F(Memory, FindsEveryOneOfManyAllocations) {
  std::vector<Address> bases;
  for (int i = 0; i < 2000; ++i) bases.push_back(memory.allocate(16 + i, "cudaMalloc"));
  for (int i = 0; i < 2000; ++i) {
    const Allocation* found = memory.find(bases[i] + 15 + i, 1);
    ASSERT_NE(found, nullptr) << i;
    EXPECT_EQ(found->number, static_cast<std::uint64_t>(i) + 1);
    EXPECT_EQ(memory.find(bases[i] + 16 + i, 1), nullptr);
  }
}

TEST_F(Memory, NamesWhatAWrongAddressIs) {
  const Address a = memory.allocate(1000, "cudaMalloc");
  const Address b = memory.allocate(1000, "table");
  int local = 0;

  EXPECT_EQ(memory.describe(0).kind, Kind::null);
  EXPECT_EQ(memory.describe(400).kind, Kind::null);  // p[100] of a null pointer
  EXPECT_EQ(memory.describe(400).offset, 400);
  EXPECT_EQ(memory.describe(reinterpret_cast<Address>(&local)).kind, Kind::host);

  AddressInfo info = memory.describe(a + 999);
  EXPECT_EQ(info.kind, Kind::inside);
  EXPECT_EQ(info.offset, 999);
  info = memory.describe(a + 1000);
  EXPECT_EQ(info.kind, Kind::past_end);
  EXPECT_EQ(info.allocation->number, 1u);
  EXPECT_EQ(info.offset, 1000);
  info = memory.describe(b - 4);
  EXPECT_EQ(info.kind, Kind::before_start);
  EXPECT_EQ(info.allocation->origin, "table");
  EXPECT_EQ(info.offset, -4);
  info = memory.describe(b + 5 * mebibyte);  // nothing lies behind it
  EXPECT_EQ(info.kind, Kind::past_end);
  EXPECT_EQ(info.allocation->number, 2u);

  memory.free(a);
  info = memory.describe(a + 8);
  EXPECT_EQ(info.kind, Kind::freed);
  EXPECT_EQ(info.allocation->number, 1u);
}

TEST_F(Memory, CallsAnAddressNeverAllocatedBeforeTheFirstAllocation) {
  EXPECT_EQ(memory.describe(range.base() + 4096).kind, Kind::never_allocated);
  EXPECT_EQ(memory.describe(range.base() + range.bytes()).kind, Kind::host);
}

TEST_F(Memory, RefusesMoreThanTheCardHoldsUntilSomethingIsFreed) {
  const Address big = memory.allocate(gibibyte - 1000, "cudaMalloc");
  ASSERT_NE(big, 0u);
  EXPECT_EQ(memory.in_use(), gibibyte - 1000);
  EXPECT_EQ(memory.allocate(1001, "cudaMalloc"), 0u);
  EXPECT_NE(memory.allocate(1000, "cudaMalloc"), 0u);
  EXPECT_TRUE(memory.free(big));
  EXPECT_EQ(memory.in_use(), 1000u);
  EXPECT_NE(memory.allocate(1001, "cudaMalloc"), 0u);
}

TEST_F(Memory, DoesNotCountHostAndManagedMemoryAgainstTheCard) {
  EXPECT_NE(memory.allocate(2 * gibibyte, "cudaMallocHost", Place::host), 0u);
  EXPECT_EQ(memory.in_use(), 0u);
}

TEST_F(Memory, RefusesNothingAndMoreThanTheRangeHolds) {
  EXPECT_EQ(memory.allocate(0, "cudaMalloc"), 0u);
  EXPECT_EQ(memory.allocate(65 * gibibyte, "cudaMallocHost", Place::host), 0u);
  EXPECT_EQ(memory.allocate(~std::size_t{0}, "cudaMallocHost", Place::host), 0u);
  range.host_has_room = false;
  EXPECT_EQ(memory.allocate(1000, "cudaMalloc"), 0u);
  EXPECT_TRUE(memory.live().empty());
}

TEST_F(Memory, FreesTheBaseOfALiveAllocationOnly) {
  const Address address = memory.allocate(5000, "cudaMalloc");
  EXPECT_FALSE(memory.free(address + 256));
  EXPECT_FALSE(memory.free(0));
  EXPECT_TRUE(memory.free(address));
  EXPECT_FALSE(memory.free(address));
  ASSERT_EQ(range.released.size(), 1u);
  EXPECT_EQ(range.released[0].first, address);
  EXPECT_EQ(range.released[0].second, 5000u);
  EXPECT_EQ(memory.find(address, 4), nullptr);
}

TEST_F(Memory, PoisonsWhatItHandsOutUpToABound) {
  const std::size_t bytes = DeviceMemory::poisoned + 4096;
  const auto* data = reinterpret_cast<const unsigned char*>(memory.allocate(bytes, "cudaMalloc"));
  EXPECT_EQ(data[0], 0xCD);
  EXPECT_EQ(data[DeviceMemory::poisoned - 1], 0xCD);
  EXPECT_EQ(data[DeviceMemory::poisoned], 0);
}

TEST_F(Memory, MayLieElsewhereThanAtItsAddress) {
  range.apart = 32 * gibibyte;
  const Address device = memory.allocate(5000, "cudaMalloc");
  for (const Place both : {Place::host, Place::managed}) {
    const Address address = memory.allocate(5000, "cudaMallocHost", both);
    EXPECT_EQ(memory.place(address + 4999), reinterpret_cast<std::byte*>(address + range.apart + 4999));
    EXPECT_EQ(*memory.place(address + 4999), std::byte{0xCD});
    EXPECT_EQ(range.shared, address + range.apart);
    EXPECT_TRUE(memory.has_shared());
    ASSERT_TRUE(memory.free(address));
    EXPECT_FALSE(memory.has_shared());
    ASSERT_EQ(range.released.size(), 2u);
    EXPECT_EQ(range.released[0].first, address);
    EXPECT_EQ(range.released[1].first, address + range.apart);
    range.released.clear();
  }
  const auto* bytes = reinterpret_cast<const std::byte*>(device + range.apart);
  EXPECT_EQ(memory.place(device), bytes);
  EXPECT_EQ(memory.place(device + 4999), bytes + 4999);
  EXPECT_EQ(bytes[4999], std::byte{0xCD});
  EXPECT_EQ(*reinterpret_cast<const std::byte*>(device), std::byte{0});
  std::byte local{};
  EXPECT_EQ(memory.place(reinterpret_cast<Address>(&local)), &local);

  ASSERT_TRUE(memory.free(device));
  ASSERT_EQ(range.released.size(), 1u);
  EXPECT_EQ(range.released[0].first, device + range.apart);
}

TEST_F(Memory, CanBeReadWhileItGrows) {
  const Address first = memory.allocate(64, "cudaMalloc");
  std::atomic<bool> done = false;
  std::atomic<int> missed = 0;
  std::thread reader([&] {
    while (!done)
      if (memory.find(first, 64) == nullptr) ++missed;
  });
  for (int i = 0; i < 3000; ++i) memory.allocate(64, "cudaMalloc");
  done = true;
  reader.join();
  EXPECT_EQ(missed, 0);
}

}  // namespace
}  // namespace warpwright::machine
