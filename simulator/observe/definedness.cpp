#include "observe/definedness.h"

#include <string>
#include <vector>

#include "machine/contents.h"
#include "observe/definedness_wording.h"
#include "observe/per_block.h"
#include "observe/report.h"
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
  std::uint32_t wants() const override { return on_run | on_access | on_shuffle | on_block; }
  std::unique_ptr<Observer> fork() const override { return make_definedness(); }

  void launch_begin(const machine::Launch& launch) override {
    launch_ = &launch;
    program_ = launch.program;
    follows_registers_ = program_->operands.size() == program_->code.size();
  }

  void block_begin(std::uint64_t number) override {
    BlockState& block = blocks_.begin(number, [] { return std::make_unique<BlockState>(); });
    block.order = 0;
    block.warps.resize(launch_->warps_per_block());
    const std::size_t frames = std::size_t{program_->local_bytes} * launch_->threads_per_block();
    block.local.assign((frames + 63) / 64, 0);
    for (WarpState& warp : block.warps) {
      warp.next = warp.end = 0;
      warp.taints.clear();
      if (!follows_registers_) continue;
      for (const OperandRegister& reg : program_->unwritten) warp.taints.get(reg).bytes.fill(all_bytes(reg.bytes));
    }
  }
  void block_end(std::uint64_t number) override { blocks_.end(number); }

  void run(const Run& run) override {
    BlockState& block = blocks_.at(run.where.block);
    WarpState& warp = block.warps[run.where.warp];
    if (!warp.taints.empty()) {
      catch_up(*program_, warp, warp.end);
      if (run.count == 1 && run.lanes != 0) look_at_guard(block, run, warp);
    }
    warp.next = run.where.pc;
    warp.end = run.where.pc + run.count;
    warp.on = run.on;
  }

  void access(const Access& access) override {
    BlockState& block = blocks_.at(access.where.block);
    ++block.order;
    WarpState& warp = block.warps[access.where.warp];
    if (!warp.taints.empty()) {
      catch_up(*program_, warp, access.where.pc);
      look_at_address(block, access, warp);
    }
    if (access.space == Space::global)
      in_global(block, access, warp);
    else if (access.space == Space::local)
      in_local(block, access, warp);
    else if (access.space == Space::shared)
      in_shared(access, warp);
    warp.next = access.where.pc + 1;
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
      result.bytes[lane] = before.bytes[shuffle.sources[lane]];
      result.origin[lane] = before.origin[shuffle.sources[lane]];
    }
    warp.taints.drop_defined();
  }

  void join(Observer& other) override { seen_.join(static_cast<Definedness&>(other).seen_); }
  void report(Report& report) const override { report_uninitialised(report, *launch_, seen_); }

 private:
  const OperandRegister* registers(const Operands& operands) const { return registers_of(*program_, operands); }

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
    const std::uint32_t used_at = origin.computed != Origin::nowhere ? origin.computed : where.pc;
    const std::uint32_t pc = origin.load != Origin::nowhere ? origin.load : used_at;
    seen_.see({pc, used_at, what(use, origin)}, where.block, block.order, [&] {
      return UndefinedExample{where.warp * warp_size + static_cast<std::uint32_t>(lane), origin};
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
      const std::uint64_t first = access.addresses[0];
      std::uint64_t differs = 0;
      for (int lane = 0; lane < warp_size; ++lane)
        differs |= access.addresses[lane] ^ (first + static_cast<std::uint64_t>(lane) * access.bytes);
      std::size_t offset = 0;
      machine::Contents* contents = differs == 0 ? contents_at(first, offset) : nullptr;
      const std::size_t bytes = std::size_t{access.bytes} * warp_size;
      if (differs == 0 && contents == nullptr) return;
      if (contents != nullptr && access.kind == AccessKind::store) return contents->launch_writes(offset, bytes);
      if (contents != nullptr && contents->is_defined(offset, bytes)) {
        if (access.kind != AccessKind::load) contents->launch_writes(offset, bytes);
        return;
      }
    }
    for (const int lane : each_lane(access.lanes)) {
      std::size_t offset = 0;
      machine::Contents* contents = contents_at(access.addresses[lane], offset);
      const auto undefined = [&] { return contents != nullptr ? contents->undefined(offset, access.bytes) : 0; };
      switch (access.kind) {
        case AccessKind::load:
          load(access, warp, lane, undefined());
          break;
        case AccessKind::store: {
          const std::uint32_t bytes = store(block, access, warp, lane, true);
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
      const std::uint32_t thread = access.where.warp * warp_size + static_cast<std::uint32_t>(lane);
      const std::size_t first = std::size_t{thread} * program_->local_bytes + access.addresses[lane];
      if (access.kind == AccessKind::load) {
        std::uint32_t undefined = 0;
        for (std::size_t byte = 0; byte < access.bytes; ++byte)
          if ((block.local[(first + byte) / 64] >> ((first + byte) % 64) & 1) == 0) undefined |= 1u << byte;
        load(access, warp, lane, undefined);
      } else {
        const std::uint32_t undefined = access.kind == AccessKind::store ? store(block, access, warp, lane, false) : 0;
        for (std::size_t byte = 0; byte < access.bytes; ++byte) {
          const std::uint64_t bit = std::uint64_t{1} << ((first + byte) % 64);
          std::uint64_t& word = block.local[(first + byte) / 64];
          word = (undefined >> byte & 1) != 0 ? word & ~bit : word | bit;
        }
      }
    }
    if (access.kind == AccessKind::load) warp.taints.drop_defined();
  }

  /// What comes from shared memory counts as defined: shared_init.h looks at that.
  void in_shared(const Access& access, WarpState& warp) {
    if (warp.taints.empty() || !follows_registers_) return;
    const Operands& operands = program_->operands[access.where.pc];
    for (unsigned i = 0; i < operands.written; ++i) warp.taints.define(registers(operands)[i].offset, access.lanes);
  }

  /// A lane loads bytes, of which some are undefined, into one register or the elements of a vector.
  void load(const Access& access, WarpState& warp, int lane, std::uint32_t undefined) {
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
      taint.origin[lane] = {
          .load = access.where.pc, .is_local = access.space == Space::local, .address = access.addresses[lane]};
    }
  }

  /// The undefined bytes that a lane stores. What was computed, and what no load brought, is told where others see it.
  std::uint32_t store(BlockState& block, const Access& access, WarpState& warp, int lane, bool is_seen) {
    if (!follows_registers_ || warp.taints.empty()) return 0;
    const machine::Instruction& instruction = program_->code[access.where.pc];
    std::uint32_t bytes = 0;
    for (unsigned element = 0; element < instruction.elements; ++element) {
      const std::uint32_t reg = program_->vectors[instruction.vector + element];
      const Taint* taint = warp.taints.find(reg);
      if (taint == nullptr || taint->bytes[lane] == 0) continue;
      const std::uint32_t undefined = taint->bytes[lane] & ((1u << instruction.element_bytes) - 1);
      if (undefined == 0) continue;
      const Origin origin = taint->origin[lane];
      if (is_seen && (origin.computed != Origin::nowhere || origin.load == Origin::nowhere))
        tell(block, access.where, lane, origin, Use::stored);
      else
        bytes |= undefined << (element * instruction.element_bytes);
    }
    return bytes;
  }

  void update(BlockState& block, const Access& access, WarpState& warp, int lane, std::uint32_t undefined) {
    const bool sets = program_->text(access.where.pc).find(".exch") != std::string::npos;
    if (undefined != 0 && !sets)
      tell(block, access.where, lane, {.load = access.where.pc, .address = access.addresses[lane]}, Use::updated);
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
  Sightings<UndefinedExample> seen_;
};

}  // namespace

std::unique_ptr<Observer> make_definedness() { return std::make_unique<Definedness>(); }

}  // namespace warpwright::observe
