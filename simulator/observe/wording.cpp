#include "observe/wording.h"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace warpwright::observe {
namespace {

using machine::Frame;

constexpr std::size_t most_ranges = 4;  // in one list; the rest is "and more"

std::string_view file_name(std::string_view path) { return path.substr(path.find_last_of('/') + 1); }

/// The learner's frame and the frame that called it, if that is a learner's too.
const Frame* caller_frame(const machine::Program& program, std::uint32_t pc) {
  const std::span<const Frame> chain = program.frames(pc);
  const Frame* frame = program.learner_frame(pc);
  if (frame == nullptr || frame == &chain.back()) return nullptr;
  return frame + 1;
}

std::string line_in(const Frame& frame, const Frame* seen_from) {
  if (seen_from == nullptr || seen_from->file == frame.file) return fmt::format("line {}", frame.line);
  return fmt::format("line {} of {}", frame.line, file_name(frame.file));
}

struct Range {
  std::uint32_t first, last;
};

/// "5", "0 to 127 and 160"
template <class Name>
std::string list_text(std::string_view one, std::string_view many, const std::vector<Range>& ranges, Name name) {
  if (ranges.size() == 1 && ranges[0].first == ranges[0].last) return fmt::format("{} {}", one, name(ranges[0].first));
  std::string text = fmt::format("{} ", many);
  const std::size_t shown = std::min(ranges.size(), most_ranges);
  for (std::size_t i = 0; i < shown; ++i) {
    if (i > 0) text += i + 1 == ranges.size() ? " and " : ", ";
    text += name(ranges[i].first);
    if (ranges[i].last != ranges[i].first) text += fmt::format(" to {}", name(ranges[i].last));
  }
  if (shown < ranges.size()) text += " and more";
  return text;
}

void append_ranges(std::vector<Range>& ranges, machine::Lanes lanes, std::uint32_t first_number) {
  for (const int lane : machine::each_lane(lanes)) {
    const std::uint32_t number = first_number + static_cast<std::uint32_t>(lane);
    if (!ranges.empty() && ranges.back().last + 1 == number)
      ranges.back().last = number;
    else
      ranges.push_back({number, number});
  }
}

}  // namespace

std::string text_of(const machine::Dim3& index) { return fmt::format("({},{},{})", index.x, index.y, index.z); }

std::string thread_text(const machine::Launch& launch, std::uint32_t thread) {
  return fmt::format("thread {}", text_of(machine::index_in(launch.block, thread)));
}

std::string block_text(const machine::Launch& launch, std::uint64_t block) {
  return fmt::format("block {}", text_of(machine::index_in(launch.grid, block)));
}

std::string who_text(const machine::Launch& launch, std::uint64_t block, std::uint32_t thread) {
  return fmt::format("{} of {}", thread_text(launch, thread), block_text(launch, block));
}

Thread thread_of(const machine::Launch& launch, std::uint64_t block, std::uint32_t thread) {
  return {machine::index_in(launch.grid, block), machine::index_in(launch.block, thread)};
}

std::string threads_text(const machine::Launch& launch, std::span<const machine::Lanes> by_warp) {
  std::vector<Range> ranges;
  for (std::uint32_t warp = 0; warp < by_warp.size(); ++warp)
    append_ranges(ranges, by_warp[warp], warp * machine::warp_size);
  const bool one_dimension = launch.block.y == 1 && launch.block.z == 1;
  return list_text("thread", "threads", ranges, [&](std::uint32_t thread) {
    return one_dimension ? fmt::format("{}", thread) : text_of(machine::index_in(launch.block, thread));
  });
}

std::string lanes_text(machine::Lanes lanes) {
  std::vector<Range> ranges;
  append_ranges(ranges, lanes, 0);
  return list_text("lane", "lanes", ranges, [](std::uint32_t lane) { return fmt::format("{}", lane); });
}

std::string does(machine::AccessKind kind) {
  switch (kind) {
    case machine::AccessKind::load:
      return "reads";
    case machine::AccessKind::store:
      return "writes";
    default:
      return "updates";
  }
}

std::string bytes_text(std::uint64_t bytes) { return fmt::format("{} byte{}", bytes, bytes == 1 ? "" : "s"); }

std::string line_text(const machine::Program& program, std::uint32_t pc, std::optional<std::uint32_t> here) {
  const Frame* frame = program.learner_frame(pc);
  if (frame == nullptr) return fmt::format("`{}`", program.text(pc));
  const Frame* seen_from = here ? program.learner_frame(*here) : nullptr;
  const bool same = here && on_one_line(program, pc, *here);
  return same ? "this same line" : line_in(*frame, seen_from);
}

std::string caller_text(const machine::Program& program, std::uint32_t pc, std::uint32_t other) {
  const Frame* caller = caller_frame(program, pc);
  const Frame* other_caller = caller_frame(program, other);
  if (caller == nullptr) return "";
  if (other_caller != nullptr && other_caller->line == caller->line && other_caller->file == caller->file) return "";
  return fmt::format(" (called from {})", line_in(*caller, program.learner_frame(pc)));
}

bool on_one_line(const machine::Program& program, std::uint32_t pc, std::uint32_t other) {
  const Frame* one = program.learner_frame(pc);
  const Frame* two = program.learner_frame(other);
  if (one == nullptr || two == nullptr) return pc == other;
  return one->line == two->line && one->file == two->file;
}

std::optional<machine::SharedArray> shared_array_at(const machine::Launch& launch, std::int64_t offset) {
  const auto distance = [&](const machine::SharedArray& array) {
    if (offset < array.offset) return array.offset - offset;
    return std::max<std::int64_t>(0, offset - (std::int64_t{array.offset} + array.bytes) + 1);
  };
  std::optional<machine::SharedArray> nearest;
  for (machine::SharedArray array : launch.program->shared) {
    if (array.dynamic) array.bytes = launch.dynamic_shared_bytes;
    if (!nearest || distance(array) < distance(*nearest)) nearest = array;
  }
  return nearest;
}

std::string shared_element_text(const machine::Launch& launch, std::uint32_t pc, std::int64_t offset) {
  const machine::Instruction& instruction = launch.program->code[pc];
  const std::int64_t bytes = instruction.bytes;
  const std::optional<machine::SharedArray> array = shared_array_at(launch, offset);
  if (!array) return fmt::format("bytes {} to {} of shared memory", offset, offset + bytes - 1);
  const std::int64_t inside = offset - array->offset;
  const bool is_one = inside == 0 && bytes == array->bytes && !array->dynamic;
  if (instruction.elements == 1 && is_one) return array->name;
  if (instruction.elements == 1 && bytes > 0 && inside % bytes == 0)
    return fmt::format("{}[{}]", array->name, inside / bytes);
  return fmt::format("bytes {} to {} of {}", inside, inside + bytes - 1, array->name);
}

Diagnosis diagnosis_at(const machine::Program& program, std::string kind, std::uint32_t pc) {
  Diagnosis diagnosis;
  diagnosis.kind = std::move(kind);
  diagnosis.kernel = program.kernel;
  diagnosis.instruction = program.text(pc);
  const std::span<const Frame> frames = program.frames(pc);
  diagnosis.frames.assign(frames.begin(), frames.end());
  if (const Frame* frame = program.learner_frame(pc)) {
    diagnosis.file = frame->file;
    diagnosis.line = frame->line;
  }
  return diagnosis;
}

Diagnosis::Other other_at(const machine::Program& program, std::uint32_t pc, const Thread& who) {
  Diagnosis::Other other;
  other.who = who;
  const std::span<const Frame> frames = program.frames(pc);
  other.frames.assign(frames.begin(), frames.end());
  if (const Frame* frame = program.learner_frame(pc)) {
    other.file = frame->file;
    other.line = frame->line;
  }
  return other;
}

}  // namespace warpwright::observe
