// Problem: "32 sectors where 4 would do" is a number; what it looks like is understood at a glance.
// Idea: draw the worst execution of an instruction as the memory sees it: the sectors that move, with the bytes in them
// that somebody wants; or the banks, one line for each wavefront.
// Invariant: no line is longer than 78 columns, and none needs colour.
#pragma once

#include <string>

#include "observe/banks.h"
#include "observe/report.h"

namespace warpwright {

/// The sectors that the lanes touch, eight a line, the first ones if there are many:
///
///   byte 384  |....####|########|########|########|####....|   # 4 bytes that a lane wants
///
/// Sectors that do not adjoin are set apart.
std::string picture_of_sectors(const observe::Exemplar& access);

/// The 32 banks, and in each line what they serve in one wavefront, the first ones if there are many:
///
///   bank 0       8       16      24
///      1 #...#...#...#...#...#...#...#...   lanes 0 to 7
///      2 #...#...#...#...#...#...#...#...   lanes 8 to 15
std::string picture_of_banks(const observe::Exemplar& access, observe::SharedOperation operation);

}  // namespace warpwright
