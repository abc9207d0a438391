#include "observe/global_shadow.h"

#include <algorithm>

namespace warpwright::observe {

void Line::add(const Stretch& stretch) {
  if (size_ >= inside && size_ - inside == room_) {
    const auto room = static_cast<std::uint16_t>(room_ == 0 ? 4 : std::min<std::uint32_t>(2 * room_, most - inside));
    auto* more = new Stretch[room];
    std::copy_n(more_, room_, more);
    delete[] more_;
    more_ = more;
    room_ = room;
  }
  (*this)[size_++] = stretch;
}

GlobalShadow::Lines::Lines(const machine::Allocation& allocation)
    : base_(allocation.base),
      bytes_(allocation.bytes),
      pages_((allocation.bytes + Line::bytes * page_lines - 1) / (Line::bytes * page_lines)) {}

GlobalShadow::Lines::~Lines() {
  for (std::atomic<Line*>& page : pages_) delete[] page.load(std::memory_order_relaxed);
}

Line& GlobalShadow::Lines::at(machine::Address address) {
  const std::size_t number = (address - base_) / Line::bytes;
  std::atomic<Line*>& page = pages_[number / page_lines];
  Line* lines = page.load(std::memory_order_acquire);
  if (lines == nullptr) {
    auto fresh =
        std::make_unique<Line[]>(std::min(page_lines, bytes_ / Line::bytes + 1 - number / page_lines * page_lines));
    if (page.compare_exchange_strong(lines, fresh.get(), std::memory_order_acq_rel)) lines = fresh.release();
  }
  return lines[number % page_lines];
}

GlobalShadow::Lines& GlobalShadow::lines_of(const machine::Allocation& allocation) {
  const std::lock_guard lock(mutex_);
  std::unique_ptr<Lines>& lines = lines_[allocation.number];
  if (!lines) lines = std::make_unique<Lines>(allocation);
  return *lines;
}

}  // namespace warpwright::observe
