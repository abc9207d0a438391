// Problem: what the manual says of arithmetic has to be compared with what an H200 does, where there is no H200.
// Idea: a recording holds operands and the results that an H200 gave, for every check of tests/isa. It is replayed
// against the simulated GPU and against the checks themselves, which is what shows that the manual was read rightly.
// Invariant: a recording is complete in itself: new checks and new edges leave it as it is.
// Left out: how it is made; see recorder.cpp.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "isa/checks.h"

namespace warpwright::h200 {

using checks::Bits;
using checks::Check;
using checks::Checks;

/// Instructions whose operands have the same types are given the same operands.
struct Group {
  std::vector<std::string> sources;
  std::vector<std::vector<Bits>> tuples;
};

struct Form {
  std::string name;   // of the check, see name_of()
  std::size_t group;  // index
  unsigned bytes;     // of a result
  std::vector<Bits> results;
};

struct Recording {
  std::string made;  // where, when and how: one line
  std::vector<Group> groups;
  std::vector<Form> forms;  // group by group
};

/// All checks that can be recorded.
Checks all_checks();

/// The opcode, and literals among its operands: no two checks have the same.
std::string name_of(const Check& check);

/// A recording without results: groups with their operands, and which form is executed on which.
Recording plan(const Checks& checks);

void write_plan(const Recording& plan, const std::filesystem::path& file);
/// Reads what write_plan() wrote, and the results of the forms, as the program in gpu/ leaves them.
Recording read_results(const std::filesystem::path& plan, const std::filesystem::path& results);

/// A recording as it is committed: compressed, with the plan.
void write(const Recording& recording, const std::filesystem::path& file);
Recording read(const std::filesystem::path& file);

}  // namespace warpwright::h200
