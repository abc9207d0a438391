#include "check/tests.h"

#include <cstdlib>

namespace warpwright::lab {
namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t from = text.find_first_not_of(' ');
  return from == std::string_view::npos ? std::string_view() : text.substr(from);
}

/// The number at the start, which is taken away; -1 when there is none.
int number(std::string_view& text) {
  text = trimmed(text);
  std::size_t length = 0;
  while (length < text.size() && text[length] >= '0' && text[length] <= '9') ++length;
  if (length == 0) return -1;
  const int value = std::atoi(std::string(text.substr(0, length)).c_str());
  text.remove_prefix(length);
  return value;
}

bool starts(std::string_view text, std::string_view with) { return text.substr(0, with.size()) == with; }

}  // namespace

TestLog::Kind TestLog::read(std::string_view line) {
  // What a failed test prints can be another CTest's output, which counts nothing and closes nothing here.
  const bool all_ran = results_.size() == static_cast<std::size_t>(total_);
  if (!closing_.empty() || (all_ran && line.find("% tests passed, ") != std::string_view::npos)) {
    in_failure_ = false;
    closing_.append(line).append("\n");
    return Kind::closing;
  }
  if (starts(trimmed(line), "Start ")) {
    in_failure_ = false;
    return Kind::other;
  }
  // " 12/212 Test  #12: solution.reduce.v0 ..........   Passed    0.32 sec"
  std::string_view rest = line;
  const int done = number(rest);
  if (done >= 0 && starts(rest, "/")) {
    rest.remove_prefix(1);
    const int total = number(rest);
    rest = trimmed(rest);
    const std::size_t colon = rest.find(": ");
    const bool of_this_run = total > 0 && (total_ == 0 || total == total_);
    if (of_this_run && starts(rest, "Test ") && colon != std::string_view::npos) {
      rest.remove_prefix(colon + 2);
      Result result;
      result.name = rest.substr(0, rest.find(' '));
      result.passed =
          rest.find("***Failed") == std::string_view::npos && rest.find("***Timeout") == std::string_view::npos &&
          rest.find("***Exception") == std::string_view::npos && rest.find("***Not Run") == std::string_view::npos;
      if (const std::size_t unit = rest.rfind(" sec"); unit != std::string_view::npos) {
        const std::size_t before = rest.find_last_of(' ', unit - 1);
        result.seconds = std::atof(std::string(rest.substr(before + 1, unit - before - 1)).c_str());
      }
      results_.push_back(result);
      total_ = total;
      in_failure_ = !result.passed;
      return in_failure_ ? Kind::failure : Kind::step;
    }
  }
  return in_failure_ ? Kind::failure : Kind::other;
}

}  // namespace warpwright::lab
