#include "state.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "files.h"
#include "problem.h"

namespace warpwright::lab {
namespace {

namespace fs = std::filesystem;

/// Enough to go back to a few older tries of an exercise without testing them again.
constexpr std::size_t verdicts_kept = 16;

/// Held while the file is read, changed and written; without it (a read-only folder) there is nothing to protect.
class Lock {
 public:
  explicit Lock(const fs::path& file) : descriptor_(open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
    if (descriptor_ >= 0) flock(descriptor_, LOCK_EX);
  }
  ~Lock() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  int descriptor_;
};

}  // namespace

State::Memories State::parse(std::string_view text) {
  Memories memories;
  const auto document = nlohmann::json::parse(text);
  for (const auto& [name, entry] : document.at("exercises").items()) {
    Memory& memory = memories[name];
    memory.hints = std::clamp(entry.value("hints", 0), 0, 3);
    for (const auto& judged : entry.value("verdicts", nlohmann::json::array())) {
      memory.verdicts.push_back({judged.at("text"), judged.at("passed")});
    }
  }
  return memories;
}

std::string State::print(const Memories& memories) {
  nlohmann::json document;
  document["format"] = 1;
  auto& exercises = document["exercises"] = nlohmann::json::object();
  for (const auto& [name, memory] : memories) {
    auto& entry = exercises[name];
    entry["hints"] = memory.hints;
    auto& verdicts = entry["verdicts"] = nlohmann::json::array();
    for (const Judged& judged : memory.verdicts) verdicts.push_back({{"text", judged.text}, {"passed", judged.passed}});
  }
  return document.dump(1) + "\n";
}

State::State(fs::path file, std::function<void(const std::string&)> complain)
    : file_(std::move(file)), complain_(std::move(complain)) {
  load();
}

void State::complain(const std::string& what) {
  if (!complained_) complain_(what);
  complained_ = true;
}

void State::load() {
  std::error_code error;
  if (!fs::exists(file_, error) && !error) {
    memories_.clear();
    return;
  }
  try {
    memories_ = parse(read_file(file_));
  } catch (const Problem& problem) {
    complain(fmt::format("{}; hints and verdicts of earlier runs are not known in this one", problem.what()));
  } catch (const nlohmann::json::exception&) {
    memories_.clear();
    fs::path aside = file_;
    aside += ".damaged";
    fs::rename(file_, aside, error);
    complain(fmt::format(
        "{} is damaged and {}; hints and verdicts of earlier runs are forgotten", file_.string(),
        error ? "cannot be moved aside (" + error.message() + ")" : "was moved to " + aside.filename().string()));
  }
}

void State::change(const std::function<void(Memories&)>& edit) {
  std::error_code error;
  fs::create_directories(file_.parent_path(), error);
  const Lock lock(file_.parent_path() / "state.lock");
  if (kept_) load();  // else this process alone knows what happened
  edit(memories_);
  try {
    write_file(file_, print(memories_));
  } catch (const Problem& problem) {
    kept_ = false;
    complain(fmt::format("{}; what happens now will not be remembered", problem.what()));
  }
}

int State::hints_shown(const std::string& exercise) const {
  const auto found = memories_.find(exercise);
  return found == memories_.end() ? 0 : found->second.hints;
}

void State::remember_hints(const std::string& exercise, int tiers) {
  change([&](Memories& memories) { memories[exercise].hints = tiers; });
}

std::optional<bool> State::verdict(const std::string& exercise, const std::string& text) const {
  const auto found = memories_.find(exercise);
  if (found == memories_.end()) return std::nullopt;
  for (const Judged& judged : found->second.verdicts) {
    if (judged.text == text) return judged.passed;
  }
  return std::nullopt;
}

void State::remember_verdict(const std::string& exercise, const std::string& text, bool passed) {
  if (verdict(exercise, text) == passed) return;
  change([&](Memories& memories) {
    auto& verdicts = memories[exercise].verdicts;
    std::erase_if(verdicts, [&](const Judged& judged) { return judged.text == text; });
    verdicts.push_back({text, passed});
    if (verdicts.size() > verdicts_kept) verdicts.erase(verdicts.begin());
  });
}

}  // namespace warpwright::lab
