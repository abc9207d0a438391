#pragma once

#include <array>
#include <cstdint>
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
  /// The worst execution of an instruction that accesses memory, see simulator/observe/report_json.h.
  struct Access {
    std::uint64_t block = 0;
    unsigned warp = 0, bytes = 0, cost = 0, ideal = 0;
    std::array<std::optional<std::uint64_t>, 32> addresses;  // by lane
    struct Wavefront {                                       // in shared memory
      std::uint32_t lanes = 0;
      std::array<int, 32> lane_of_bank{};
    };
    std::vector<Wavefront> wavefronts;
  };
  struct Instruction {
    int line = 0;  // of the PTX
    std::string text;
    Metrics metrics;
    std::optional<Access> worst;
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
    bool ended_early = false;  // in a fault: nothing is counted then
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

/// The report as a page of its own, which draws the worst execution of every instruction that accesses memory, of the
/// first launch of each kernel: lanes, addresses, sectors, banks and wavefronts. `name` is the exercise's.
std::string as_html(const ProfileReport& report, const std::string& name, const Sources& sources);

}  // namespace warpwright::lab
