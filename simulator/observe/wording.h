// Problem: a learner reads messages, not program counters and offsets.
// Idea: one place turns what events hold into words: threads, lines, array elements, allocations.
// Invariant: the words for one thing are the same in every message.
// Left out: what a message says (each observer's own business).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "machine/launch.h"
#include "observe/report.h"

namespace warpwright::observe {

/// "(1,0,0)"
std::string text_of(const machine::Dim3& index);
/// "thread (1,0,0)"; `thread` is the number in the block, x fastest.
std::string thread_text(const machine::Launch& launch, std::uint32_t thread);
/// "block (1,0,0)"
std::string block_text(const machine::Launch& launch, std::uint64_t block);
/// "thread (1,0,0) of block (0,0,0)"
std::string who_text(const machine::Launch& launch, std::uint64_t block, std::uint32_t thread);
Thread thread_of(const machine::Launch& launch, std::uint64_t block, std::uint32_t thread);

/// Threads of a block in a few words: "thread 5", "threads 0 to 127 and 160", in numbers for a block of one dimension,
/// in indices otherwise. `by_warp[w]` are the lanes of warp w.
std::string threads_text(const machine::Launch& launch, std::span<const machine::Lanes> by_warp);
/// "lane 3", "lanes 0 to 16 and 20"
std::string lanes_text(machine::Lanes lanes);

/// "reads", "writes" or "updates".
std::string does(machine::AccessKind kind);
/// "1 byte", "4 bytes"
std::string bytes_text(std::uint64_t bytes);

/// The line of an instruction as seen from `here`, an instruction that the message is already about: "line 27", "line 5
/// of tail.cuh", "this same line". Without line information: the instruction's text.
std::string line_text(const machine::Program& program, std::uint32_t pc, std::optional<std::uint32_t> here = {});
/// Where the function that holds an instruction's line was called from, when that tells it from `other`: " (called from
/// line 39)", or nothing.
std::string caller_text(const machine::Program& program, std::uint32_t pc, std::uint32_t other);
/// Whether two instructions stand on one line that the learner wrote.
bool on_one_line(const machine::Program& program, std::uint32_t pc, std::uint32_t other);

/// The array of the shared window that an offset lies in or next to, with its size at this launch. Null when there is
/// none.
std::optional<machine::SharedArray> shared_array_at(const machine::Launch& launch, std::int64_t offset);
/// What an instruction touches at an offset of the shared window: "tile[32]", or "bytes 128 to 143 of tile".
std::string shared_element_text(const machine::Launch& launch, std::uint32_t pc, std::int64_t offset);

/// A diagnosis of `kind` at an instruction: kernel, line, frames, instruction filled in.
Diagnosis diagnosis_at(const machine::Program& program, std::string kind, std::uint32_t pc);
/// The other place of a diagnosis.
Diagnosis::Other other_at(const machine::Program& program, std::uint32_t pc, const Thread& who);

}  // namespace warpwright::observe
