#include "ninja.h"

#include <algorithm>

namespace warpwright::lab {
namespace {

bool is_step(std::string_view line) {
  const std::size_t end = line.find(']');
  return line.substr(0, 1) == "[" && end != std::string_view::npos &&
         line.substr(1, end - 1).find_first_not_of("0123456789/") == std::string_view::npos;
}

}  // namespace

std::vector<FailedStep> failed_steps(std::string_view log) {
  std::vector<FailedStep> failed;
  bool in_step = false, command_follows = false;
  for (std::size_t at = 0; at < log.size();) {
    const std::size_t end = std::min(log.find('\n', at), log.size());
    std::string_view line = log.substr(at, end - at);
    at = end + 1;
    if (line.substr(0, 8) == "FAILED: ") {
      line.remove_prefix(8);
      if (line.substr(0, 6) == "[code=") line.remove_prefix(std::min(line.find("] ") + 2, line.size()));
      failed.push_back({std::string(line.substr(0, line.find(' '))), {}});  // others are made by the same step
      in_step = command_follows = true;
    } else if (is_step(line) || line.substr(0, 7) == "ninja: ") {
      in_step = false;
    } else if (command_follows) {
      command_follows = false;
    } else if (in_step) {
      failed.back().output.append(line).append("\n");
    }
  }
  return failed;
}

bool belongs_to(const FailedStep& step, const std::string& program) {
  return step.product == "bin/" + program || step.product.find("/" + program + ".kernel.dir/") != std::string::npos ||
         step.product.find("/" + program + ".dir/") != std::string::npos;
}

}  // namespace warpwright::lab
