#include "course.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "files.h"
#include "nearest.h"
#include "problem.h"

namespace warpwright::lab {
namespace {

Exercise exercise_from(const nlohmann::json& json, const std::string& chapter) {
  Exercise exercise;
  exercise.name = json.at("name");
  exercise.short_name = json.at("short");
  exercise.chapter = chapter;
  exercise.title = json.value("title", "");
  exercise.file = json.at("file");
  exercise.solution = json.at("solution");
  exercise.hints = json.value("hints", "");
  exercise.test = json.value("test", "");
  return exercise;
}

Chapter chapter_from(const nlohmann::json& json) {
  Chapter chapter;
  chapter.name = json.at("name");
  chapter.folder = json.at("folder");
  chapter.title = json.value("title", chapter.name);
  chapter.after = json.value("after", "");
  for (const auto& entry : json.at("exercises")) chapter.exercises.push_back(exercise_from(entry, chapter.name));
  return chapter;
}

}  // namespace

Course Course::parse(std::string_view json) {
  Course course;
  try {
    const auto document = nlohmann::json::parse(json);
    for (const auto& entry : document.at("chapters")) course.chapters_.push_back(chapter_from(entry));
  } catch (const nlohmann::json::exception& error) {
    throw Problem(fmt::format("the list of exercises that the build wrote cannot be read: {}", error.what()),
                  "cmake --preset sim");
  }
  return course;
}

Course Course::read(const std::filesystem::path& file) {
  if (!std::filesystem::exists(file)) {
    throw Problem(fmt::format("{} is missing: the project is not configured", file.string()), "./lab setup");
  }
  return parse(read_file(file));
}

std::vector<const Exercise*> Course::exercises() const {
  std::vector<const Exercise*> all;
  for (const Chapter& chapter : chapters_) {
    for (const Exercise& exercise : chapter.exercises) all.push_back(&exercise);
  }
  return all;
}

const Exercise* Course::find(std::string_view name) const {
  const Exercise* by_short_name = nullptr;
  int of_that_short_name = 0;
  for (const Exercise* exercise : exercises()) {
    if (exercise->name == name || exercise->file == name) return exercise;
    if (exercise->short_name == name) {
      by_short_name = exercise;
      ++of_that_short_name;
    }
  }
  return of_that_short_name == 1 ? by_short_name : nullptr;
}

const Exercise& Course::exercise(std::string_view name) const {
  if (const Exercise* found = find(name)) return *found;
  std::vector<std::string> names;
  for (const Exercise* exercise : exercises()) names.push_back(exercise->name);
  for (const Chapter& chapter : chapters_) {
    if (chapter.name != name && chapter.folder != name) continue;
    if (chapter.exercises.empty()) break;
    throw Problem(fmt::format("{} is a chapter; this command wants one exercise, for example {}", name,
                              chapter.exercises.front().name),
                  "./lab list");
  }
  const std::string near = nearest(name, names);
  throw Problem(near.empty() ? fmt::format("no exercise is called {}", name)
                             : fmt::format("no exercise is called {}; did you mean {}?", name, near),
                "./lab list");
}

std::vector<const Exercise*> Course::select(std::string_view name) const {
  if (const Exercise* found = find(name)) return {found};
  std::vector<std::string> names;
  for (const Chapter& chapter : chapters_) {
    if (chapter.name == name || chapter.folder == name ||
        std::filesystem::path(chapter.folder).filename().string() == name) {
      std::vector<const Exercise*> all;
      for (const Exercise& exercise : chapter.exercises) all.push_back(&exercise);
      return all;
    }
    names.push_back(chapter.name);
    for (const Exercise& exercise : chapter.exercises) names.push_back(exercise.name);
  }
  const std::string near = nearest(name, names);
  throw Problem(near.empty() ? fmt::format("no exercise or chapter is called {}", name)
                             : fmt::format("no exercise or chapter is called {}; did you mean {}?", name, near),
                "./lab list");
}

}  // namespace warpwright::lab
