#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "terminal.h"

namespace warpwright::lab {

using Metrics = std::map<std::string, double>;

/// What a program counted on the simulated GPU: the JSON that `--profile --json` prints, as far as it is shown.
/// (Mistakes, which are in it too, the program has told in words.)
struct ProfileReport {
  struct Instruction {
    int line = 0;  // of the PTX
    std::string text;
    Metrics metrics;
  };
  struct Line {
    std::string file;
    int line = 0;
    Metrics metrics;
    std::vector<Instruction> ptx;
  };
  struct Launch {
    std::string kernel;
    std::string grid, block;  // "4096 x 1 x 1" as "4,096"
    Metrics metrics;
    std::vector<Line> lines;
  };
  std::string device;
  std::vector<Launch> launches;

  /// Throws Problem when the text is not such JSON.
  static ProfileReport parse(std::string_view json);
};

/// The lines of a source file; empty when it cannot be read.
using Sources = std::function<std::vector<std::string>(const std::string& file)>;

/// What of a report to show.
struct Choice {
  std::optional<int> launch;  // counted from 1; else the first of each kernel
  std::optional<int> ptx;     // the source line below which its PTX instructions appear
};

/// The report as text: a table of the launches, then the chosen ones with their counters and source, counters beside
/// each line. Throws Problem for a launch that there is not, and for a line of which nothing ran.
std::string as_text(const ProfileReport& report, const Choice& choice, const Sources& sources,
                    const Terminal& terminal);

}  // namespace warpwright::lab
