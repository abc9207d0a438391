#include "machine/standstill.h"

#include <algorithm>
#include <cstring>

#include "machine/block.h"

namespace warpwright::machine {
namespace {

/// Instructions of a warp in one round of a look: a multiple of the length of every short loop, so that one without a
/// poll, a barrier or another reason to stop stands at the same place after each round.
constexpr std::uint64_t steps_a_round = 5040;

bool is_same(const Call& a, const Call& b) {
  return a.site == b.site && a.function == b.function && a.frame == b.frame && a.saved == b.saved &&
         a.alloca_top == b.alloca_top;
}

std::vector<Call> chain_of(const Call* call) {
  std::vector<Call> chain;
  for (; call != nullptr; call = call->caller.get()) {
    chain.push_back(*call);
    chain.back().caller = nullptr;
  }
  return chain;
}

bool is_same(const WarpImage::Place& a, const WarpImage::Place& b) {
  return a.pc == b.pc && a.lanes == b.lanes && a.state == b.state && a.barrier == b.barrier &&
         std::ranges::equal(a.calls, b.calls, [](const Call& one, const Call& other) { return is_same(one, other); });
}

std::vector<WarpImage::Place> places_of(const std::vector<Group>& groups) {
  std::vector<WarpImage::Place> places;
  for (const Group& group : groups)
    places.push_back({group.pc, group.lanes, group.state,
                      group.state == Group::State::at_block_barrier ? group.barrier : 0, chain_of(group.call.get())});
  std::ranges::sort(places, {}, [](const WarpImage::Place& place) { return first_lane(place.lanes); });
  return places;
}

}  // namespace

void Witness::begin(std::uint32_t warps, bool record) {
  record_ = record;
  change_ = reads_global_ = reads_what_the_host_reaches_ = false;
  before_.clear();
  moved_.assign(warps, 0);
  top_.assign(record ? warps : 0, {});
  for (auto& top : top_) top.fill(no_register);
  polls_.clear();
}

bool Witness::has_seen_a_change() {
  for (const Before& before : before_) change_ |= std::memcmp(before.at, before.bytes.data(), written_bytes_) != 0;
  before_.clear();
  return change_;
}

bool Witness::run(const observe::Run& run) {
  moved_[run.where.warp] |= run.lanes;
  if (!record_) return true;
  for (const int lane : each_lane(run.lanes)) {
    std::uint32_t& top = top_[run.where.warp][lane];
    top = std::min(top, run.where.pc);
  }
  return true;
}

const std::byte* Witness::place(const observe::Access& access, int lane) const {
  const std::uint64_t address = access.address(lane);
  if (access.base == nullptr) return launch_->memory->place(address);
  const std::uint64_t frame = access.space == Space::local ? std::uint64_t{launch_->program->local_bytes} * lane : 0;
  return access.base + frame + address;
}

void Witness::access(const observe::Access& access) {
  has_seen_a_change();
  if (access.kind != AccessKind::load) {
    change_ |= access.late || access.bulk;  // and an mbarrier is told of it
    written_bytes_ = access.bytes;
    for (const int lane : each_lane(access.lanes)) {
      Before& before = before_.emplace_back();
      before.at = place(access, lane);
      std::memcpy(before.bytes.data(), before.at, access.bytes);
    }
  }
  if (access.kind == AccessKind::store || access.space == Space::local || access.space == Space::param) return;
  if (access.space == Space::global) {
    reads_global_ = true;
    const Allocation* hint = nullptr;
    for (const int lane : each_lane(access.lanes)) {
      const Allocation* allocation = launch_->memory->find(access.address(lane), access.bytes, hint);
      reads_what_the_host_reaches_ |= allocation != nullptr && allocation->place != Place::device;
    }
  }
  if (!record_) return;
  Poll& poll = polls_[{access.where.warp, access.where.pc}];
  const Lanes lanes = poll.access.lanes | access.lanes;
  poll.access = access;
  poll.access.lanes = lanes;
  poll.access.addresses = &poll.addresses;
  for (const int lane : each_lane(access.lanes)) {
    poll.addresses.single_out()[lane] = access.address(lane);
    std::memcpy(poll.found[lane].data(), place(access, lane), access.bytes);
  }
}

WarpImage Warp::image() const {
  WarpImage image;
  image.live = live_;
  image.places = places_of(groups_);
  image.registers.assign(registers_, registers_ + block.program().register_bytes);
  image.alloca_top = alloca_top_;
  return image;
}

bool Warp::is_as(const WarpImage& image) const {
  return live_ == image.live && alloca_top_ == image.alloca_top &&
         std::memcmp(registers_, image.registers.data(), image.registers.size()) == 0 &&
         std::ranges::equal(places_of(groups_), image.places,
                            [](const WarpImage::Place& a, const WarpImage::Place& b) { return is_same(a, b); });
}

Lanes Warp::ready() const {
  Lanes ready = 0;
  for (const Group& group : groups_) ready |= group.state == Group::State::ready ? group.lanes : 0;
  return ready;
}

void Warp::put_behind(Lanes lanes) {
  std::uint32_t last = 0;
  for (const Group& group : groups_) last = std::max(last, group.turn);
  for (Group& group : groups_)
    if ((group.lanes & lanes) != 0) group.turn = last + 1;
}

/// While it lives, the block runs in the machine's own order, in short turns, and its witness hears of it.
class Block::Look {
 public:
  explicit Look(Block& block) : block_(block), watch_(block.watch_), slice_(block.slice_) {
    block_.watch_ = &block_.lookout_->watch;
    block_.slice_ = steps_a_round;
  }
  ~Look() {
    block_.watch_ = watch_;
    block_.slice_ = slice_;
  }
  Look(const Look&) = delete;
  Look& operator=(const Look&) = delete;

 private:
  Block& block_;
  const Watch* watch_;
  std::uint64_t slice_;
};

struct Block::Image {
  std::array<Barrier, barriers> barriers_;
  std::vector<WarpImage> warps;
};

Block::Image Block::image() const {
  Image image{barriers_, {}};
  for (const auto& warp : warps_) image.warps.push_back(warp->image());
  return image;
}

bool Block::is_as(const Image& image) const {
  return barriers_ == image.barriers_ &&
         std::ranges::equal(warps_, image.warps, [](const auto& warp, const WarpImage& as) { return warp->is_as(as); });
}

bool Block::has_copies_under_way() const {
  return !bulk_.empty() || std::ranges::any_of(warps_, [](const auto& warp) {
    return !warp->async_copies().empty() || !warp->bulk_copies().empty();
  });
}

bool Block::everybody_has_moved() {
  bool all = true;
  for (const auto& warp : warps_) {
    const Lanes moved = lookout_->witness.moved(warp->number());
    if ((warp->ready() & ~moved) == 0) continue;
    warp->put_behind(moved);
    all = false;
  }
  return all;
}

Block::State Block::look(unsigned rounds) {
  State state = State::yielded;
  is_still_ = false;
  {
    const Look look(*this);
    const auto warps = static_cast<std::uint32_t>(warps_.size());
    Witness& witness = lookout_->witness;
    const std::uint64_t unrepeatable = unrepeatable_;
    Image before = image();
    witness.begin(warps);
    unsigned since = 0;
    for (unsigned round = 1, renewed = 1; round <= rounds; ++round) {
      state = run_round();
      ++since;
      if (state == State::finished || witness.has_seen_a_change() || unrepeatable_ != unrepeatable) break;
      if (is_as(before)) {
        if (!everybody_has_moved()) continue;
        if (has_copies_under_way()) break;
        circle_ = since;
        if (!witness.reads_global()) end_standstill({.within_the_block = true});
        waits_for_the_host_ = witness.reads_what_the_host_reaches();
        is_still_ = true;
        return State::still;
      }
      if (round == 2 * renewed) {  // Brent, "An Improved Monte Carlo Factorization Algorithm"
        renewed = round;
        before = image();
        witness.begin(warps);
        since = 0;
      }
    }
  }
  if (state == State::finished) tell_end();
  return state == State::finished ? state : State::yielded;
}

void Block::end_standstill(const observe::Standstill& standstill) {
  const Look look(*this);
  Witness& witness = lookout_->witness;
  witness.begin(static_cast<std::uint32_t>(warps_.size()), true);
  for (unsigned round = 0; round < circle_; ++round) run_round();

  observe::Fault fault;
  fault.kind = observe::FaultKind::livelock;
  fault.standstill = standstill;
  const auto tell = [&](const observe::Access& access, Lanes lanes) {
    fault.access = access;
    fault.lanes = lanes;
    for (observe::Observer* observer : watch_->all) observer->fault(fault);
  };
  for (const auto& warp : warps_) {
    const std::uint32_t number = warp->number();
    Lanes idle = warp->live() & witness.moved(number);  // whose reads are still to be told
    for (const bool ordered : {true, false})
      for (const auto& [place, poll] : witness.polls()) {
        const Lanes lanes = idle & poll.access.lanes;
        if (place.first != number || poll.access.ordered != ordered || lanes == 0) continue;
        fault.standstill.found = poll.found[first_lane(lanes)].data();
        tell(poll.access, lanes);
        idle &= ~lanes;
      }
    fault.standstill.found = nullptr;
    observe::Access access;
    access.where = {number_, number, 0};
    fault.standstill.moves = true;
    for (; idle != 0; idle &= ~access.lanes) {
      access.where.pc = witness.top(number, first_lane(idle));
      access.lanes = 0;
      for (const int lane : each_lane(idle))
        if (witness.top(number, lane) == access.where.pc) access.lanes |= lane_bit(lane);
      tell(access, access.lanes);
    }
    fault.standstill.moves = false;
    for (const Group& group : warp->groups()) {
      access.where.pc = group.pc;
      access.lanes = group.lanes & ~witness.moved(number);
      if (access.lanes != 0) tell(access, access.lanes);
    }
  }
  throw LaunchEnded{LaunchStatus::deadlocked};
}

}  // namespace warpwright::machine
