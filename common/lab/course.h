#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace warpwright::lab {

/// Paths are as the build wrote them: relative to the repository, or absolute for exercises that lie elsewhere.
struct Exercise {
  std::string name;        // "reduce.v1", also the name of its CTest test
  std::string short_name;  // "v1"
  std::string chapter;     // "reduce"
  std::string title;
  std::string file;      // what the learner edits
  std::string solution;  // the reference answer
  std::string hints;     // Markdown with the three tiers and what is said afterwards
  std::string test;      // the test's source
};

struct Chapter {
  std::string name;
  std::string folder;
  std::string title;
  std::string after;  // the chapter to do before; empty for the first
  std::vector<Exercise> exercises;
};

/// What there is to learn, in order. The build writes it (course.json); it is never written by hand.
class Course {
 public:
  /// Throws Problem when the text is not a course.
  static Course parse(std::string_view json);
  static Course read(const std::filesystem::path& file);

  const std::vector<Chapter>& chapters() const { return chapters_; }
  std::vector<const Exercise*> exercises() const;

  /// The exercise of that name, short name (where only one has it) or file. Throws Problem with the nearest name.
  const Exercise& exercise(std::string_view name) const;
  /// The exercise of that name, or all those of the chapter of that name or folder. Throws Problem likewise.
  std::vector<const Exercise*> select(std::string_view name) const;

 private:
  const Exercise* find(std::string_view name) const;
  std::vector<Chapter> chapters_;
};

}  // namespace warpwright::lab
