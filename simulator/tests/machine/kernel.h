// Problem: a test of the machine is three lines of PTX, and needs a module, memory, a launch and an observer around
// them.
// Idea: `run` wraps a body into a kernel whose registers, arrays and addresses are always the same, runs it, and
// returns what the kernel wrote and every event that the machine told.
// Invariant: nothing is filtered; a body that the parser or the decoder rejects throws what they throw.
// Left out: the runtime API; see tests/cudart.
//
// A body may use:
//   %p<16> .pred, %rs<16> .b16, %r<32> .b32, %f<32> .f32, %rd<32> .b64, %fd<32> .f64
//   %lane, %warp, %thread, %block   numbers of the lane, of the warp and thread in the block, of the block in the grid
//   %out, %outs      64-bit address of the thread's own word of the output, and of the first word
//   %in, %ins        the same of the input, which has as many words as the caller gives
//   tile, other      .shared .align 16 .b8 [256] each;   dynamic: .extern .shared .align 16 .b8 []
//   frame            .local .align 16 .b8 [64]
//   done             a label before the final `ret`
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "machine/launch.h"
#include "observe/observer.h"

namespace warpwright::kernels {

using machine::all_lanes;
using machine::Dim3;
using machine::Lanes;
using machine::LaunchStatus;

inline constexpr std::uint32_t unwritten = 0xdeadbeef;  // what the output holds before the launch
inline constexpr std::uint32_t tile_bytes = 256;
inline constexpr std::uint32_t frame_bytes = 64;

struct Shape {
  Dim3 grid = {};
  Dim3 block = {32, 1, 1};
  std::vector<std::uint32_t> in = std::vector<std::uint32_t>(1);
  std::uint32_t words = 0;  // of output; 0: one for each thread of the grid
  std::uint32_t dynamic_shared_bytes = 0;
  unsigned host_threads = 1;
  std::uint64_t step_budget = 1 << 20;
  std::optional<std::uint64_t> schedule = {};
  std::uint64_t resident_blocks = 4096;
  bool record = true;                             // every event; else faults alone, for what runs long
  machine::Place place = machine::Place::device;  // of the input
  bool host_runs_on = false;
  /// The observer wants to hear of a warp's runs from those that begin at the instruction `from`, as text, to those
  /// that begin at `to`. Empty: of all.
  struct Heard {
    std::string from, to;
  };
  Heard heard = {};
};

struct Access : observe::Access {
  std::array<std::uint64_t, 32> at{};  // the addresses; `addresses` is null
  std::uint32_t held = 0;              // global memory: the word at the first lane's address when the event was told
};

struct Release : observe::BarrierRelease {
  std::vector<Lanes> lanes;  // by warp; `arrived` is null
};

struct Shuffle : observe::Shuffle {
  std::array<std::uint32_t, 32> member_masks{}, source_lanes{};  // `masks` and `sources` are null
};

struct WrongMask : observe::WrongMask {
  std::array<std::uint32_t, 32> member_masks{}, places{};  // `masks` and `at` are null
};

struct Fault : observe::Fault {
  std::array<std::uint64_t, 32> at{};
  std::uint32_t found = 0;  // of a livelock: the word that `standstill.found` pointed to
};

/// Every event, by kind, in the order in which it was told; blocks ascending.
struct Events {
  std::vector<observe::Run> runs;
  std::vector<Access> accesses;
  std::vector<observe::Branch> branches;
  std::vector<observe::BarrierArrival> arrivals;
  std::vector<Release> releases;
  std::vector<observe::WarpSync> syncs;
  std::vector<Shuffle> shuffles;
  std::vector<observe::Fence> fences;
  std::vector<WrongMask> wrong_masks;
  std::vector<Fault> faults;
  std::vector<std::uint64_t> begun, ended;        // blocks
  std::vector<machine::Profile::Count> executed;  // by pc: the profile
};

struct Outcome {
  LaunchStatus status = LaunchStatus::finished;
  std::vector<std::uint32_t> out;
  Events events;
  std::shared_ptr<const machine::Program> program;
  std::uint64_t outs = 0, ins = 0;  // device addresses; freed when this is returned

  /// The instruction whose text is `text`. Throws std::invalid_argument unless there is exactly one.
  std::uint32_t pc_of(std::string_view text) const;
  /// The lanes that executed that instruction, one entry for each time that a warp did.
  std::vector<Lanes> lanes_at(std::string_view text, std::uint64_t block = 0, std::uint32_t warp = 0) const;
  /// The text of the instruction that faulted.
  const std::string& text_of(const Fault& fault) const { return program->text(fault.access.where.pc); }
};

/// The whole module around a body.
std::string module_around(std::string_view body);

/// Runs a body.
Outcome run(std::string_view body, const Shape& shape = {});

/// Runs the first kernel of a module; its parameters are the addresses of the output and, if it has two, of the input.
Outcome run_module(std::string_view text, const Shape& shape = {});

/// The message with which the simulator refuses a body; empty when it does not.
std::string refusal_of(std::string_view body);

}  // namespace warpwright::kernels
