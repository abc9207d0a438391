#include "git.h"

#include "problem.h"
#include "process.h"

namespace warpwright::lab {
namespace {

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    if (end > 0) parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

}  // namespace

std::optional<std::string> Git::ask(std::vector<std::string> words) const {
  words.insert(words.begin(), "git");
  try {
    Outcome answer = run({std::move(words), root_, {}, true});
    if (answer.exit_status == 0) return std::move(answer.output);
  } catch (const Problem&) {
    // git is not installed.
  }
  return std::nullopt;
}

std::optional<std::vector<std::string>> Git::files() const {
  const auto answer = ask({"ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"});
  if (!answer) return std::nullopt;
  return split(*answer, '\0');
}

std::set<std::string> Git::edited(const std::string& folder) const {
  const auto answer = ask({"diff", "--name-only", "-z", "HEAD", "--", folder});
  if (!answer) return {};
  const auto names = split(*answer, '\0');
  return {names.begin(), names.end()};
}

std::optional<std::string> Git::text(const std::string& commit, const std::string& file) const {
  return ask({"show", commit + ":" + file});
}

std::optional<std::string> Git::last_change(const std::string& file) const {
  auto answer = ask({"log", "-1", "--format=%H", "--", file});
  if (!answer || answer->empty()) return std::nullopt;
  answer->erase(answer->find('\n'));
  return answer;
}

}  // namespace warpwright::lab
