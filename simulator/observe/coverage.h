// Problem: an output that the kernel leaves out keeps its old content, and no access is wrong.
// Idea: memory remembers what launches have written since the host last wrote there (machine/contents.h). After a
// launch, each array that it was given and that is written in part is listed, with its gaps.
// Left out: judging. A kernel that compacts, or works on a part of an array, is right to leave the rest.
#pragma once

#include <string>
#include <vector>

#include "machine/launch.h"
#include "observe/report.h"

namespace warpwright::observe {

/// The arrays among the launch's arguments that are written in part, in the order of the arguments.
std::vector<Coverage> coverage_of(const machine::Launch& launch);

/// "argument 2: 4 of 4004 bytes were not written by any launch since the host last wrote there: bytes 4000 to 4003".
std::string coverage_text(const Coverage& coverage);

}  // namespace warpwright::observe
