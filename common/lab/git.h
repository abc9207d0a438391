#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace warpwright::lab {

/// What the repository's history knows. Without git, or outside a repository, it knows nothing.
class Git {
 public:
  explicit Git(std::filesystem::path root) : root_(std::move(root)) {}

  /// All files that are tracked or would be, relative to the root.
  std::optional<std::vector<std::string>> files() const;
  /// Files below a folder whose text is not the committed one.
  std::set<std::string> edited(const std::string& folder) const;
  /// A file's text in a commit.
  std::optional<std::string> text(const std::string& commit, const std::string& file) const;
  /// The newest commit that changed a file.
  std::optional<std::string> last_change(const std::string& file) const;

 private:
  std::optional<std::string> ask(std::vector<std::string> words) const;
  std::filesystem::path root_;
};

}  // namespace warpwright::lab
