#include "scene.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <new>

namespace warpwright::observe::testing {
namespace {

using machine::AccessKind;
using machine::Flow;
using machine::Instruction;
using machine::Space;

constexpr std::uint32_t red_zone = 128;

std::vector<std::string_view> parts_of(std::string_view mnemonic) {
  std::vector<std::string_view> parts;
  while (!mnemonic.empty()) {
    const std::size_t dot = std::min(mnemonic.find('.'), mnemonic.size());
    parts.push_back(mnemonic.substr(0, dot));
    mnemonic.remove_prefix(std::min(dot + 1, mnemonic.size()));
  }
  return parts;
}

/// The fields that observers look at.
Instruction decode(std::string_view text) {
  const bool is_guarded = text.starts_with('@');
  if (is_guarded) text.remove_prefix(text.find(' ') + 1);
  const auto parts = parts_of(text.substr(0, text.find(' ')));
  const auto has = [&](std::string_view part) { return std::ranges::find(parts, part) != parts.end(); };
  Instruction instruction;
  if (is_guarded) instruction.guard = 0;
  if (parts[0] == "bra") instruction.flow = Flow::branch;
  if (parts[0] == "bar") instruction.flow = has("warp") ? Flow::warp_barrier : Flow::block_barrier;
  if (parts[0] == "shfl") instruction.flow = Flow::collective;
  const bool memory = parts[0] == "ld" || parts[0] == "st" || parts[0] == "atom" || parts[0] == "red";
  if (!memory) return instruction;
  instruction.kind = parts[0] == "ld"     ? AccessKind::load
                     : parts[0] == "st"   ? AccessKind::store
                     : parts[0] == "atom" ? AccessKind::atomic
                                          : AccessKind::reduction;
  instruction.space = has("shared")  ? Space::shared
                      : has("local") ? Space::local
                      : has("const") ? Space::constant
                                     : Space::global;
  instruction.ordered = has("volatile") || has("relaxed") || has("acquire") || has("release");
  instruction.set_elements(std::stoul(std::string(parts.back().substr(1))) / 8, has("v4") ? 4 : has("v2") ? 2 : 1);
  return instruction;
}

}  // namespace

Pages::Pages(std::size_t bytes) : bytes_(bytes) {
  void* at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED) throw std::bad_alloc();
  base_ = reinterpret_cast<machine::Address>(at);
}

Pages::~Pages() { munmap(reinterpret_cast<void*>(base_), bytes_); }

Scene::Scene(std::uint64_t blocks, std::uint32_t threads) {
  program.kernel = "kernel";
  launch.program = &program;
  launch.memory = &memory;
  launch.grid.x = static_cast<std::uint32_t>(blocks);
  launch.block.x = threads;
}

std::uint32_t Scene::at_line(std::uint32_t line, const std::string& text) {
  return in_frames({{"kernel.cu", line, "kernel"}}, text);
}

std::uint32_t Scene::in_frames(std::vector<machine::Frame> frames, const std::string& text) {
  const auto pc = static_cast<std::uint32_t>(program.code.size());
  program.code.push_back(decode(text));
  program.texts_.push_back(text);
  program.ptx_lines_.push_back(100 + pc);
  program.chain_of_.push_back(pc);
  program.chains_.push_back(std::move(frames));
  return pc;
}

std::uint32_t Scene::shared_array(const std::string& name, std::uint32_t bytes) {
  const std::uint32_t offset = program.shared_window_bytes;
  program.shared.push_back({name, offset, bytes, false});
  program.shared_window_bytes = (offset + bytes + red_zone - 1) / red_zone * red_zone + red_zone;
  return offset;
}

std::uint32_t Scene::dynamic_array(const std::string& name, std::uint32_t bytes_at_launch) {
  const std::uint32_t offset = program.shared_window_bytes;
  program.shared.push_back({name, offset, 0, true});
  launch.dynamic_shared_bytes = bytes_at_launch;
  return offset;
}

void Scene::argument(std::uint64_t value) {
  const auto offset = static_cast<std::uint32_t>(launch.parameters.size());
  program.parameters.push_back({offset, 8});
  launch.parameters.resize(offset + 8);
  std::memcpy(launch.parameters.data() + offset, &value, 8);
}

Play::Play(const Scene& scene, std::unique_ptr<Observer> observer)
    : scene_(scene), root_(std::move(observer)), now_(root_.get()) {
  root_->launch_begin(scene.launch);
  profiles_.emplace_back(scene.program);
}

Lanes Play::launched(std::uint32_t warp) const {
  const std::uint32_t threads = scene_.launch.threads_per_block() - warp * warp_size;
  return threads >= warp_size ? all_lanes : all_lanes >> (warp_size - threads);
}

Play& Play::begin(std::uint64_t block) {
  block_ = block;
  now_->block_begin(block);
  return *this;
}

Play& Play::in(std::uint64_t block) {
  block_ = block;
  return *this;
}

Play& Play::end() {
  now_->block_end(block_);
  return *this;
}

Play& Play::access(std::uint32_t pc, std::uint32_t warp, Lanes lanes, const AddressOf& address_of) {
  const Instruction& instruction = scene_.program.code[pc];
  if ((now_->wants() & on_access_to(instruction.space)) == 0) return *this;
  std::array<std::uint64_t, warp_size> addresses;
  for (int lane = 0; lane < warp_size; ++lane)
    addresses[lane] = machine::has_lane(lanes, lane) ? address_of(lane) : 0xDEADBEEFDEADBEEF;  // not to be looked at
  const machine::Addresses of_lanes(addresses.data(), 0, lanes);
  now_->access({instruction, where(pc, warp), lanes, &of_lanes});
  return *this;
}

Play& Play::run(std::uint32_t pc, std::uint32_t count, Lanes lanes, Lanes on) {
  profiles_.back().add(pc, count, lanes, on);
  now_->run({where(pc, 0), count, lanes, on});
  return *this;
}

Play& Play::branch(std::uint32_t pc, std::uint32_t warp, Lanes lanes, Lanes taken) {
  profiles_.back().add(pc, 1, lanes, taken);
  if (taken != 0 && taken != lanes) now_->branch({where(pc, warp), lanes, taken});
  return *this;
}

Play& Play::arrive(std::uint32_t pc, std::uint32_t warp, Lanes lanes, std::uint32_t barrier, std::uint32_t expected,
                   bool waits) {
  now_->barrier_arrival(
      {where(pc, warp), barrier, lanes, waits, expected != 0 ? expected : scene_.launch.threads_per_block()});
  return *this;
}

Play& Play::release(std::uint32_t pc, std::uint32_t barrier) {
  const std::vector<Lanes> arrived(scene_.launch.warps_per_block(), 0);
  now_->barrier_release({where(pc, 0), barrier, 0, arrived.data()});
  return *this;
}

Play& Play::block_barrier(std::uint32_t pc) {
  for (std::uint32_t warp = 0; warp < scene_.launch.warps_per_block(); ++warp) arrive(pc, warp, launched(warp));
  return release(pc);
}

Play& Play::warp_barrier(std::uint32_t pc, std::uint32_t warp, Lanes lanes) {
  now_->warp_sync({where(pc, warp), lanes & launched(warp)});
  return *this;
}

Play& Play::shuffle(std::uint32_t pc, std::uint32_t warp, Lanes lanes, Lanes live,
                    const std::function<Lanes(int)>& mask_of, const std::function<std::uint32_t(int)>& source_of) {
  std::array<std::uint32_t, warp_size> masks{}, sources{};
  Lanes in_range = 0;
  for (const int lane : machine::each_lane(lanes)) {
    masks[lane] = mask_of(lane);
    // A source outside the segment means that the lane reads its own value.
    const bool inside = source_of(lane) < warp_size;
    sources[lane] = inside ? source_of(lane) : static_cast<std::uint32_t>(lane);
    if (inside) in_range |= machine::lane_bit(lane);
  }
  now_->shuffle({where(pc, warp), lanes, live, masks.data(), sources.data(), in_range});
  return *this;
}

Play& Play::fence(std::uint32_t pc, std::uint32_t warp, Lanes lanes, bool whole_device) {
  now_->fence({where(pc, warp), lanes, whole_device});
  return *this;
}

Play& Play::fault(FaultKind kind, std::uint32_t pc, std::uint32_t warp, Lanes lanes, const AddressOf& address_of,
                  const Standstill& standstill) {
  const Instruction& instruction = scene_.program.code[pc];
  std::array<std::uint64_t, warp_size> addresses{};
  if (address_of)
    for (const int lane : machine::each_lane(lanes)) addresses[lane] = address_of(lane);
  const machine::Addresses of_lanes(addresses.data(), 0, lanes);
  Fault fault;
  fault.kind = kind;
  fault.access = {instruction, where(pc, warp), lanes, address_of ? &of_lanes : nullptr};
  fault.lanes = lanes;
  fault.standstill = standstill;
  now_->fault(fault);
  return *this;
}

Play& Play::on_another_thread() {
  forks_.push_back(root_->fork());
  now_ = forks_.back().get();
  now_->launch_begin(scene_.launch);
  profiles_.emplace_back(scene_.program);
  return *this;
}

Play& Play::join_forks(bool last_first) {
  root_->profile(profiles_.front());
  for (std::size_t i = 0; i < forks_.size(); ++i) forks_[i]->profile(profiles_[i + 1]);
  profiles_.clear();
  if (last_first) std::ranges::reverse(forks_);
  for (const auto& fork : forks_) root_->join(*fork);
  forks_.clear();
  now_ = root_.get();
  return *this;
}

Report Play::report() const {
  if (!profiles_.empty()) root_->profile(profiles_.front());
  Report report(scene_.program);
  report.kernel = scene_.program.kernel;
  report.grid = scene_.launch.grid;
  report.block = scene_.launch.block;
  report.dynamic_shared_bytes = scene_.launch.dynamic_shared_bytes;
  root_->report(report);
  return report;
}

}  // namespace warpwright::observe::testing
