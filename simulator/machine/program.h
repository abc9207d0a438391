// Problem: a parsed instruction is names; running it over names would be slow.
// Idea: decode once. A program is one kernel with every operand turned into a place in a warp's register file and
// every mnemonic into a function pointer. What a reader of counters needs (text, lines) stays beside the code, by pc.
// Invariant: `code[pc]`, `text(pc)` and `frames(pc)` speak of the same PTX instruction.
// Left out: who runs it (warp.h) and what it means (isa/).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "machine/lanes.h"
#include "machine/operands.h"
#include "ptx/module.h"

namespace warpwright::machine {

class Warp;
struct Instruction;

/// What an instruction does to the lanes in `warp.active()`.
using Execute = void (*)(Warp& warp, const Instruction& instruction);

/// Which part of the machine handles an instruction. `straight` ones change registers and memory only, so a warp runs
/// through them without looking up; every other one may change who runs next.
enum class Flow : std::uint8_t {
  straight,
  branch,
  indexed_branch,
  call,
  return_from_call,
  exit,
  block_barrier,
  warp_barrier,
  collective
};

enum class Space : std::uint8_t { global, shared, local, param, constant };
std::string_view name_of(Space space);

enum class AccessKind : std::uint8_t { load, store, atomic, reduction };
std::string_view name_of(AccessKind kind);

/// What a memory instruction does to memory, apart from where.
struct MemoryOperation {
  std::uint32_t bytes = 0;      // of one lane: element size times vector length, 1 to 16
  Space space = Space::global;  // of an instruction that is generic: meaningless
  AccessKind kind = AccessKind::load;
  bool ordered = false;  // volatile, relaxed, acquire or release
  bool bulk = false;     // by the copy engine, for the one lane that asked for it: no request of a warp
  bool late = false;     // what an asynchronous copy does, some time after it was issued
};

inline constexpr std::uint32_t no_register = 0xffffffffu;

/// Puts into the element at `at` what an operation makes of it and of the one at `with`.
using Combine = void (*)(std::byte* at, const std::byte* with);

/// Bits of a block barrier's `option`. Its sources are the barrier, the number of threads and, of bar.red, the vote;
/// its `execute`, if any, is called when the barrier has released the lanes.
inline constexpr std::uint32_t barrier_arrive_only = 1;
inline constexpr std::uint32_t barrier_vote_negated = 2;
inline constexpr std::uint32_t barrier_is_literal = 4;  // all lanes name the same barrier

/// A decoded instruction. Registers are byte offsets into a warp's register file, where a register is 32 lanes side by
/// side, each 4 or 8 bytes wide (predicates: one 32-bit mask). Immediates are registers too, written once a launch.
struct Instruction : MemoryOperation {
  Execute execute = nullptr;
  Execute inner = nullptr;  // for wrappers such as a conversion from a wider register
  std::uint32_t destination = no_register;
  std::uint32_t destination2 = no_register;  // predicate beside a value: setp p|q, shfl d|p
  std::array<std::uint32_t, 4> source = {no_register, no_register, no_register, no_register};
  std::uint32_t guard = no_register;  // predicate of @p
  bool guard_negated = false;
  Flow flow = Flow::straight;
  bool generic = false;             // memory: the space is found from the address
  std::uint8_t element_bytes = 0;   // memory: of one element of the vector
  std::uint8_t elements = 0;        // memory: of the vector; 0 when this is no memory instruction
  std::uint8_t register_bytes = 0;  // memory: 4 or 8, width of a lane of the data register
  bool sign_extended = false;       // memory: a load of a signed element into a wider register
  bool wide_address = true;         // memory: the address register has 64 bits, else 32
  bool counts_up = false;           // atomic: it adds 1 in shared memory, and nobody wants to know to what
  bool compares = false;            // atomic: compare-and-swap
  std::uint32_t vector = 0;         // memory: index of the first element's register in Program::vectors
  std::int64_t offset = 0;          // memory: added to the address
  std::int32_t source_offset = 0;   // cp.async: added to the address that is read
  /// Memory: which of its places a warp keeps the shape of the address register in (addresses.h), and whether an
  /// instruction just before, that the same lanes have executed, has left it there (flow.h).
  static constexpr std::uint8_t shapes = 4;
  std::uint8_t shape = 0;
  bool knows_shape = false;
  std::uint32_t target = 0;  // branch: pc
  std::uint32_t option = 0;  // what else the mnemonic says (shuffle mode, barrier kind...), see isa/

  /// Memory: of a vector of `count` elements, each of so many bytes.
  void set_elements(std::size_t each, std::size_t count) {
    element_bytes = static_cast<std::uint8_t>(each);
    elements = static_cast<std::uint8_t>(count);
    bytes = static_cast<std::uint32_t>(each * count);
  }
};

/// A line of a source file, one frame of an inlining chain.
struct Frame {
  std::string file;
  std::uint32_t line = 0;
  std::string function;  // demangled; of the outermost frame: the kernel
};

/// An array in the block's shared window.
struct SharedArray {
  std::string name;          // as the source calls it
  std::uint32_t offset = 0;  // bytes from the start of the shared window
  std::uint32_t bytes = 0;   // size; of the dynamic array: known at launch, 0 here
  bool dynamic = false;      // extern __shared__
};

struct Parameter {
  std::uint32_t offset = 0;  // bytes in the parameter buffer
  std::uint32_t bytes = 0;
};

/// A .param variable of a function: each lane's bytes side by side, in the register file.
struct Storage {
  std::uint32_t offset = 0;
  std::uint32_t bytes = 0;  // of one lane
  /// From one lane's to the next one's.
  std::uint32_t lane_bytes() const { return (bytes + 15) / 16 * 16; }
};

/// A function of the program; the first one is the kernel.
struct Function {
  std::string name;  // demangled, without parameters
  bool is_kernel = false;
  bool is_recursive = false;         // may be called while it is running
  std::uint64_t address = 0;         // what a pointer to it holds
  std::uint32_t begin = 0, end = 0;  // pcs
  std::uint32_t frame_bytes = 0;     // in local memory
  std::vector<Storage> parameters, returns;
  struct Register {
    std::uint32_t offset = 0;
    std::uint32_t lane_bytes = 0;  // 0 for a predicate
  };
  std::vector<Register> registers;  // its own, from registers_begin to registers_end
  std::uint32_t registers_begin = 0, registers_end = 0;
  struct FrameAddress {
    std::uint32_t reg = 0;
    std::uint32_t offset = 0;
  };
  std::vector<FrameAddress> frame_addresses;  // registers that hold where its arrays lie
};

/// What a call passes.
struct CallSite {
  static constexpr std::uint32_t indirect = 0xffffffffu;
  std::uint32_t function = indirect;  // index into Program::functions
  std::vector<Storage> arguments, returns;
};

/// A constant that instructions use: written to all 32 lanes of `reg` when a warp is made.
struct Immediate {
  std::uint32_t reg = 0;
  std::uint32_t lane_bytes = 4;  // 4 or 8
  std::uint64_t bits = 0;
};

/// What a warp knows of itself; PTX ISA, "Special Registers". Those that time changes are instructions of their own in
/// isa/.
enum class SpecialRegister : std::uint8_t {
  tid_x,
  tid_y,
  tid_z,
  ntid_x,
  ntid_y,
  ntid_z,
  ctaid_x,
  ctaid_y,
  ctaid_z,
  nctaid_x,
  nctaid_y,
  nctaid_z,
  laneid,
  warpid,
  nwarpid,
  lanemask_eq,
  lanemask_le,
  lanemask_lt,
  lanemask_ge,
  lanemask_gt,
  dynamic_smem_size,
  total_smem_size,
  smid,
  nsmid,
  zero,     // of a cluster of one block: its place there
  one,      // and how many there are
  envreg1,  // of a cooperative launch: the high half of the grid's workspace's address, and the low one
  envreg2
};

/// A special register that instructions use: written to the 32-bit lanes of `reg` when a warp begins a block.
struct Special {
  SpecialRegister which = SpecialRegister::tid_x;
  std::uint32_t reg = 0;
};

/// One kernel, decoded, with the functions that it calls.
class Program {
 public:
  std::string mangled;
  std::string
      kernel;  // the kernel's own name, demangled, with template arguments and without parameters: "reduce<256>"
  std::vector<Instruction> code;
  std::vector<Function> functions;                        // the kernel first, then all that it may call
  std::vector<CallSite> call_sites;                       // by an instruction's `option`
  std::vector<std::vector<std::uint32_t>> branch_tables;  // pcs, by an instruction's `option`
  std::vector<std::uint32_t> vectors;                     // registers of vector operands, in runs
  std::vector<Combine> combinations;                      // of atomics of vectors, by `option`
  std::vector<std::uint32_t> rank;        // by pc: which of two parted groups of lanes runs first, see flow.h
  std::vector<std::uint32_t> run_length;  // by pc: instructions from here that any lanes execute together, see flow.h
  std::vector<Operands> operands;         // by pc, or empty when nobody says
  std::vector<OperandRegister> operand_registers;  // in runs, see Operands
  std::vector<OperandRegister> unwritten;          // registers that some path reads before anything has written them
  std::uint32_t register_bytes = 0;                // size of a warp's register file
  std::vector<Immediate> immediates;
  std::vector<Special> specials;
  std::vector<SharedArray> shared;        // in order of offset, the dynamic array last
  std::uint32_t static_shared_bytes = 0;  // what the program declares (red zones not counted)
  std::uint32_t shared_window_bytes = 0;  // with red zones, up to where the dynamic array starts
  std::uint32_t shared_granule =
      4;                          // smallest width, at most 4, of any shared access: what shadow memory distinguishes
  std::uint32_t local_bytes = 0;  // a thread's, with room for the frames of calls
  bool has_alloca = false;        // some function takes local memory while it runs
  std::uint32_t max_threads = 1024;  // a block's, from __launch_bounds__
  std::vector<Parameter> parameters;
  std::uint32_t parameter_bytes = 0;
  bool order_dependent =
      false;  // global atomics, volatile or acquire loads: the order of blocks may show in the result

  /// The instruction as PTX text: "ld.shared.f32 %f4, [%r18]".
  const std::string& text(std::uint32_t pc) const { return texts_[pc]; }
  std::uint32_t ptx_line(std::uint32_t pc) const { return ptx_lines_[pc]; }
  /// The inlining chain, innermost frame first; empty when the program carries no line information.
  std::span<const Frame> frames(std::uint32_t pc) const { return chains_[chain_of_[pc]]; }
  /// The line that a learner wrote: of the chain, the innermost frame in a .cu file, else the innermost outside the
  /// toolkit's headers, else the outermost. Null when the program carries no line information.
  const Frame* learner_frame(std::uint32_t pc) const;

  // Filled by the decoder (isa/decode.cpp).
  std::vector<std::string> texts_;
  std::vector<std::uint32_t> ptx_lines_;
  std::vector<std::vector<Frame>> chains_;
  std::vector<std::uint32_t> chain_of_;
};

/// An instruction that the simulator does not know, or knows and does not support: the message names the instruction,
/// its PTX line and the learner's line.
class UnsupportedInstruction : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace warpwright::machine
