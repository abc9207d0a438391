// The profile as a page of its own: for every instruction that accesses memory its worst execution, drawn. No script
// and nothing from elsewhere: the page can be mailed.
#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "profile_report.h"

namespace warpwright::lab {
namespace {

using Access = ProfileReport::Access;

constexpr int lane_count = 32;
constexpr int cell = 26;    // a lane's box, a bank's column
constexpr int row = 18;     // a wavefront's line
constexpr int margin = 96;  // for words at the left
constexpr int width = margin + lane_count * cell + 8;
constexpr std::uint64_t sector_bytes = 32;

constexpr const char* head = R"(<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
:root {
  --ink: #1d2733; --dim: #5b6876; --paper: #fff; --line: #c6cfd8;
  --idle: #eef1f4; --used: #1f6fb2; --on: #fff; --bad: #b3261e;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e4e9ee; --dim: #9aa7b4; --paper: #14191f; --line: #3a4652;
    --idle: #232c35; --used: #6db3ee; --on: #10151a; --bad: #ff8a80;
  }
}
body {
  font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 60rem; margin: 2rem auto; padding: 0 1rem;
}
code, pre, svg text, td { font-family: ui-monospace, monospace; }
pre { margin: .2rem 0; overflow-x: auto; }
section { border-top: 1px solid var(--line); margin-top: 1.5rem; padding-top: .5rem; }
.bad { color: var(--bad); font-weight: 600; }
.dim { color: var(--dim); }
.drawing { overflow-x: auto; }
svg text { font-size: 11px; fill: var(--dim); }
svg .on { fill: var(--on); }
.used { fill: var(--used); }
.idle { fill: var(--idle); stroke: var(--line); }
.wire { stroke: var(--line); stroke-width: 1; }
table { border-collapse: collapse; font-size: 13px; }
td, th { padding: 0 .7rem; text-align: right; border-bottom: 1px solid var(--line); }
</style>
)";

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '<') {
      result += "&lt;";
    } else if (c == '&') {
      result += "&amp;";
    } else {
      result += c;
    }
  }
  return result;
}

std::string box(double x, double y, double w, double h, const char* style) {
  return fmt::format(R"(<rect class="{}" x="{:g}" y="{:g}" width="{:g}" height="{:g}" rx="2"/>)", style, x, y, w, h);
}

std::string words(double x, double y, const std::string& text, const char* anchor = "middle", const char* style = "") {
  return fmt::format(R"(<text x="{:g}" y="{:g}" text-anchor="{}" class="{}">{}</text>)", x, y, anchor, style, text);
}

std::string drawing(int height, const std::string& inside, const std::string& label) {
  return fmt::format(
      R"(<div class="drawing"><svg role="img" aria-label="{}" width="{}" height="{}" viewBox="0 0 {} {}">)"
      "{}</svg></div>",
      label, width, height, width, height, inside);
}

double centre(int lane) { return margin + (lane + 0.5) * cell; }

/// The 32 lanes in a row; those that take part are filled.
std::string lanes_row(const Access& access) {
  std::string text = words(margin - 8, 15, "lane", "end");
  for (int lane = 0; lane < lane_count; ++lane) {
    const bool active = access.addresses[lane].has_value();
    text += box(margin + lane * cell + 1, 1, cell - 2, 20, active ? "used" : "idle");
    text += words(centre(lane), 15, std::to_string(lane), "middle", active ? "on" : "");
  }
  return text;
}

/// Lanes above, sectors below, a line from each lane to the sector that it wants.
std::string sectors_drawing(const Access& access) {
  std::map<std::uint64_t, std::vector<bool>> sectors;  // by number: which of its eight words are wanted
  for (const auto& address : access.addresses) {
    if (!address) continue;
    for (std::uint64_t byte = *address; byte < *address + access.bytes; ++byte) {
      auto& wanted = sectors.try_emplace(byte / sector_bytes, 8, false).first->second;
      wanted[byte % sector_bytes / 4] = true;
    }
  }
  const double slot = lane_count * cell / std::max<double>(8, static_cast<double>(sectors.size()));
  constexpr double top = 92, tall = 22;
  std::map<std::uint64_t, double> middle;
  std::string below = words(margin - 8, top + 15, "sector", "end");
  double x = margin;
  for (const auto& [number, wanted] : sectors) {
    middle[number] = x + slot / 2;
    for (int word = 0; word < 8; ++word)
      below += box(x + 1 + word * (slot - 2) / 8, top, (slot - 2) / 8, tall, wanted[word] ? "used" : "idle");
    if (sectors.size() <= 16 || x == margin)
      below += words(x + 1, top + tall + 14, thousands(number * sector_bytes), "start");
    x += slot;
  }
  below += words(margin - 8, top + tall + 14, "from byte", "end");
  std::string wires;
  for (int lane = 0; lane < lane_count; ++lane) {
    if (!access.addresses[lane]) continue;
    wires += fmt::format(R"(<line class="wire" x1="{:g}" y1="21" x2="{:g}" y2="{:g}"/>)", centre(lane),
                         middle[*access.addresses[lane] / sector_bytes], top);
  }
  return drawing(136, wires + lanes_row(access) + below,
                 fmt::format("{} sectors, of which the filled words are wanted", sectors.size()));
}

/// A column for each bank, a line for each wavefront; a filled box is a word that a bank serves, with the lane's
/// number.
std::string banks_drawing(const Access& access) {
  std::string text = words(margin - 8, 13, "bank", "end");
  for (int bank = 0; bank < lane_count; ++bank) text += words(centre(bank), 13, std::to_string(bank));
  int y = 20;
  for (std::size_t i = 0; i < access.wavefronts.size(); ++i) {
    text += words(margin - 8, y + 13, fmt::format("wavefront {}", i + 1), "end");
    for (int bank = 0; bank < lane_count; ++bank) {
      const int lane = access.wavefronts[i].lane_of_bank[bank];
      text += box(margin + bank * cell + 1, y + 1, cell - 2, row - 2, lane >= 0 ? "used" : "idle");
      if (lane >= 0) text += words(centre(bank), y + 13, std::to_string(lane), "middle", "on");
    }
    y += row;
  }
  return drawing(y + 4, text,
                 fmt::format("{} wavefronts; a box holds the lane that its bank serves", access.wavefronts.size()));
}

std::string lanes_table(const Access& access) {
  const bool shared = !access.wavefronts.empty();
  std::string text = fmt::format("<details><summary>lane by lane</summary><table><tr><th>lane<th>byte<th>{}</tr>",
                                 shared ? "word<th>bank<th>wavefront" : "sector");
  for (int lane = 0; lane < lane_count; ++lane) {
    if (!access.addresses[lane]) continue;
    const std::uint64_t byte = *access.addresses[lane];
    text += fmt::format("<tr><td>{}<td>{}", lane, thousands(byte));
    if (!shared) {
      text += fmt::format("<td>{}", thousands(byte / sector_bytes));
    } else {
      std::string served;  // in more than one, if the lane's words are
      for (std::size_t i = 0; i < access.wavefronts.size(); ++i) {
        if ((access.wavefronts[i].lanes >> lane & 1) != 0)
          served += (served.empty() ? "" : ", ") + std::to_string(i + 1);
      }
      text += fmt::format("<td>{}<td>{}<td>{}", thousands(byte / 4), byte / 4 % 32, served);
    }
    text += "</tr>";
  }
  return text + "</table></details>\n";
}

std::string section(const ProfileReport::Line& line, const ProfileReport::Instruction& instruction,
                    const std::string& source) {
  const Access& access = *instruction.worst;
  const bool shared = !access.wavefronts.empty();
  const std::string unit = fmt::format("{}{}", shared ? "wavefront" : "sector", access.cost == 1 ? "" : "s");
  std::string text = fmt::format("<section>\n<p><code>{}:{}</code></p>\n<pre>{}</pre>\n<pre class=\"dim\">{}</pre>\n",
                                 escaped(line.file), line.line, escaped(source), escaped(instruction.text));
  text += access.cost > access.ideal
              ? fmt::format("<p><span class=\"bad\">{} {} where {} would do</span>", access.cost, unit, access.ideal)
              : fmt::format("<p>{} {}: as few as so many bytes can take", access.cost, unit);
  text += fmt::format(", in warp {} of block {}, where it costs most; {} bytes a lane</p>\n", access.warp,
                      thousands(access.block), access.bytes);
  return text + (shared ? banks_drawing(access) : sectors_drawing(access)) + lanes_table(access) + "</section>\n";
}

}  // namespace

std::string as_html(const ProfileReport& report, const std::string& name, const Sources& sources) {
  std::string text = head;
  text += fmt::format("<title>{}: what its accesses move</title>\n<h1>{}</h1>\n", escaped(name), escaped(name));
  text += fmt::format(
      "<p class=\"dim\">Counted on the {}. Of each instruction that accesses memory, the execution that "
      "costs most above its least is drawn; of each kernel, the first launch.</p>\n",
      escaped(report.device));
  std::vector<std::string> drawn;
  for (const auto& launch : report.launches) {
    if (std::find(drawn.begin(), drawn.end(), launch.kernel) != drawn.end()) continue;
    drawn.push_back(launch.kernel);
    text += fmt::format("<h2>{}</h2>\n<p class=\"dim\">grid {}, block {}</p>\n", escaped(launch.kernel), launch.grid,
                        launch.block);
    bool any = false;
    for (const auto& line : launch.lines) {
      const std::vector<std::string> lines = sources(line.file);
      const std::size_t at = static_cast<std::size_t>(line.line);
      for (const auto& instruction : line.ptx) {
        if (!instruction.worst) continue;
        any = true;
        text += section(line, instruction, at >= 1 && at <= lines.size() ? lines[at - 1] : "");
      }
    }
    if (!any) text += "<p>It accesses neither global nor shared memory.</p>\n";
  }
  if (report.launches.empty()) text += "<p>No kernel was launched.</p>\n";
  return text + "</html>\n";
}

}  // namespace warpwright::lab
