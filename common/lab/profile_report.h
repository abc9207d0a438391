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
  struct Line {
    std::string file;
    int line = 0;
    Metrics metrics;
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

/// The report as text: a table of the launches, then one launch (the first of each kernel, or the given one, counted
/// from 1) with its counters and its source, counters beside each line. Throws Problem for a launch that there is not.
std::string as_text(const ProfileReport& report, std::optional<int> launch, const Sources& sources,
                    const Terminal& terminal);

}  // namespace warpwright::lab
