#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "observe/metrics.h"
#include "problem.h"
#include "profile_report.h"

namespace warpwright::lab {
namespace {

namespace metric = observe::metric;

/// A number to show: the sum of some metrics, over the sum of others if there are any.
struct Quantity {
  const char* name;
  std::vector<std::string_view> of;
  std::vector<std::string_view> per = {};
};

/// What belongs together. A group of which nothing happened is not shown.
struct Group {
  const char* title;
  std::vector<Quantity> rows;
};

const std::vector<Group>& groups() {
  static const std::vector<Group> all = {
      {"instructions",
       {{"by warps", {metric::warp_instructions}},
        {"by threads", {metric::thread_instructions_on}},
        {"threads at work, of 32", {metric::thread_instructions_on}, {metric::warp_instructions}}}},
      {"global loads",
       {{"requests", {metric::global_load_requests}},
        {"sectors", {metric::global_load_sectors}},
        {"sectors a request", {metric::global_load_sectors}, {metric::global_load_requests}},
        {"loads before the first use", {metric::global_load_requests}, {metric::global_load_waits}}}},
      {"global stores",
       {{"requests", {metric::global_store_requests}},
        {"sectors", {metric::global_store_sectors}},
        {"sectors a request", {metric::global_store_sectors}, {metric::global_store_requests}}}},
      {"global atomics",
       {{"requests", {metric::global_atomic_requests}}, {"sectors", {metric::global_atomic_sectors}}}},
      {"shared loads",
       {{"requests", {metric::shared_load_requests}},
        {"wavefronts", {metric::shared_load_wavefronts}},
        {"bank conflicts", {metric::shared_load_conflicts}}}},
      {"shared stores",
       {{"requests", {metric::shared_store_requests}},
        {"wavefronts", {metric::shared_store_wavefronts}},
        {"bank conflicts", {metric::shared_store_conflicts}}}},
      {"shared atomics",
       {{"requests", {metric::shared_atomic_requests}},
        {"wavefronts", {metric::shared_atomic_wavefronts}},
        {"bank conflicts", {metric::shared_atomic_conflicts}}}},
      {"branches", {{"by warps", {metric::branches}}, {"where lanes part", {metric::divergent_branches}}}},
      {"warps", {{"launched", {metric::launched_warps}}, {"whose lanes parted", {metric::divergent_warps}}}},
      {"block barriers", {{"completed", {metric::block_barriers}}}},
      {"warp barriers", {{"completed", {metric::warp_barriers}}}},
      {"shuffles", {{"by warps", {metric::shuffles}}}},
  };
  return all;
}

/// Beside the source there is room for few: whatever did not happen in a kernel has no column.
const std::vector<Quantity>& columns_of_source() {
  static const std::vector<Quantity> all = {
      {"instr", {metric::warp_instructions}},
      {"sectors", {metric::global_load_sectors, metric::global_store_sectors, metric::global_atomic_sectors}},
      {"wavefr", {metric::shared_load_wavefronts, metric::shared_store_wavefronts, metric::shared_atomic_wavefronts}},
      {"conflicts", {metric::shared_load_conflicts, metric::shared_store_conflicts, metric::shared_atomic_conflicts}},
      {"diverge", {metric::divergent_branches}},
      {"barriers", {metric::block_barriers}},
      {"shuffles", {metric::shuffles}},
  };
  return all;
}

double sum(const Metrics& metrics, const std::vector<std::string_view>& names) {
  double total = 0;
  for (const auto name : names) {
    if (const auto found = metrics.find(std::string(name)); found != metrics.end()) total += found->second;
  }
  return total;
}

double value_of(const Quantity& quantity, const Metrics& metrics) {
  const double value = sum(metrics, quantity.of);
  if (quantity.per.empty()) return value;
  const double divisor = sum(metrics, quantity.per);
  return divisor == 0 ? 0 : value / divisor;
}

std::string number(double value, bool ratio) {
  return ratio ? fmt::format("{:.2f}", value) : thousands(static_cast<unsigned long long>(value));
}

/// The row's exact name in the JSON, where it is one metric.
std::string name_in_json(const Quantity& quantity) {
  return quantity.per.empty() && quantity.of.size() == 1 ? std::string(quantity.of.front()) : "";
}

std::string table_of_launches(const ProfileReport& report, const Terminal& terminal) {
  std::size_t kernel_width = 6, grid_width = 4, block_width = 5;
  for (const auto& launch : report.launches) {
    kernel_width = std::max(kernel_width, launch.kernel.size());
    grid_width = std::max(grid_width, launch.grid.size());
    block_width = std::max(block_width, launch.block.size());
  }
  kernel_width = std::min<std::size_t>(kernel_width, static_cast<std::size_t>(std::max(16, terminal.width() - 60)));
  std::string text =
      terminal.dim(fmt::format("{:>8}  {:<{}}  {:>{}}  {:>{}}  {:>12}  {:>12}", "launch", "kernel", kernel_width,
                               "grid", grid_width, "block", block_width, "sectors", "conflicts")) +
      "\n";
  const auto& quantities = columns_of_source();
  constexpr std::size_t most_rows = 40;
  for (std::size_t i = 0; i < report.launches.size(); ++i) {
    const auto& launch = report.launches[i];
    if (i == most_rows && report.launches.size() > most_rows + 1) {
      text +=
          terminal.dim(fmt::format("{:>8}  and {} launches more", "...", thousands(report.launches.size() - i))) + "\n";
      break;
    }
    const auto counted = [&](const Quantity& quantity) {
      return launch.ended_early ? "-" : number(value_of(quantity, launch.metrics), false);
    };
    text +=
        fmt::format("{:>8}  {}  {:>{}}  {:>{}}  {:>12}  {:>12}\n", i + 1,
                    pad(cut(launch.kernel, static_cast<int>(kernel_width)), static_cast<int>(kernel_width)),
                    launch.grid, grid_width, launch.block, block_width, counted(quantities[1]), counted(quantities[3]));
  }
  return text;
}

std::string counters(const ProfileReport::Launch& launch, const Terminal& terminal) {
  if (launch.ended_early) return "  It ended early, with a mistake: nothing is counted.\n";
  std::string text;
  for (const Group& group : groups()) {
    const bool nothing = std::all_of(group.rows.begin(), group.rows.end(),
                                     [&](const Quantity& row) { return sum(launch.metrics, row.of) == 0; });
    if (nothing) continue;
    const char* title = group.title;
    for (const Quantity& row : group.rows) {
      const std::string line =
          fmt::format("  {:<16}{:<24}{:>16}", title, row.name, number(value_of(row, launch.metrics), !row.per.empty()));
      const std::string name = name_in_json(row);
      const bool room = columns(line) + 3 + columns(name) <= terminal.width();
      text += line + (room && !name.empty() ? terminal.dim("   " + name) : "") + "\n";
      title = "";
    }
  }
  return text;
}

struct Column {
  const Quantity* quantity;
  std::size_t width;
};

/// A row of the counters beside a source line or an instruction; blank where nothing was counted.
std::string beside(const std::vector<Column>& shown, const Metrics* metrics) {
  std::string row;
  for (const Column& column : shown) {
    const double value = metrics == nullptr ? 0 : value_of(*column.quantity, *metrics);
    row += fmt::format("{:>{}}", value == 0 ? "" : number(value, false), column.width);
  }
  return row;
}

/// A file's lines with the launch's counters to their left, from a little before the first counted line to a little
/// after the last; long stretches where nothing was counted are left out.
std::string annotated(const std::string& file, const ProfileReport::Launch& launch,
                      const std::vector<std::string>& source, std::optional<int> ptx, const Terminal& terminal) {
  constexpr int around = 2;
  std::map<int, const ProfileReport::Line*> counted;
  for (const auto& line : launch.lines) {
    if (line.file == file) counted[line.line] = &line;
  }
  std::vector<Column> shown_columns;
  for (const Quantity& quantity : columns_of_source()) {
    double largest = 0;
    for (const auto& [number, line] : counted) largest = std::max(largest, value_of(quantity, line->metrics));
    const std::size_t width = std::max(std::string_view(quantity.name).size(), number(largest, false).size());
    if (largest > 0) shown_columns.push_back({&quantity, width + 2});
  }
  std::string head;
  for (const Column& column : shown_columns) head += fmt::format("{:>{}}", column.quantity->name, column.width);
  std::string text = "\n  " + terminal.bold(file) + "\n" + terminal.dim(head) + "\n";

  if (source.empty()) text += terminal.dim("  (the file cannot be read; its lines are not shown)") + "\n";
  const int last = source.empty() ? counted.rbegin()->first : static_cast<int>(source.size());
  int shown = 0;  // the last line that was
  for (int line = 1; line <= last; ++line) {
    const auto near = counted.lower_bound(line - around);
    if (near == counted.end() || near->first > line + around) continue;
    if (shown != 0 && line != shown + 1) text += terminal.dim("  ...") + "\n";
    shown = line;
    const auto here = counted.find(line);
    std::string row = beside(shown_columns, here == counted.end() ? nullptr : &here->second->metrics);
    row += terminal.dim(fmt::format(" {:>4} |", line));
    const std::string code = source.empty() ? "" : source[static_cast<std::size_t>(line - 1)];
    const int room = std::max(20, terminal.width() - static_cast<int>(head.size()) - 8);
    text += row + (code.empty() ? "" : " " + cut(code, room)) + "\n";
    if (ptx != line || here == counted.end()) continue;
    for (const auto& instruction : here->second->ptx) {
      text += beside(shown_columns, &instruction.metrics) + terminal.dim("  ptx |") + "   " +
              cut(instruction.text, room - 2) + "\n";
    }
  }
  return text;
}

/// "shared load"
std::string words_of(const ProfileReport::Instruction& instruction) {
  const std::string& text = instruction.text;
  const std::size_t opcode = text.starts_with('@') ? text.find(' ') + 1 : 0;
  const auto is = [&](std::string_view name) { return text.compare(opcode, name.size(), name) == 0; };
  return fmt::format("{} {}", instruction.worst->wavefronts.empty() ? "global" : "shared",
                     is("ld")   ? "load"
                     : is("st") ? "store"
                                : "atomic");
}

/// The bytes from each lane's address to its neighbour's, if they are the same all through the warp.
std::optional<std::int64_t> stride_of(const ProfileReport::Access& access) {
  std::optional<std::int64_t> stride;
  for (std::size_t lane = 1; lane < access.addresses.size(); ++lane) {
    const auto &before = access.addresses[lane - 1], &here = access.addresses[lane];
    if (!before || !here) continue;
    const auto step = static_cast<std::int64_t>(*here - *before);
    if (stride.value_or(step) != step) return std::nullopt;
    stride = step;
  }
  return stride;
}

std::string words_of(const ProfileReport::Line& line, const ProfileReport::Instruction& instruction) {
  const ProfileReport::Access& access = *instruction.worst;
  std::string text = fmt::format("    {}:{}  {}: {} {} where {} would do", line.file, line.line, words_of(instruction),
                                 access.cost, access.wavefronts.empty() ? "sectors" : "wavefronts", access.ideal);
  if (const auto stride = stride_of(access))
    text += fmt::format("; {} bytes from lane to lane, {} used",
                        thousands(static_cast<unsigned long long>(std::abs(*stride))), access.bytes);
  return text + "\n";
}

/// The accesses of a launch that cost more than so many bytes have to, the furthest above their least first. Copies
/// that the compiler made of one are one.
std::string costly(const ProfileReport::Launch& launch, const Terminal& terminal) {
  std::vector<std::pair<double, std::string>> all;  // by how much, and the words
  for (const auto& line : launch.lines)
    for (const auto& instruction : line.ptx) {
      if (!instruction.worst || instruction.worst->ideal == 0 || instruction.worst->cost <= instruction.worst->ideal)
        continue;
      const double excess = static_cast<double>(instruction.worst->cost) / instruction.worst->ideal;
      if (std::pair one(excess, words_of(line, instruction)); std::find(all.begin(), all.end(), one) == all.end())
        all.push_back(std::move(one));
    }
  if (all.empty()) return "";
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  constexpr std::size_t most = 6;
  std::string text = "\n  " + terminal.bold("costs more than it has to") + ", at worst\n";
  for (std::size_t i = 0; i < std::min(most, all.size()); ++i) text += all[i].second;
  if (all.size() > most) text += fmt::format("    and {} more\n", thousands(all.size() - most));
  return text;
}

std::string one_launch(const ProfileReport& report, std::size_t index, const Sources& sources, std::optional<int> ptx,
                       const Terminal& terminal) {
  const auto& launch = report.launches[index];
  std::string text = fmt::format("\n{}\n\n", terminal.bold(fmt::format("launch {}  {}  grid {}, block {}", index + 1,
                                                                       launch.kernel, launch.grid, launch.block)));
  text += counters(launch, terminal);
  std::set<std::string> files;
  for (const auto& line : launch.lines) files.insert(line.file);
  for (const std::string& file : files) text += annotated(file, launch, sources(file), ptx, terminal);
  return text + costly(launch, terminal);
}

void demand_line(const ProfileReport& report, int wanted) {
  std::set<int> lines;
  for (const auto& launch : report.launches) {
    for (const auto& line : launch.lines) lines.insert(line.line);
  }
  if (lines.count(wanted) != 0) return;
  std::string known;
  for (const int line : lines) known += fmt::format("{}{}", known.empty() ? "" : ", ", line);
  throw Problem(fmt::format("no instruction of line {} ran; these lines have some: {}", wanted, known));
}

}  // namespace

std::string as_text(const ProfileReport& report, const Choice& choice, const Sources& sources,
                    const Terminal& terminal) {
  const std::optional<int>& launch = choice.launch;
  if (launch && static_cast<std::size_t>(*launch) > report.launches.size()) {
    throw Problem(fmt::format("there is no launch {}: there were {}", *launch, report.launches.size()));
  }
  if (choice.ptx) demand_line(report, *choice.ptx);
  std::string text = table_of_launches(report, terminal);
  std::set<std::string> kernels;
  for (std::size_t i = 0; i < report.launches.size(); ++i) {
    const bool wanted = launch ? static_cast<int>(i) + 1 == *launch : kernels.insert(report.launches[i].kernel).second;
    if (wanted) text += one_launch(report, i, sources, choice.ptx, terminal);
  }
  return text;
}

}  // namespace warpwright::lab
