#include "claims.h"

#include <fmt/core.h>

#include <tuple>
#include <utility>

#include "cuda_error.h"
#include "device.h"
#include "failure.h"
#include "listener.h"
#include "profile.h"
#include "words.h"

namespace warpwright {
namespace {

/// The first kind that has failed; kinds behind it are not tried.
std::optional<Kind> failed_kind;
/// A launch has failed: it would do so again, an endless one after a long time.
bool launch_failed = false;

}  // namespace

void ClaimTest::SetUp() {
  if (launch_failed || (failed_kind && *failed_kind < kind_)) GTEST_SKIP() << not_tried;
  if (kind_ == Kind::contract && !why_no_counters().empty()) GTEST_SKIP() << why_no_counters();
  take_mistakes();
  take_damage();
  take_idle_shared_memory();
  forget_writers();
  watch(Watch::mistakes);
}

void ClaimTest::TearDown() {
  if (IsSkipped()) return;
  try {
    synchronize();
  } catch (const CudaError& error) {
    launch_failed = true;
    if (!HasFatalFailure()) fail({.text = error.what()});  // else it has been thrown already
  }
  for (const observe::Diagnosis& diagnosis : take_mistakes()) fail(failure_of(diagnosis));
  for (const std::string& damage : take_damage()) {
    fail({.claim = "safely: out of bounds", .text = damage, .is_cause = true});
  }
  const auto idle = take_idle_shared_memory();
  if (kind_ == Kind::contract) {
    for (const auto& [kernel, bytes] : idle)
      fail({.claim = "contract: no shared memory lies idle",
            .text = fmt::format("each block of {} is given {} of dynamic shared memory\nexpected 0, because the "
                                "kernel declares no array there, which would be extern __shared__",
                                kernel, so_many(bytes, "byte")),
            .next = "leave the third number between <<< and >>> at 0"});
  }
  if (!reset_errors()) launch_failed = true;
  if (HasFailure() && (!failed_kind || kind_ < *failed_kind)) failed_kind = kind_;
}

void fail(Failure failure) {
  const FailureInFlight in_flight(failure);
  const std::string where = failure.file.empty() ? "" : fmt::format("{}:{}\n", failure.file, failure.line);
  ADD_FAILURE() << where << failure.claim << (failure.claim.empty() ? "" : "\n") << failure.text;
}

Failure failure_of(const observe::Diagnosis& diagnosis) {
  return {.claim = "safely: " + diagnosis.kind,
          .file = diagnosis.file,
          .line = diagnosis.line,
          .text = diagnosis.message,
          .next = diagnosis.hint,
          .is_cause = true};
}

void expect(const std::string& input, const std::optional<std::string>& mismatch) {
  if (!mismatch) return;
  Failure failure = {.text = input + ": " + *mismatch};
  const auto& writers = lines_that_wrote();
  if (writers.size() == 1) std::tie(failure.file, failure.line) = *writers.begin();
  if (writers.size() > 1) {
    failure.text += "\nthe kernel stores at";
    const std::string* last = nullptr;
    for (const auto& [file, line] : writers) {
      const bool same_file = last != nullptr && *last == file;
      failure.text += fmt::format("{} {}:{}", last == nullptr ? "" : ",", same_file ? "" : shown_path(file), line);
      last = &file;
    }
  }
  fail(std::move(failure));
}

}  // namespace warpwright
