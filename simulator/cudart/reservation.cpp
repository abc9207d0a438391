#include "cudart/reservation.h"

#include <sys/mman.h>
#include <unistd.h>

#include <new>

namespace warpwright::cudart {
namespace {

constexpr int private_anonymous = MAP_PRIVATE | MAP_ANONYMOUS;
constexpr std::size_t huge_page = std::size_t{2} << 20;

struct Pages {
  void* at;
  std::size_t size;
};

Pages pages_around(machine::Address at, std::size_t size) {
  const auto page = static_cast<machine::Address>(sysconf(_SC_PAGESIZE));
  const machine::Address first = at / page * page;
  const machine::Address end = (at + size + page - 1) / page * page;
  return {reinterpret_cast<void*>(first), end - first};
}

}  // namespace

#if defined(__SANITIZE_THREAD__)
// ThreadSanitizer knows fewer addresses.
const std::size_t AddressReservation::default_most = std::size_t{256} << 30;
#else
const std::size_t AddressReservation::default_most = std::size_t{16} << 40;
#endif

AddressReservation::AddressReservation(std::size_t most) {
  for (std::size_t size = most; size >= least; size /= 2) {
    void* at = mmap(nullptr, 2 * size, PROT_NONE, private_anonymous | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) continue;
    base_ = reinterpret_cast<machine::Address>(at);
    bytes_ = size;
    return;
  }
  throw std::bad_alloc();
}

AddressReservation::~AddressReservation() { munmap(reinterpret_cast<void*>(base_), 2 * bytes_); }

bool AddressReservation::commit(machine::Address at, std::size_t size) {
  // A fresh mapping without MAP_NORESERVE: the kernel then refuses what it can never supply, instead of ending the
  // process when the memory is touched.
  const Pages pages = pages_around(at, size);
  if (mmap(pages.at, pages.size, PROT_READ | PROT_WRITE, private_anonymous | MAP_FIXED, -1, 0) == MAP_FAILED)
    return false;
  if (size >= huge_page) madvise(pages.at, pages.size, MADV_HUGEPAGE);  // advice: failing it costs speed only
  return true;
}

void AddressReservation::release(machine::Address at, std::size_t size) {
  // Replacing the mapping gives the memory back and closes the pages in one step.
  const Pages pages = pages_around(at, size);
  mmap(pages.at, pages.size, PROT_NONE, private_anonymous | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

}  // namespace warpwright::cudart
