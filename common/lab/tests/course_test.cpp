#include "course.h"

#include <gtest/gtest.h>

#include "problem.h"

namespace warpwright::lab {
namespace {

constexpr const char* two_chapters = R"({"chapters": [
  {"name": "warps", "folder": "chapters/01-warps", "title": "Warps", "after": "", "exercises": [
    {"name": "warps.identify", "short": "identify", "title": "who am I", "file": "exercises/01-warps/identify.cu",
     "solution": "solutions/01-warps/identify.cu", "hints": "chapters/01-warps/hints/identify.md",
     "test": "chapters/01-warps/tests/identify.cpp"},
    {"name": "warps.v0", "short": "v0", "file": "exercises/01-warps/v0.cu", "solution": "solutions/01-warps/v0.cu"}]},
  {"name": "reduce", "folder": "chapters/04-reduce", "title": "Reduce", "after": "warps", "exercises": [
    {"name": "reduce.v0", "short": "v0", "file": "exercises/04-reduce/v0.cu", "solution": "solutions/04-reduce/v0.cu"},
    {"name": "reduce.v1", "short": "v1", "file": "exercises/04-reduce/v1.cu", "solution": "solutions/04-reduce/v1.cu"}]}
]})";

/// What a Problem says and how it is mended, in one line.
std::string problem_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Problem& problem) {
    return std::string(problem.what()) + " | " + problem.mend;
  }
  return "no problem";
}

TEST(Course, KeepsChaptersAndExercisesInTheirOrder) {
  const Course course = Course::parse(two_chapters);
  ASSERT_EQ(course.chapters().size(), 2u);
  EXPECT_EQ(course.chapters()[1].folder, "chapters/04-reduce");
  EXPECT_EQ(course.chapters()[1].after, "warps");
  std::vector<std::string> names;
  for (const Exercise* exercise : course.exercises()) names.push_back(exercise->name);
  EXPECT_EQ(names, (std::vector<std::string>{"warps.identify", "warps.v0", "reduce.v0", "reduce.v1"}));
  EXPECT_EQ(course.exercises()[0]->title, "who am I");
  EXPECT_EQ(course.exercises()[0]->test, "chapters/01-warps/tests/identify.cpp");
  EXPECT_EQ(course.exercises()[2]->chapter, "reduce");
}

TEST(Course, FindsAnExerciseByNameFileOrUniqueShortName) {
  const Course course = Course::parse(two_chapters);
  EXPECT_EQ(course.exercise("reduce.v1").name, "reduce.v1");
  EXPECT_EQ(course.exercise("exercises/04-reduce/v0.cu").name, "reduce.v0");
  EXPECT_EQ(course.exercise("identify").name, "warps.identify");
  EXPECT_EQ(problem_of([&] { course.exercise("v0"); }), "no exercise is called v0 | ./lab list");
}

TEST(Course, SelectsAWholeChapterByNameOrFolder) {
  const Course course = Course::parse(two_chapters);
  EXPECT_EQ(course.select("reduce").size(), 2u);
  EXPECT_EQ(course.select("chapters/04-reduce").size(), 2u);
  EXPECT_EQ(course.select("04-reduce").size(), 2u);
  ASSERT_EQ(course.select("reduce.v1").size(), 1u);
  EXPECT_EQ(course.select("reduce.v1").front()->name, "reduce.v1");
}

TEST(Course, OffersTheNearestName) {
  const Course course = Course::parse(two_chapters);
  EXPECT_EQ(problem_of([&] { course.exercise("reduce.v11"); }),
            "no exercise is called reduce.v11; did you mean reduce.v1? | ./lab list");
  EXPECT_EQ(problem_of([&] { course.select("reduec"); }),
            "no exercise or chapter is called reduec; did you mean reduce? | ./lab list");
  EXPECT_EQ(problem_of([&] { course.select("histogram"); }), "no exercise or chapter is called histogram | ./lab list");
}

TEST(Course, TellsAChapterFromAnExercise) {
  const Course course = Course::parse(two_chapters);
  EXPECT_EQ(problem_of([&] { course.exercise("reduce"); }),
            "reduce is a chapter; this command wants one exercise, for example reduce.v0 | ./lab list");
}

TEST(Course, SaysThatADamagedListIsMendedByConfiguring) {
  for (const char* damaged : {"", "{", "[]", R"({"chapters": [{}]})",
                              R"({"chapters": [{"name": "a", "folder": "b", "exercises": [{"name": "a.b"}]}]})"}) {
    const std::string problem = problem_of([&] { Course::parse(damaged); });
    EXPECT_NE(problem.find("the list of exercises that the build wrote cannot be read"), std::string::npos) << damaged;
    EXPECT_NE(problem.find("| cmake --preset sim"), std::string::npos) << damaged;
  }
}

TEST(Course, SaysThatAMissingListMeansNoConfiguration) {
  EXPECT_EQ(problem_of([] { Course::read("no/such/course.json"); }),
            "no/such/course.json is missing: the project is not configured | ./lab setup");
}

}  // namespace
}  // namespace warpwright::lab
