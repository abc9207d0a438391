#include "cudart/reservation.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <new>

namespace warpwright::cudart {
namespace {

constexpr std::size_t gibibyte = std::size_t{1} << 30;

unsigned char* bytes_at(machine::Address address) { return reinterpret_cast<unsigned char*>(address); }

/// What the tests expect of an unlimited process.
class AddressReservationTest : public testing::Test {
 protected:
  void SetUp() override {
    rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) GTEST_SKIP() << "under ulimit -v";
  }
};
using AddressReservationDeathTest = AddressReservationTest;

TEST_F(AddressReservationTest, GivesPagesThatCanBeWritten) {
  AddressReservation reservation;
  EXPECT_EQ(reservation.bytes(), AddressReservation::default_most);
  const machine::Address at = reservation.base() + reservation.bytes() / 2;
  ASSERT_TRUE(reservation.commit(at, 10000));
  bytes_at(at)[9999] = 7;
  EXPECT_EQ(bytes_at(at)[9999], 7);
}

TEST_F(AddressReservationTest, GivesMemoryBackOnRelease) {
  AddressReservation reservation;
  const machine::Address at = reservation.base();
  ASSERT_TRUE(reservation.commit(at, 4096));
  bytes_at(at)[0] = 7;
  reservation.release(at, 4096);
  ASSERT_TRUE(reservation.commit(at, 4096));
  EXPECT_EQ(bytes_at(at)[0], 0);
}

TEST_F(AddressReservationDeathTest, StopsTheHostAtPagesThatWereNeverCommittedOrWereReleased) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  AddressReservation reservation;
  const machine::Address at = reservation.base();
  EXPECT_DEATH(bytes_at(at)[0] = 1, "");
  ASSERT_TRUE(reservation.commit(at, 4096));
  EXPECT_DEATH(bytes_at(at)[4096] = 1, "");
  reservation.release(at, 4096);
  EXPECT_DEATH(bytes_at(at)[0] = 1, "");
}

TEST_F(AddressReservationDeathTest, CanKeepTheBytesOfAnAddressWhereItDoesNotLead) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  AddressReservation reservation;
  for (const machine::Address at : {reservation.base(), reservation.base() + reservation.bytes() - 4096}) {
    const machine::Address bytes = at + reservation.shift();
    EXPECT_GE(bytes, reservation.base() + reservation.bytes());
    ASSERT_TRUE(reservation.commit(bytes, 4096));
    bytes_at(bytes)[0] = 1;
    EXPECT_DEATH(bytes_at(at)[0] = 1, "");
  }
}

TEST_F(AddressReservationDeathTest, LetsTheHostReachSharedBytesAsFarAsItMay) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  using Host = AddressReservation::Host;
  AddressReservation reservation;
  const machine::Address for_host = reservation.base() + 8192, at = for_host + reservation.shift();
  ASSERT_TRUE(reservation.commit_shared(at, 5000));
  bytes_at(for_host)[4999] = 7;
  EXPECT_EQ(bytes_at(at)[4999], 7);
  AddressReservation::let_host(Host::reads, for_host, 5000);
  bytes_at(at)[4999] = 8;
  EXPECT_EQ(bytes_at(for_host)[4999], 8);
  EXPECT_DEATH(bytes_at(for_host)[4999] = 9, "");
  AddressReservation::let_host(Host::nothing, for_host, 4096);
  EXPECT_EQ(bytes_at(for_host)[4096], 0);
  EXPECT_DEATH(bytes_at(at)[1] = bytes_at(for_host)[0], "");
  AddressReservation::let_host(Host::reads_and_writes, for_host, 5000);
  bytes_at(for_host)[0] = 9;
  EXPECT_EQ(bytes_at(at)[0], 9);
}

/// Whether the host promises so much memory to whoever asks. Some promise any amount.
bool host_promises(std::size_t bytes, int sharing) {
  void* at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, sharing | MAP_ANONYMOUS, -1, 0);
  return at != MAP_FAILED && munmap(at, bytes) == 0;
}

TEST_F(AddressReservationTest, RefusesWhatTheHostDoes) {
  AddressReservation reservation;
  const std::size_t half = reservation.bytes() / 2;
  EXPECT_EQ(reservation.commit(reservation.base(), half), host_promises(half, MAP_PRIVATE));
  EXPECT_EQ(reservation.commit_shared(reservation.base() + reservation.shift(), half), host_promises(half, MAP_SHARED));
  EXPECT_TRUE(reservation.commit(reservation.base(), 4096));
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
/// Bytes of address space that this process has mapped already.
std::size_t mapped_bytes() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

/// Ends the process, a child, with 0 if `body` holds when `left` bytes more may be mapped, as under `ulimit -v`.
template <typename Body>
void exit_with_limit(std::size_t left, Body body) {
  const rlimit limit{mapped_bytes() + left, RLIM_INFINITY};
  std::exit(setrlimit(RLIMIT_AS, &limit) == 0 && body() ? 0 : 1);
}

TEST_F(AddressReservationDeathTest, TakesWhatALimitOnTheAddressSpaceLeaves) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  const auto takes_a_part = [] {
    const AddressReservation reservation;
    return reservation.bytes() == 2 * gibibyte;  // the largest half of a half... that fits 7 twice
  };
  EXPECT_EXIT(exit_with_limit(7 * gibibyte, takes_a_part), testing::ExitedWithCode(0), "");
  const auto says_that_nothing_is_left = [] {
    try {
      const AddressReservation reservation;
      return false;
    } catch (const std::bad_alloc&) {
      return true;
    }
  };
  EXPECT_EXIT(exit_with_limit(AddressReservation::least / 2, says_that_nothing_is_left), testing::ExitedWithCode(0),
              "");
}
#endif

}  // namespace
}  // namespace warpwright::cudart
