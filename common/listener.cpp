#include "listener.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <string_view>
#include <utility>

#include "device.h"
#include "subject.h"
#include "words.h"

namespace warpwright {
namespace {

/// "contract: no two lanes wait for one bank"
std::string claim_of(const testing::TestInfo& test) {
  return words_of(test.test_suite_name()) + ": " + words_of(test.name());
}

/// What GoogleTest adds around an exception's text and a failure's.
std::string_view bare(std::string_view message) {
  constexpr std::string_view before = "C++ exception with description \"", after = "\" thrown in";
  if (message.substr(0, before.size()) == before) {
    message.remove_prefix(before.size());
    return message.substr(0, message.rfind(after));
  }
  constexpr std::string_view failed = "Failed\n";
  if (message.substr(0, failed.size()) == failed) message.remove_prefix(failed.size());
  return message;
}

std::string where(const Failure& failure) {
  if (failure.file.empty()) return std::string(subject.file);
  const std::string place = fmt::format("{}:{}", shown_path(failure.file), failure.line);
  const std::string source = source_line(failure.file, failure.line);
  return source.empty() ? place : fmt::format("{}   {}", place, source);
}

/// `text` behind `label`, further lines below its beginning.
std::string hanging(std::string_view label, std::string_view text) {
  std::string block = wrap(text, 2 + label.size());
  return block.replace(2, label.size(), label);
}

void print(const std::string& text) {
  std::fputs((text + "\n").c_str(), stdout);
  std::fflush(stdout);
}

}  // namespace

void Listener::OnTestIterationStart(const testing::UnitTest&, int iteration) {
  if (schedules_ > 0) schedule(static_cast<std::uint64_t>(iteration) + 1);
}

void Listener::OnTestPartResult(const testing::TestPartResult& result) {
  if (!result.failed()) return;
  if (const Failure* failure = FailureInFlight::current()) {
    failures_.push_back(*failure);
  } else {
    failures_.push_back({.file = result.file_name() == nullptr ? "" : result.file_name(),
                         .line = static_cast<std::uint32_t>(std::max(result.line_number(), 0)),
                         .text = std::string(bare(result.message()))});
  }
}

void Listener::OnTestEnd(const testing::TestInfo& test) {
  const testing::TestResult& result = *test.result();
  const std::string kind = words_of(test.test_suite_name());
  if (result.Skipped()) {
    const std::string why(bare(result.GetTestPartResult(result.total_part_count() - 1).message()));
    if (why.find(not_tried) != std::string::npos) {
      ++not_tried_;
    } else {
      skipped_[kind] = why.substr(why.rfind('\n') + 1);
    }
    return;
  }
  if (result.Passed()) {
    auto count = std::find_if(passed_.begin(), passed_.end(), [&](const auto& known) { return known.first == kind; });
    if (count == passed_.end()) count = passed_.insert(count, {kind, 0});
    ++count->second;
    return;
  }

  const std::vector<Failure> failures = std::exchange(failures_, {});
  const auto cause = std::find_if(failures.begin(), failures.end(), [](const Failure& f) { return f.is_cause; });
  const Failure& telling = cause == failures.end() ? failures.front() : *cause;
  const std::string claim = telling.claim.empty() ? claim_of(test) : telling.claim;
  if (shown_) {
    if (also_.insert(claim).second) print("  also fails: " + claim);
    return;
  }
  shown_ = true;
  also_.insert(claim);
  next_ = telling.next;
  const std::string title = fmt::format("{}  {}", subject.test, claim);
  print(fmt::format("{:<72} [{}]", title, device_name()));
  print("  " + where(telling));
  print(wrap(telling.text, 2));
  if (!telling.claim.empty()) print(wrap("seen by: " + claim_of(test), 2));
  // What is not a cause is a consequence, or another number of the same claim. One line of the source is told once.
  std::set<std::string> told = {claim + where(telling)};
  for (const Failure& other : failures) {
    if (!other.is_cause || !told.insert(other.claim + where(other)).second) continue;
    print(fmt::format("  also {}: {}", other.claim, where(other)));
  }
}

void Listener::OnTestProgramEnd(const testing::UnitTest& program) {
  if (schedules_ > 0) schedule(std::nullopt);
  if (shown_) {
    if (not_tried_ != 0) print(fmt::format("  not tried until that holds: {}", so_many(not_tried_, "more claim")));
    std::string next = next_;
    if (!subject.exercise.empty()) {
      next += fmt::format("{}./lab hint {}", next.empty() ? "" : "\n", subject.exercise);
    }
    if (!next.empty()) print(hanging("next: ", next));
    return;
  }
  if (program.Failed()) {
    print(fmt::format("{}  failed outside every test", subject.test));
    return;
  }
  std::string counts;
  for (const auto& [kind, count] : passed_) counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", count, kind);
  const std::string device =
      schedules_ > 0 ? fmt::format("{}, {} schedules", device_name(), schedules_) : device_name();
  print(fmt::format("{:<72} [{}]", fmt::format("{}  passed: {}", subject.test, counts), device));
  for (const auto& [kind, why] : skipped_) print(wrap(fmt::format("{}: skipped, {}", kind, why), 2));
}

}  // namespace warpwright
