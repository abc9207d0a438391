// Problem: pages, scripts and graders want reports as data.
// Idea: one JSON document for a list of launches and the diagnoses that belong to no launch.
// Invariant: counts are printed as integers; keys and their order do not depend on the run.
// Left out: reading it back.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "observe/report.h"

namespace warpwright::observe {

/// `{"device", "launches": [{"kernel", "grid", "block", "dynamic_shared_bytes", "metrics": {name: number},
/// "lines": [{"file", "line", "metrics", "ptx": [{"line", "text", "metrics", "worst"}]}]}], "diagnoses": [{"kind",
/// "message", "hint", "kernel", "block", "thread", "file", "line", "instruction", "count", "other": {"block", "thread",
/// "file", "line"}}]}`. Launches in order; their diagnoses first, then `loose` ones. A block, a thread and a grid are
/// [x, y, z]; what a diagnosis does not have is left out. "worst" is of instructions that access memory: {"block",
/// "warp", "bytes", "cost", "ideal", "addresses": [one a lane, or null]} and, in shared memory, "wavefronts":
/// [{"lanes": mask, "lane_of_bank": [one a bank, or -1]}]. A launch that ended early has "ended_early": true, no
/// metrics and no lines.
std::string to_json(std::string_view device, std::span<const Report> launches, std::span<const Diagnosis> loose = {});

/// One of its launches, or one of its diagnoses, on a line.
std::string to_json_line(const Report& launch);
std::string to_json_line(const Diagnosis& diagnosis);
/// A text, quoted.
std::string to_json_line(std::string_view text);

}  // namespace warpwright::observe
