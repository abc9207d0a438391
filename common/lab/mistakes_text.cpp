#include <fmt/core.h>

#include "recording.h"

namespace warpwright::lab {
namespace {

std::string place(const std::string& file, int line, SourceLine source_line, const Terminal& terminal) {
  const std::string source = source_line(file, line);
  return fmt::format("{}:{}{}", file, line, source.empty() ? "" : "   " + terminal.dim(source));
}

std::string one_mistake(const Mistake& mistake, SourceLine source_line, const Terminal& terminal) {
  std::string text = terminal.red(terminal.bold(mistake.kind));
  if (!mistake.kernel.empty()) text += "  in " + mistake.kernel;
  text += "\n";
  if (mistake.line != 0) text += "  " + place(mistake.file, mistake.line, source_line, terminal) + "\n";
  const bool elsewhere = mistake.other_file != mistake.file || mistake.other_line != mistake.line;
  if (mistake.other_line != 0 && elsewhere)
    text += "  " + place(mistake.other_file, mistake.other_line, source_line, terminal) + "\n";
  if (mistake.launch_line != 0)
    text += "  launched at " + place(mistake.launch_file, mistake.launch_line, source_line, terminal) + "\n";
  const int width = std::min(terminal.width(), 100);
  text += wrap(mistake.message, width, 2);
  if (!mistake.hint.empty()) text += wrap("next: " + mistake.hint, width, 2);
  if (mistake.launches > 1) text += fmt::format("  seen {} times\n", thousands(mistake.launches));
  return text;
}

}  // namespace

std::string as_text(const std::vector<Mistake>& mistakes, SourceLine source_line, const Terminal& terminal) {
  std::string text;
  for (const Mistake& mistake : mistakes)
    text += (text.empty() ? "" : "\n") + one_mistake(mistake, source_line, terminal);
  return text;
}

std::string as_text(const std::vector<Gap>& gaps) {
  if (gaps.empty()) return "";
  constexpr std::size_t most = 4;
  std::string list;
  for (std::size_t i = 0; i < std::min(most, gaps.size()); ++i) {
    const Gap& gap = gaps[i];
    list += fmt::format("  {:>16} of {} bytes   argument {} of {}, from byte {} on\n", thousands(gap.unwritten_bytes),
                        thousands(gap.bytes), gap.argument, gap.kernel, thousands(gap.first_unwritten));
  }
  if (gaps.size() > most) list += fmt::format("  and parts of {} more arrays\n", thousands(gaps.size() - most));
  return "not written by any launch since the host last wrote there, which may be meant\n" + list;
}

std::string as_text(const std::vector<Leak>& leaks) {
  if (leaks.empty()) return "";
  constexpr std::size_t most = 8;
  std::uint64_t bytes = 0;
  std::string list;
  for (std::size_t i = 0; i < leaks.size(); ++i) {
    const Leak& leak = leaks[i];
    bytes += leak.bytes;
    if (i >= most) continue;
    const std::string where = leak.line == 0 ? "" : fmt::format("{}:{}, ", leak.file, leak.line);
    list +=
        fmt::format("  {:>16} bytes   {} ({}allocation {})\n", thousands(leak.bytes), leak.origin, where, leak.number);
  }
  if (leaks.size() > most) list += fmt::format("  and {} more\n", thousands(leaks.size() - most));
  return fmt::format("never freed: {} bytes in {} allocation{}\n{}", thousands(bytes), thousands(leaks.size()),
                     leaks.size() == 1 ? "" : "s", list);
}

}  // namespace warpwright::lab
