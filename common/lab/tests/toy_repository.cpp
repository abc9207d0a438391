#include "toy_repository.h"

#include <fmt/core.h>

#include "files.h"

namespace warpwright::lab {
namespace {

constexpr const char* build_file = R"(cmake_minimum_required(VERSION 3.25)
project(toy LANGUAGES NONE)
set(WARPWRIGHT_DEVICE sim CACHE STRING "")
set(WARPWRIGHT_EXERCISES "${CMAKE_SOURCE_DIR}/exercises" CACHE PATH "")
if(WARPWRIGHT_DEVICE STREQUAL "gpu")
  set(WARPWRIGHT_COUNTED "${CMAKE_SOURCE_DIR}/build/sim")
endif()
enable_testing()
add_custom_target(proofs)
add_custom_target(benchmarks)
add_custom_target(simulated_libraries)
function(program name exercise kind file)
  set(program "${CMAKE_BINARY_DIR}/bin/${name}")
  set(compile sh "${CMAKE_SOURCE_DIR}/compile")
  add_custom_command(OUTPUT "${program}"
    COMMAND ${compile} "${CMAKE_SOURCE_DIR}/${file}" "${program}" ${name} ${WARPWRIGHT_DEVICE}
    DEPENDS "${CMAKE_SOURCE_DIR}/${file}" VERBATIM)
  add_custom_target(${name} DEPENDS "${program}")
  add_test(NAME ${name} COMMAND "${CMAKE_COMMAND}" -D TEST=${name} -D EXERCISE=${exercise} -D KIND=${kind}
    -D TARGET=${name} -D "PROGRAM=${program}" -D "KERNEL=${CMAKE_SOURCE_DIR}/${file}" -D "BUILD=${CMAKE_BINARY_DIR}"
    -D "COUNTED=${WARPWRIGHT_COUNTED}" -P "${CMAKE_SOURCE_DIR}/cmake/run_test.cmake"
    WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}")
  set_tests_properties(${name} PROPERTIES LABELS ${kind})
endfunction()
foreach(short a b)
  program(toy.${short} toy.${short} exercise exercises/01-toy/${short}.cu)
  program(solution.toy.${short} toy.${short} solution solutions/01-toy/${short}.cu)
  add_custom_target(all.toy.${short} ALL DEPENDS toy.${short})
  add_dependencies(proofs solution.toy.${short})
  set(bench bench.toy.${short})
  add_custom_target(${bench} COMMAND sh "${CMAKE_SOURCE_DIR}/compile" --bench "${CMAKE_BINARY_DIR}/bin/${bench}")
endforeach()
)";

constexpr const char* presets = R"({"version": 6, "configurePresets": [
  {"name": "sim", "generator": "Ninja", "binaryDir": "${sourceDir}/build/sim"},
  {"name": "gpu", "generator": "Ninja", "binaryDir": "${sourceDir}/build/gpu",
   "cacheVariables": {"WARPWRIGHT_DEVICE": "gpu"}}], "testPresets": [
  {"name": "check", "configurePreset": "sim", "filter": {"exclude": {"label": "^exercise$"}},
   "output": {"outputOnFailure": true}}]}
)";

constexpr const char* compile = R"sh(mkdir -p "$(dirname "$2")"
if [ "$1" = --bench ]; then
  cat >"$2" <<'END'
#!/bin/sh
echo "arguments: $*" >&2
cat counters.json
END
else
  if grep -q broken "$1"; then echo "$1(1): error: broken"; exit 1; fi
  if grep -q slow "$1"; then echo "$$" >slow.pid; sleep 60; fi
  cat >"$2" <<END
#!/bin/sh
if [ $4 = gpu ] && grep -q result "$1"; then echo "  contract: skipped, nobody counts"; exit; fi
grep -q right "$1" && exit
echo "$3  contract: it says right"
echo "  next: ./lab hint $3"
exit 1
END
fi
chmod +x "$2"
)sh";

constexpr const char* course = R"({"chapters": [
  {"name": "toy", "folder": "chapters/01-toy", "title": "Toys", "after": "", "exercises": [
    {"name": "toy.a", "short": "a", "title": "the first", "file": "exercises/01-toy/a.cu",
     "solution": "solutions/01-toy/a.cu", "hints": "chapters/01-toy/hints/a.md",
     "test": "chapters/01-toy/tests/a.cpp"},
    {"name": "toy.b", "short": "b", "title": "the second", "file": "exercises/01-toy/b.cu",
     "solution": "solutions/01-toy/b.cu", "hints": "chapters/01-toy/hints/b.md",
     "test": "chapters/01-toy/tests/b.cpp"}]}]}
)";

}  // namespace

ToyRepository::ToyRepository() {
  const std::filesystem::path real = WARPWRIGHT_REPOSITORY;
  for (const char* script : {"cmake/run_test.cmake", "cmake/toolkit/locked.cmake"}) {
    write_file(scratch_ / script, read_file(real / script));
  }
  write_file(scratch_ / "CMakeLists.txt", build_file);
  write_file(scratch_ / "CMakePresets.json", presets);
  write_file(scratch_ / "compile", compile);
  write_file(scratch_ / "counters.json", R"({"device": "toy GPU", "launches": [], "diagnoses": []})"
                                         "\n");
  for (const std::string one : {"a", "b"}) {
    write_file(scratch_ / ("exercises/01-toy/" + one + ".cu"), "// TODO\n");
    write_file(scratch_ / ("solutions/01-toy/" + one + ".cu"), "// the right answer\n");
    write_file(scratch_ / ("chapters/01-toy/tests/" + one + ".cpp"), "// the test of " + one + "\n");
    write_file(scratch_ / ("chapters/01-toy/hints/" + one + ".md"),
               "# toy." + one +
                   ": x\n\n## Idea\n\nSay it.\n\n## Where to look\n\nLine 1.\n\n## Pseudocode\n\n    right\n\n"
                   "## Afterwards\n\nThat was easy.\n");
  }
  const Outcome configured = run({{"cmake", "--preset", "sim"}, scratch_.folder()});
  if (configured.exit_status != 0) throw std::runtime_error(configured.output);
  write_file(scratch_ / "build/sim/course.json", course);
}

void ToyRepository::install_silent_linters() {
  write_file(scratch_ / "cmake/linters.txt", "# none\n");
  const Outcome python = run({{"python3", "--version"}, scratch_.folder()});
  write_file(scratch_ / ".lab/lint/stamp", fingerprint("# none\n" + python.output) + "\n");
  for (const char* program : {"clang_format/data/bin/clang-format", "bin/rumdl", "bin/ruff", "bin/shellcheck"}) {
    const std::filesystem::path file = scratch_ / (std::string(".lab/lint/") + program);
    write_file(file, "#!/bin/sh\n");
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  }
  for (const char* module :
       {".lab/lint/codespell_lib/__main__.py", ".lab/lint/gersemi/__main__.py", "common/lab/mutants/mutants.py"}) {
    write_file(scratch_ / module, "");
  }
}

void ToyRepository::edit(const std::string& exercise, const std::string& text) {
  write_file(scratch_ / ("exercises/01-toy/" + exercise + ".cu"), text);
}

std::string ToyRepository::text(const std::string& file) const { return read_file(scratch_ / file); }

Command ToyRepository::lab(const std::vector<std::string>& arguments) const {
  Command command{{LAB}, scratch_.folder(), {{"WARPWRIGHT_ROOT", scratch_.folder().string()}}, true};
  command.arguments.insert(command.arguments.end(), arguments.begin(), arguments.end());
  return command;
}

}  // namespace warpwright::lab
