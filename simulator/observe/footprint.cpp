#include "observe/footprint.h"

#include <map>
#include <tuple>
#include <utility>

#include "observe/roles.h"
#include "observe/same_value.h"

namespace warpwright::observe {
namespace {

using machine::Lanes;

Use use_of(const Roles::Entry& entry) {
  switch (entry.role) {
    case Role::reads:
      return entry.is_volatile ? Use::reads_strongly : Use::reads;
    case Role::strong_read:
      return Use::reads_strongly;
    case Role::atomic:
    case Role::volatile_write:
      return Use::updates;
    case Role::writes:
      break;
  }
  return Use::writes;
}

/// Memory instructions that are told as one: those of one line that do the same.
struct Groups {
  explicit Groups(const machine::Program& program)
      : of(program.code.size()), use(program.code.size()), tells_host(program.code.size()) {
    const Roles roles(program);
    std::map<std::tuple<std::string_view, std::uint32_t, Use, bool>, std::uint32_t> first;  // by file, line and use
    for (std::uint32_t pc = 0; pc < of.size(); ++pc) {
      of[pc] = pc;
      use[pc] = use_of(roles[pc]);
      tells_host[pc] = use[pc] == Use::updates && roles[pc].system_scope;
      if (const machine::Frame* frame = program.learner_frame(pc))
        of[pc] = first.try_emplace({frame->file, frame->line, use[pc], tells_host[pc]}, pc).first->second;
    }
  }
  std::vector<std::uint32_t> of;  // by pc: the first instruction of its group
  std::vector<Use> use;
  std::vector<bool> tells_host;
};

/// Calls `take` with an address and a number of bytes for what lies together.
template <class Take>
void for_each_range(const Access& access, Lanes lanes, Take take) {
  if (lanes == machine::all_lanes && access.is_row())
    return take(access.stride().first, std::uint64_t{access.bytes} * machine::warp_size);
  std::uint64_t start = 0, end = 0;
  for (const int lane : machine::each_lane(lanes)) {
    const std::uint64_t address = access.address(lane);
    if (address == end && end != 0) {
      end += access.bytes;
      continue;
    }
    if (address >= start && address + access.bytes <= end) continue;
    if (end != 0) take(start, end - start);
    start = address;
    end = address + access.bytes;
  }
  if (end != 0) take(start, end - start);
}

class LaunchFootprint final : public Footprint {
 public:
  LaunchFootprint(FootprintOf what, std::shared_ptr<const Groups> groups) : what_(what), groups_(std::move(groups)) {}

  std::uint32_t wants() const override { return on_global_access; }

  void launch_begin(const machine::Launch& launch) override {
    launch_ = &launch;
    if (!groups_) groups_ = std::make_shared<Groups>(*launch.program);
    recent_.assign(2 * groups_->of.size(), {});
  }

  std::unique_ptr<Observer> fork() const override { return std::make_unique<LaunchFootprint>(what_, groups_); }

  void join(Observer& other) override {
    for (const auto& [key, theirs] : static_cast<LaunchFootprint&>(other).found_) {
      Found& found = found_[key];
      found.base = theirs.base;
      found.bytes.add(theirs.bytes);
    }
  }

  void report(Report&) const override {}

  void access(const Access& access) override {
    const std::uint32_t group = groups_->of[access.where.pc];
    Lanes same = 0;
    if (groups_->use[access.where.pc] == Use::writes && what_ == FootprintOf::all)
      for (const int lane : machine::each_lane(access.lanes))
        if (writes_what_is_there(*launch_, access, lane)) same |= machine::lane_bit(lane);
    if (same != access.lanes) note(access, access.lanes & ~same, group, false);
    if (same != 0) note(access, same, group, true);
  }

  std::vector<Part> take_parts() override {
    std::vector<Part> parts;
    for (auto& [key, found] : found_) {
      const auto& [allocation, group, same_value] = key;
      Part& part = parts.emplace_back(Part{.allocation = allocation,
                                           .base = found.base,
                                           .use = groups_->use[group],
                                           .same_value = same_value,
                                           .tells_host = groups_->tells_host[group],
                                           .bytes = std::move(found.bytes)});
      part.element_bytes = launch_->program->code[group].bytes;
      if (const machine::Frame* frame = launch_->program->learner_frame(group)) {
        part.file = frame->file;
        part.line = frame->line;
      }
    }
    found_.clear();
    return parts;
  }

 private:
  using Key = std::tuple<std::uint64_t, std::uint32_t, bool>;  // the allocation's number, the group, same_value
  struct Found {
    machine::Address base = 0;
    ByteSet bytes;
  };
  struct Recent {
    const machine::Allocation* allocation = nullptr;
    ByteSet* bytes = nullptr;
  };

  void note(const Access& access, Lanes lanes, std::uint32_t group, bool same_value) {
    Recent& recent = recent_[2 * group + (same_value ? 1 : 0)];
    for_each_range(access, lanes, [&](std::uint64_t address, std::uint64_t bytes) {
      if (recent.allocation == nullptr || !recent.allocation->contains(address, bytes)) {
        const machine::Allocation* allocation = launch_->memory->find(address, bytes);
        if (allocation == nullptr || allocation->base == launch_->grid_workspace) return;
        if (what_ == FootprintOf::what_the_host_reaches && allocation->place == machine::Place::device) {
          recent = {allocation, nullptr};
          return;
        }
        Found& found = found_[Key{allocation->number, group, same_value}];
        found.base = allocation->base;
        recent = {allocation, &found.bytes};
      }
      if (recent.bytes != nullptr) recent.bytes->add(address - recent.allocation->base, bytes);
    });
  }

  const FootprintOf what_;
  const machine::Launch* launch_ = nullptr;
  std::shared_ptr<const Groups> groups_;
  std::map<Key, Found> found_;
  std::vector<Recent> recent_;  // by group and value
};

}  // namespace

std::unique_ptr<Footprint> make_footprint(FootprintOf what) { return std::make_unique<LaunchFootprint>(what, nullptr); }

}  // namespace warpwright::observe
