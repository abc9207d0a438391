#include "observe/shared_init.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <optional>
#include <string>

#include "observe/wording.h"

namespace warpwright::observe {

using machine::AccessKind;
using machine::warp_size;

namespace {

constexpr std::uint32_t to_the_end = 1;  // SightingKey::what of a read whose block has come to its end

}  // namespace

void SharedInit::Contents::begin_block() {
  if (clocks.exhausted()) clocks.start_over();
  clocks.begin_block();
  copied.clear();
  order = 0;
  if (++life == 0) {  // wrapped around
    std::ranges::fill(by, 0);
    life = 1;
  }
}

void SharedInit::launch_begin(const machine::Launch& launch) {
  launch_ = &launch;
  cell_shift_ = static_cast<unsigned>(std::countr_zero(launch.program->shared_granule));
  synchronisation_ = synchronisation_of(*launch.program);
  cells_ = (launch.shared_window_bytes() >> cell_shift_) + warp_size;
}

void SharedInit::block_begin(std::uint64_t block) {
  const auto make = [&] { return std::make_unique<Contents>(cells_, launch_->threads_per_block(), synchronisation_); };
  contents_.begin(block, make).begin_block();
}

void SharedInit::block_end(std::uint64_t block) {
  settle(contents_.at(block), block, true);
  contents_.end(block);
}

void SharedInit::fault(const Fault& fault) {
  settle(contents_.at(fault.access.where.block), fault.access.where.block, false);
}

void SharedInit::barrier_arrival(const BarrierArrival& arrival) {
  contents_.at(arrival.where.block)
      .clocks.arrive(arrival.barrier, arrival.where.warp, arrival.waits, arrival.expected_threads);
}

void SharedInit::barrier_release(const BarrierRelease& release) {
  contents_.at(release.where.block).clocks.release(release.barrier);
}

void SharedInit::warp_sync(const WarpSync& sync) {
  contents_.at(sync.where.block).clocks.warp_sync(sync.where.warp, sync.lanes);
}

bool SharedInit::is_plain(const Access& access) {
  Contents& contents = contents_.at(access.where.block);
  ++contents.order;
  if (!contents.copied.empty()) return false;
  const std::uint32_t cells_a_lane = access.bytes >> cell_shift_;
  if (access.is_row() && cells_a_lane != 0) {
    std::uint32_t* row = &contents.by[access.stride().first >> cell_shift_];
    const std::uint32_t cells = cells_a_lane * warp_size;
    if (access.kind == AccessKind::store && contents.early_reads.empty()) {
      std::fill_n(row, cells, contents.life);
      return true;
    }
    std::uint32_t difference = 0;
    for (std::uint32_t cell = 0; cell < cells; ++cell) difference |= row[cell] ^ contents.life;
    return difference == 0;  // all written before
  }
  return cells_a_lane == 1 && were_written(contents, access);
}

bool SharedInit::were_written(const Contents& contents, const Access& access) const {
  std::uint32_t difference = 0;
  const std::uint64_t* addresses = access.addresses->list();
  const auto look = [&](int lane) { difference |= contents.by[addresses[lane] >> cell_shift_] ^ contents.life; };
  if (access.lanes == machine::all_lanes)
    for (int lane = 0; lane < warp_size; ++lane) look(lane);
  else
    for (const int lane : machine::each_lane(access.lanes)) look(lane);
  return difference == 0;
}

std::uint32_t SharedInit::read(const Access& access, int lane, Origin& origin) {
  Contents& contents = contents_.at(access.where.block);
  const std::uint64_t offset = access.address(lane);
  const std::uint32_t thread = access.where.warp * warp_size + static_cast<std::uint32_t>(lane);
  const std::uint32_t cell_bytes = 1u << cell_shift_;
  std::uint32_t undefined = 0;
  for (std::uint32_t byte = 0; byte < access.bytes; byte += cell_bytes) {
    const std::size_t cell = (offset + byte) >> cell_shift_;
    if (contents.by[cell] != contents.life) {
      undefined |= ((1u << cell_bytes) - 1) << byte;
      origin = {.load = access.where.pc, .space = machine::Space::shared, .address = offset, .thread = thread};
      const auto [read, is_first] = contents.early_reads.try_emplace({cell, access.where.pc});
      if (is_first) read->second = {contents.clocks.now(), {thread, offset}, contents.order, 0};
    } else if (const auto copied = contents.copied.find(cell); copied != contents.copied.end()) {
      undefined |= copied->second.bytes << byte;
      origin = copied->second.origin;
    }
  }
  return undefined;
}

void SharedInit::write(const Access& access, int lane, std::uint32_t undefined, const Origin& origin) {
  Contents& contents = contents_.at(access.where.block);
  const std::uint64_t offset = access.address(lane);
  const std::uint32_t cell_bytes = 1u << cell_shift_;
  for (std::uint32_t byte = 0; byte < access.bytes; byte += cell_bytes) {
    const std::size_t cell = (offset + byte) >> cell_shift_;
    if (contents.by[cell] != contents.life)
      first_write(contents, cell, access.where.warp * warp_size + static_cast<std::uint32_t>(lane));
    if (const std::uint32_t bytes = undefined >> byte & ((1u << cell_bytes) - 1); bytes != 0)
      contents.copied[cell] = {bytes, origin};
    else if (!contents.copied.empty())
      contents.copied.erase(cell);
  }
}

void SharedInit::first_write(Contents& contents, std::size_t cell, std::uint32_t me) {
  contents.by[cell] = contents.life;
  auto read = contents.early_reads.lower_bound({cell, 0});
  while (read != contents.early_reads.end() && read->first.first == cell) {
    const bool came_first = contents.clocks.ordered(read->second.stamp, read->second.example.thread, me);
    read = came_first ? std::next(read) : contents.early_reads.erase(read);
  }
}

void SharedInit::use(std::uint64_t block, const Origin& origin) {
  Contents& contents = contents_.at(block);
  const std::uint32_t bytes = launch_->program->code[origin.load].bytes;
  for (std::size_t cell = origin.address >> cell_shift_; cell <= (origin.address + bytes - 1) >> cell_shift_; ++cell)
    if (const auto read = contents.early_reads.find({cell, origin.load}); read != contents.early_reads.end())
      ++read->second.uses;
}

void SharedInit::settle(Contents& contents, std::uint64_t block, bool to_its_end) {
  for (const auto& [key, read] : contents.early_reads)
    if (read.uses != 0)
      reads_.see(
          {key.second, key.second, to_its_end ? to_the_end : 0}, block, read.order, [&] { return read.example; },
          read.uses);
  contents.early_reads.clear();
}

void SharedInit::report(Report& report) const {
  const machine::Program& program = *launch_->program;
  for (const auto& read : reads_.by_line(program)) {
    Diagnosis diagnosis = diagnosis_at(program, "uninitialised", read.key.pc);
    const auto offset = static_cast<std::int64_t>(read.example.offset);
    diagnosis.message = fmt::format(
        "{} {} {} here, but no thread of this block has written it{}. It holds whatever an earlier block left there.",
        who_text(*launch_, read.block, read.example.thread), does(program.code[read.key.pc].kind),
        shared_element_text(*launch_, read.key.pc, offset), read.key.what == to_the_end ? "" : " yet");
    const std::optional<machine::SharedArray> array = shared_array_at(*launch_, offset);
    diagnosis.hint = fmt::format(
        "{} every element of {} that is read later, also where there is no input for it: for a sum, write 0.",
        read.key.what == to_the_end
            ? "Write"
            : "Does another thread write it? Put __syncthreads() between the two. Otherwise write",
        array ? array->name : "the array");
    diagnosis.who = thread_of(*launch_, read.block, read.example.thread);
    diagnosis.count = read.count;
    report.diagnose(std::move(diagnosis));
  }
}

}  // namespace warpwright::observe
