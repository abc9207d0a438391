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

bool AddressReservation::commit_shared(machine::Address at, std::size_t size) {
  const Pages pages = pages_around(at, size);
  const auto read_write = PROT_READ | PROT_WRITE;
  if (mmap(pages.at, pages.size, read_write, MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED) return false;
  if (size >= huge_page) madvise(pages.at, pages.size, MADV_HUGEPAGE);
  // mremap(2): with an old size of 0 the pages of a shared mapping are mapped a second time.
  void* const for_host = static_cast<char*>(pages.at) - shift();
  if (mremap(pages.at, 0, pages.size, MREMAP_MAYMOVE | MREMAP_FIXED, for_host) != MAP_FAILED) return true;
  release(at, size);
  return false;
}

void AddressReservation::let_host(Host host, machine::Address at, std::size_t size) {
  const int protection = host == Host::nothing ? PROT_NONE : host == Host::reads ? PROT_READ : PROT_READ | PROT_WRITE;
  mprotect(reinterpret_cast<void*>(at), size, protection);  // failing to close costs a diagnosis
}

void AddressReservation::release(machine::Address at, std::size_t size) {
  // Replacing the mapping gives the memory back and closes the pages in one step.
  const Pages pages = pages_around(at, size);
  mmap(pages.at, pages.size, PROT_NONE, private_anonymous | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

bool AddressReservation::host_has(machine::Address at) const {
  if (at >= base_ && at - base_ < 2 * bytes_) return false;
  const Pages page = pages_around(at, 1);
  unsigned char resident = 0;
  return mincore(page.at, page.size, &resident) == 0;  // fails where nothing is mapped
}

}  // namespace warpwright::cudart
