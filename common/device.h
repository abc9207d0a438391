// Problem: the same tests and benchmarks run on a simulated and on a real GPU, which can tell different things.
// Idea: what differs is behind this header; sim/ and gpu/ implement it, and the build links one of them.
// Invariant: no other file of the project, a chapter's included, asks which device it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "observe/report.h"

namespace warpwright {

/// In words: "simulated H200", or the name that the GPU gives itself.
std::string device_name();

/// Empty when launches can be profiled; otherwise the reason, as a sentence without a full stop.
std::string why_no_counters();

/// What later launches are watched for; each costs time.
enum class Watch { mistakes, counters, everything };
void watch(Watch what);

/// The order in which blocks, warps and parted lanes of later launches run, where the device lets itself be told: one
/// of many, by seed; nothing: its own. Named by device_name() from then on.
void schedule(std::optional<std::uint64_t> seed);

/// What the launches since the last call did, in order; their diagnoses too. Empty where there is nothing to be had.
std::vector<observe::Report> take_launches();

/// Diagnoses that belong to no launch, since the last call.
std::vector<observe::Diagnosis> take_diagnoses();

/// A file and a line of it.
using SourceLine = std::pair<std::string, std::uint32_t>;

/// The learner's lines of the launched kernel that write global memory, whether or not they were reached.
std::set<SourceLine> lines_that_write(const observe::Report& launch);

/// Forgets an error that would otherwise fail every later call; false if the device cannot.
bool reset_errors();

/// Bytes before and behind every array that nobody may write: a multiple of 256. 0 where the device itself reports
/// every access outside an allocation, reads included, which a guard would only hide.
std::size_t guard_bytes();

}  // namespace warpwright
