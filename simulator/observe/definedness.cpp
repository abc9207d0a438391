// Longer than most, as one observer follows values through all spaces: what a load, a store and an atomic do in each.
#include "observe/definedness.h"

#include <algorithm>
#include <string>
#include <vector>

#include "machine/contents.h"
#include "observe/definedness_wording.h"
#include "observe/per_block.h"
#include "observe/report.h"
#include "observe/shared_init.h"
#include "observe/sightings.h"
#include "observe/taint.h"

namespace warpwright::observe {
namespace {

using machine::AccessKind;
using machine::each_lane;
using machine::has_lane;
using machine::lane_bit;
using machine::Lanes;
using machine::OperandRegister;
using machine::Operands;
using machine::Space;
using machine::warp_size;
using Kind = Operands::Kind;

struct BlockState {
  std::vector<WarpState> warps;
  std::vector<std::uint64_t> local;  // bits: the bytes of every thread's frame that were written
  std::uint64_t order = 0;
};

class Definedness final : public Observer {
 public:
  std::uint32_t wants() const override {
    return on_run | on_access | on_shuffle | on_block | on_barrier | on_warp_sync;
  }
  std::unique_ptr<Observer> fork() const override { return make_definedness(); }

  void launch_begin(const machine::Launch& launch) override {
    launch_ = &launch;
    program_ = launch.program;
    follows_registers_ = program_->operands.size() == program_->code.size();
    shared_.launch_begin(launch);
  }

  void block_begin(std::uint64_t number) override {
    shared_.block_begin(number);
    BlockState& block = blocks_.begin(number, [] { return std::make_unique<BlockState>(); });
    block.order = 0;
    block.warps.resize(launch_->warps_per_block());
    const std::size_t frames = std::size_t{program_->local_bytes} * launch_->threads_per_block();
    block.local.assign((frames + 63) / 64, 0);
    for (WarpState& warp : block.warps) {
      warp.next = warp.end = 0;
      warp.registers = nullptr;
      warp.taints.clear();
      if (!follows_registers_) continue;
      for (const OperandRegister& reg : program_->unwritten) warp.taints.get(reg).bytes.fill(all_bytes(reg.bytes));
    }
  }
  void block_end(std::uint64_t number) override {
    blocks_.end(number);
    shared_.block_end(number);
  }
  void fault(const Fault& fault) override {
    BlockState& block = blocks_.at(fault.access.where.block);
    WarpState& warp = block.warps[fault.access.where.warp];
    const bool is_address = fault.kind == FaultKind::out_of_bounds || fault.kind == FaultKind::misaligned;
    if (is_address && !warp.taints.empty()) {
      catch_up(*program_, warp, fault.access.where.pc);
      look_at_address(block, fault.access, warp);
    }
    shared_.fault(fault);
  }
  void barrier_arrival(const BarrierArrival& arrival) override { shared_.barrier_arrival(arrival); }
  void barrier_release(const BarrierRelease& release) override { shared_.barrier_release(release); }
  void warp_sync(const WarpSync& sync) override { shared_.warp_sync(sync); }

  bool run(const Run& run) override {
    BlockState& block = blocks_.at(run.where.block);
    WarpState& warp = block.warps[run.where.warp];
    if (!warp.taints.empty()) {
      catch_up(*program_, warp, warp.end);
      if (run.count == 1 && run.lanes != 0) look_at_guard(block, run, warp);
    }
    warp.next = run.where.pc;
    warp.end = run.where.pc + run.count;
    warp.on = run.on;
    return true;
  }

  void access(const Access& access) override {
    BlockState& block = blocks_.at(access.where.block);
    ++block.order;
    WarpState& warp = block.warps[access.where.warp];
    if (access.registers != nullptr) warp.registers = access.registers;
    if (!access.late && !warp.taints.empty()) {
      catch_up(*program_, warp, access.where.pc);
      look_at_address(block, access, warp);
    }
    if (access.space == Space::global)
      in_global(block, access, warp);
    else if (access.space == Space::local)
      in_local(block, access, warp);
    else if (access.space == Space::shared)
      in_shared(block, access, warp);
    if (!access.late) warp.next = access.where.pc + 1;
  }

  void shuffle(const Shuffle& shuffle) override {
    BlockState& block = blocks_.at(shuffle.where.block);
    WarpState& warp = block.warps[shuffle.where.warp];
    if (warp.taints.empty()) return;
    catch_up(*program_, warp, shuffle.where.pc);
    warp.next = shuffle.where.pc + 1;
    const Operands& operands = program_->operands[shuffle.where.pc];
    if (operands.written == 0 || operands.read == 0) return;
    const OperandRegister* regs = registers(operands);
    const Taint* source = warp.taints.find(regs[operands.written].offset);
    const Taint before = source != nullptr ? *source : Taint{};
    Taint& result = warp.taints.get(regs[0]);
    for (const int lane : each_lane(shuffle.lanes)) {
      // Of a lane that does not take part nothing comes: a mistake, but the shuffle's own.
      const bool is_there = has_lane(shuffle.lanes, static_cast<int>(shuffle.sources[lane]));
      result.bytes[lane] = is_there ? before.bytes[shuffle.sources[lane]] : std::uint8_t{0};
      result.origin[lane] = before.origin[shuffle.sources[lane]];
    }
    warp.taints.drop_defined();
  }

  void join(Observer& other) override {
    seen_.join(static_cast<Definedness&>(other).seen_);
    shared_.join(static_cast<Definedness&>(other).shared_);
  }
  void report(Report& report) const override {
    shared_.report(report);
    report_uninitialised(report, *launch_, seen_);
  }

 private:
  const OperandRegister* registers(const Operands& operands) const { return registers_of(*program_, operands); }
  static std::uint32_t thread_of(const Where& where, int lane) {
    return where.warp * warp_size + static_cast<std::uint32_t>(lane);
  }
  static Origin origin_of(const Access& access, int lane) {
    return {.load = access.where.pc,
            .space = access.space,
            .address = access.address(lane),
            .thread = thread_of(access.where, lane)};
  }

  void look_at_guard(BlockState& block, const Run& run, WarpState& warp) {
    const machine::Instruction& instruction = program_->code[run.where.pc];
    const std::uint32_t guard = instruction.guard;
    if (guard != machine::no_register && instruction.flow == machine::Flow::branch)
      tell_register(block, run.where, warp, guard, run.lanes, Use::decided);
  }

  void look_at_address(BlockState& block, const Access& access, WarpState& warp) {
    if (access.where.pc >= program_->operands.size()) return;
    const std::uint32_t reg = program_->operands[access.where.pc].address;
    if (reg != machine::no_register) tell_register(block, access.where, warp, reg, access.lanes, Use::address);
  }

  /// Tells of a register's undefined lanes, which are taken for defined from here on.
  void tell_register(BlockState& block, const Where& where, WarpState& warp, std::uint32_t reg, Lanes lanes, Use use) {
    const Taint* taint = warp.taints.find(reg);
    if (taint == nullptr) return;
    for (const int lane : each_lane(taint->lanes() & lanes)) tell(block, where, lane, taint->origin[lane], use);
    warp.taints.define(reg, lanes);
  }

  void tell(BlockState& block, const Where& where, int lane, const Origin& origin, Use use) {
    if (origin.load != Origin::nowhere && origin.space == Space::shared) return shared_.use(where.block, origin);
    const std::uint32_t used_at = origin.computed != Origin::nowhere ? origin.computed : where.pc;
    const std::uint32_t pc = origin.load != Origin::nowhere ? origin.load : used_at;
    seen_.see({pc, used_at, what(use, origin)}, where.block, block.order, [&] {
      const bool is_loaded = origin.load != Origin::nowhere;
      return UndefinedExample{is_loaded ? origin.thread : thread_of(where, lane), origin};
    });
  }

  machine::Contents* contents_at(machine::Address address, std::size_t& offset) {
    const machine::Allocation* allocation = launch_->memory->find(address, 1, hint_);
    if (allocation == nullptr || !allocation->contents) return nullptr;
    offset = address - allocation->base;
    return allocation->contents.get();
  }

  void in_global(BlockState& block, const Access& access, WarpState& warp) {
    if (access.lanes == machine::all_lanes && warp.taints.empty()) {
      const bool is_row = access.is_row();
      std::size_t offset = 0;
      machine::Contents* contents = is_row ? contents_at(access.stride().first, offset) : nullptr;
      const std::size_t bytes = std::size_t{access.bytes} * warp_size;
      if (is_row && contents == nullptr) return;
      if (contents != nullptr && access.kind == AccessKind::store) return contents->launch_writes(offset, bytes);
      if (contents != nullptr && contents->is_defined(offset, bytes)) {
        if (access.kind != AccessKind::load) contents->launch_writes(offset, bytes);
        return;
      }
    }
    for (const int lane : each_lane(access.lanes)) {
      std::size_t offset = 0;
      machine::Contents* contents = contents_at(access.address(lane), offset);
      const auto undefined = [&] { return contents != nullptr ? contents->undefined(offset, access.bytes) : 0; };
      switch (access.kind) {
        case AccessKind::load:
          load(access, warp, lane, undefined(), origin_of(access, lane));
          break;
        case AccessKind::store: {
          const std::uint32_t bytes = store(block, access, warp, lane).bytes;
          if (contents == nullptr) break;
          contents->launch_writes(offset, access.bytes);
          for (std::uint32_t byte = 0; byte < access.bytes; ++byte)
            if ((bytes >> byte & 1) != 0) contents->undefine(offset + byte, 1);
          break;
        }
        default:
          update(block, access, warp, lane, undefined());
          if (contents != nullptr) contents->launch_writes(offset, access.bytes);
      }
    }
    if (access.kind == AccessKind::load || access.kind == AccessKind::atomic) warp.taints.drop_defined();
  }

  void in_local(BlockState& block, const Access& access, WarpState& warp) {
    for (const int lane : each_lane(access.lanes)) {
      const std::size_t first =
          std::size_t{thread_of(access.where, lane)} * program_->local_bytes + access.address(lane);
      if (access.kind == AccessKind::load) {
        std::uint32_t undefined = 0;
        for (std::size_t byte = 0; byte < access.bytes; ++byte)
          if ((block.local[(first + byte) / 64] >> ((first + byte) % 64) & 1) == 0) undefined |= 1u << byte;
        load(access, warp, lane, undefined, origin_of(access, lane));
      } else {
        const std::uint32_t undefined = access.kind == AccessKind::store ? stored(access, warp, lane).bytes : 0;
        for (std::size_t byte = 0; byte < access.bytes; ++byte) {
          const std::uint64_t bit = std::uint64_t{1} << ((first + byte) % 64);
          std::uint64_t& word = block.local[(first + byte) / 64];
          word = (undefined >> byte & 1) != 0 ? word & ~bit : word | bit;
        }
      }
    }
    if (access.kind == AccessKind::load) warp.taints.drop_defined();
  }

  void in_shared(BlockState& block, const Access& access, WarpState& warp) {
    const bool is_load = access.kind == AccessKind::load;
    if (shared_.is_plain(access) && (is_load || !touches_taint(access, warp))) {
      if (is_load && follows_registers_ && !warp.taints.empty()) define_results(access, warp);
      return;
    }
    for (const int lane : each_lane(access.lanes)) {
      Origin origin;
      if (is_load) {
        const std::uint32_t undefined = shared_.read(access, lane, origin);
        if (undefined != 0 && !loads_register(access)) tell(block, access.where, lane, origin, Use::operand);
        load(access, warp, lane, undefined, origin);
      } else if (access.kind == AccessKind::store) {
        const Stored undefined = stored(access, warp, lane);
        shared_.write(access, lane, undefined.bytes, undefined.origin);
      } else {
        if (!sets(access) && shared_.read(access, lane, origin) != 0)
          tell(block, access.where, lane, origin, Use::updated);
        use_operands(block, access, warp, lane);
        shared_.write(access, lane);
      }
    }
    if (is_load && follows_registers_ && !loads_register(access)) define_results(access, warp);
    if (is_load) warp.taints.drop_defined();
  }

  bool loads_register(const Access& access) const {
    return follows_registers_ && program_->operands[access.where.pc].kind == Kind::load;
  }
  /// Whether a store or an atomic has to do with a register of which something is undefined.
  bool touches_taint(const Access& access, const WarpState& warp) const {
    if (!follows_registers_ || warp.taints.empty()) return false;
    const Operands& operands = program_->operands[access.where.pc];
    const OperandRegister* first = registers(operands);
    return std::any_of(first, first + operands.written + operands.read,
                       [&](const OperandRegister& reg) { return warp.taints.find(reg.offset) != nullptr; });
  }
  void define_results(const Access& access, WarpState& warp) {
    const Operands& operands = program_->operands[access.where.pc];
    for (unsigned i = 0; i < operands.written; ++i) warp.taints.define(registers(operands)[i].offset, access.lanes);
  }

  /// Whether an atomic leaves nothing of what was there.
  bool sets(const Access& access) const {
    const std::string& text = program_->text(access.where.pc);
    return text.find(".exch") != std::string::npos || text.find("mbarrier.init") != std::string::npos;
  }

  /// A lane loads bytes, of which some are undefined, into one register or the elements of a vector.
  void load(const Access& access, WarpState& warp, int lane, std::uint32_t undefined, const Origin& origin) {
    if (!follows_registers_ || (undefined == 0 && warp.taints.empty())) return;
    const machine::Instruction& instruction = program_->code[access.where.pc];
    const Operands& operands = program_->operands[access.where.pc];
    if (operands.kind != Kind::load) return;
    const std::uint32_t element_ones = (1u << instruction.element_bytes) - 1;
    for (unsigned i = 0; i < operands.written; ++i) {
      const OperandRegister& reg = registers(operands)[i];
      std::uint32_t bytes = 0;
      // The elements that go nowhere (`_`) are not listed: only a whole vector can be matched to its registers.
      if (operands.written == instruction.elements) bytes = undefined >> (i * instruction.element_bytes) & element_ones;
      // A narrow element's extension is as undefined as the element.
      if (bytes == element_ones) bytes = all_bytes(reg.bytes);
      if (bytes == 0) {
        warp.taints.define(reg.offset, lane_bit(lane));
        continue;
      }
      Taint& taint = warp.taints.get(reg);
      taint.bytes[lane] = static_cast<std::uint8_t>(bytes);
      taint.origin[lane] = origin;
    }
  }

  /// The undefined bytes that a lane stores.
  struct Stored {
    std::uint32_t bytes = 0;
    Origin origin;
    void add(std::uint32_t more, const Origin& from) {
      bytes |= more;
      origin = from;
    }
  };
  Stored stored(const Access& access, const WarpState& warp, int lane) const {
    Stored result;
    for_each_undefined(access, warp, lane,
                       [&](std::uint32_t bytes, bool, const Origin& origin) { result.add(bytes, origin); });
    return result;
  }

  /// Those that a lane stores in global memory. What was computed is told, what no load brought, and a whole element
  /// that the block's shared memory does not have; what is left may be padding.
  Stored store(BlockState& block, const Access& access, const WarpState& warp, int lane) {
    Stored result;
    for_each_undefined(access, warp, lane, [&](std::uint32_t bytes, bool is_whole, const Origin& origin) {
      const bool is_loaded = origin.load != Origin::nowhere;
      if (!is_loaded || origin.computed != Origin::nowhere || (is_whole && origin.space == Space::shared))
        tell(block, access.where, lane, origin, Use::stored);
      else
        result.add(bytes, origin);
    });
    return result;
  }

  template <class Take>
  void for_each_undefined(const Access& access, const WarpState& warp, int lane, Take take) const {
    if (!follows_registers_ || warp.taints.empty()) return;
    if (program_->operands[access.where.pc].kind != Kind::store) return;
    const machine::Instruction& instruction = program_->code[access.where.pc];
    for (unsigned element = 0; element < instruction.elements; ++element) {
      const std::uint32_t reg = program_->vectors[instruction.vector + element];
      const Taint* taint = warp.taints.find(reg);
      if (taint == nullptr) continue;
      const std::uint32_t ones = (1u << instruction.element_bytes) - 1;
      const std::uint32_t undefined = taint->bytes[lane] & ones;
      if (undefined != 0)
        take(undefined << (element * instruction.element_bytes), undefined == ones, taint->origin[lane]);
    }
  }

  void update(BlockState& block, const Access& access, WarpState& warp, int lane, std::uint32_t undefined) {
    if (undefined != 0 && !sets(access)) tell(block, access.where, lane, origin_of(access, lane), Use::updated);
    use_operands(block, access, warp, lane);
  }

  void use_operands(BlockState& block, const Access& access, WarpState& warp, int lane) {
    if (!follows_registers_ || warp.taints.empty()) return;
    const Operands& operands = program_->operands[access.where.pc];
    for (unsigned i = 0; i < operands.read; ++i)
      tell_register(block, access.where, warp, registers(operands)[operands.written + i].offset, lane_bit(lane),
                    Use::operand);
    for (unsigned i = 0; i < operands.written; ++i) warp.taints.define(registers(operands)[i].offset, lane_bit(lane));
  }

  const machine::Launch* launch_ = nullptr;
  const machine::Program* program_ = nullptr;
  bool follows_registers_ = false;
  const machine::Allocation* hint_ = nullptr;
  PerBlock<BlockState> blocks_;
  SharedInit shared_;
  Sightings<UndefinedExample> seen_;
};

}  // namespace

std::unique_ptr<Observer> make_definedness() { return std::make_unique<Definedness>(); }

}  // namespace warpwright::observe
