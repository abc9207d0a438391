#include "observe/coverage.h"

#include <fmt/core.h>

#include "machine/contents.h"
#include "observe/arguments.h"

namespace warpwright::observe {
namespace {

constexpr std::size_t most_gaps = 4;  // that are listed

}  // namespace

std::vector<Coverage> coverage_of(const machine::Launch& launch) {
  std::vector<Coverage> result;
  for (const PointerArgument& argument : pointer_arguments(launch)) {
    const machine::Allocation* allocation = launch.memory->find(argument.value, 1);
    if (allocation == nullptr || !allocation->contents || allocation->base != argument.value) continue;
    Coverage coverage{.argument = argument.number, .bytes = allocation->bytes, .gaps = {}};
    for (const machine::Contents::Gap& gap : allocation->contents->gaps(0, allocation->bytes)) {
      coverage.unwritten_bytes += gap.bytes;
      if (coverage.gaps.size() < most_gaps) coverage.gaps.push_back({gap.offset, gap.bytes});
    }
    if (coverage.unwritten_bytes > 0 && coverage.unwritten_bytes < allocation->bytes) result.push_back(coverage);
  }
  return result;
}

std::string coverage_text(const Coverage& coverage) {
  std::string gaps;
  std::uint64_t listed = 0;
  for (const Coverage::Gap& gap : coverage.gaps) {
    gaps += fmt::format("{}{} to {}", gaps.empty() ? "bytes " : ", ", gap.offset, gap.offset + gap.bytes - 1);
    listed += gap.bytes;
  }
  if (listed < coverage.unwritten_bytes) gaps += " and more";
  return fmt::format("argument {}: {} of {} bytes were not written by any launch since the host last wrote there: {}",
                     coverage.argument, coverage.unwritten_bytes, coverage.bytes, gaps);
}

}  // namespace warpwright::observe
