# chapter(NAME
#   TITLE     "what a reader sees"
#   AFTER     the chapter to do first; left out in the first one
#   EXERCISES a b c ...)
#
# Called by chapters/NN-NAME/CMakeLists.txt. Everything else is found by its name. For the exercise a of chapter NAME:
#
#   exercises/NN-NAME/a.cu                the learner's file (below WARPWRIGHT_EXERCISES)   test NAME.a
#   solutions/NN-NAME/a.cu                our answer                                        test solution.NAME.a
#   chapters/NN-NAME/right/a.STYLE.cu     another right kernel, in another style            test right.NAME.a.STYLE
#   chapters/NN-NAME/wrong/a.MISTAKE.cu   a kernel that the test must reject                test wrong.NAME.a.MISTAKE
#   chapters/NN-NAME/tests/a.cpp          what is claimed of all of them
#   chapters/NN-NAME/tests/solutions.cpp  if there: what is claimed of all answers together test solutions.NAME
#   chapters/NN-NAME/hints/a.md           three hints; its first line, "# NAME.a: title", is the exercise's title
#   chapters/NN-NAME/bench.cpp            the chapter's benchmark: bench.NAME.a and bench.solution.NAME.a
#   chapters/NN-NAME/comparisons/b.cu     kernels that benchmarks and pages compare with:   bench.NAME.b
#
# One more test, stub.NAME.a, asserts that the untouched exercise fails for the reason on its line "// fails now:
# WORDS"; a wrong kernel's first line is "// wrong: what is wrong; rejected by: WORDS". The words must stand in the
# test's output.
#
# bench.NAME has all of a chapter side by side: exercises, solutions (in the namespace solution_of_NAME), comparisons.
#
# Tests are labelled by what they try (exercise, solution, right, wrong, stub) and by chapter. Each builds what it needs
# (see run_test.cmake). The learner's exercises are part of `all`; `proofs` builds what the other tests need and
# `benchmarks` the benchmarks, both worth a `ninja -k 0` where much is to be built.

# What a kernel is compiled to. All else that depends on the device is in common/. The simulator names the lines of the
# host code beside it too: -g1 is line tables and little more.
if(WARPWRIGHT_DEVICE STREQUAL "sim")
  set(kernel_options -lineinfo "SHELL:-Xcompiler -g1" --no-compress "SHELL:-gencode arch=compute_90,code=compute_90")
else()
  set(kernel_options -lineinfo)
endif()

cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH repository)
cmake_path(ABSOLUTE_PATH WARPWRIGHT_EXERCISES NORMALIZE OUTPUT_VARIABLE exercises_folder)
string(REGEX REPLACE "/$" "" exercises_folder "${exercises_folder}")
set_property(GLOBAL PROPERTY warpwright_course "{\"chapters\": []}")
add_custom_target(proofs)
add_custom_target(benchmarks)

function(chapter chapter)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TITLE;AFTER" "EXERCISES")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_TITLE OR NOT arg_EXERCISES)
    message(FATAL_ERROR "chapter(${chapter}) takes TITLE, AFTER and EXERCISES; see cmake/chapter.cmake")
  endif()
  set(here "${CMAKE_CURRENT_SOURCE_DIR}")
  cmake_path(GET here FILENAME folder)

  # Globs, so that a new or vanished file is seen by the next build.
  file(GLOB exercise_files CONFIGURE_DEPENDS "${exercises_folder}/${folder}/*.cu")
  file(GLOB right_files CONFIGURE_DEPENDS "${here}/right/*.cu")
  file(GLOB wrong_files CONFIGURE_DEPENDS "${here}/wrong/*.cu")
  file(GLOB comparison_files CONFIGURE_DEPENDS "${here}/comparisons/*.cu")

  if(EXISTS "${here}/bench.cpp")
    add_library(${chapter}.bench OBJECT EXCLUDE_FROM_ALL "${here}/bench.cpp")
    target_include_directories(${chapter}.bench PRIVATE "${here}")
    target_link_libraries(${chapter}.bench PRIVATE warpwright_bench warpwright_warnings)
  endif()

  set(exercises "[]")
  foreach(short IN LISTS arg_EXERCISES)
    set(exercise "${chapter}.${short}")
    set(stub "${exercises_folder}/${folder}/${short}.cu")
    set(solution "${repository}/solutions/${folder}/${short}.cu")
    set(hints "${here}/hints/${short}.md")
    set(test "${here}/tests/${short}.cpp")
    foreach(needed IN ITEMS "${solution}" "${hints}" "${test}")
      if(NOT EXISTS "${needed}")
        message(FATAL_ERROR "The exercise ${exercise} needs ${needed}")
      endif()
    endforeach()
    if(NOT stub IN_LIST exercise_files) # a submission without this exercise is no reason to stop
      _missing_exercise(stub "${stub}" ${exercise})
    endif()

    add_library(${exercise}.test OBJECT EXCLUDE_FROM_ALL "${test}")
    target_include_directories(${exercise}.test PRIVATE "${here}")
    target_link_libraries(${exercise}.test PRIVATE warpwright_testing warpwright_warnings)
    target_compile_options(${exercise}.test PRIVATE $<$<CONFIG:Release>:-O1>) # it is compiled more often than it runs

    _implementation(${exercise} "${stub}" exercise)
    set_target_properties(${exercise} PROPERTIES EXCLUDE_FROM_ALL OFF)
    _implementation(solution.${exercise} "${solution}" solution)
    foreach(kind IN ITEMS right wrong)
      foreach(file IN LISTS ${kind}_files)
        cmake_path(GET file STEM LAST_ONLY stem)
        if(stem MATCHES "^${short}\\.(.+)$")
          _implementation(${kind}.${chapter}.${stem} "${file}" ${kind})
        endif()
      endforeach()
    endforeach()
    if(exercises_folder STREQUAL "${repository}/exercises")
      _test(stub.${exercise} ${exercise} "${stub}" stub)
    endif()

    if(TARGET ${chapter}.bench)
      _benchmark(bench.${exercise} ${exercise})
      _benchmark(bench.solution.${exercise} solution.${exercise})
    endif()

    _exercise_json(json)
    string(JSON exercises SET "${exercises}" 1000000 "${json}")
  endforeach()

  set(comparisons "[]")
  foreach(kernel IN LISTS comparison_files)
    cmake_path(GET kernel STEM stem)
    set(comparison "${chapter}.${stem}")
    add_library(${comparison}.kernel OBJECT EXCLUDE_FROM_ALL "${kernel}")
    target_include_directories(${comparison}.kernel PRIVATE "${here}")
    target_compile_options(${comparison}.kernel PRIVATE ${kernel_options})
    set(exercise "")
    _benchmark(bench.${comparison} ${comparison})
    string(JSON comparisons SET "${comparisons}" 1000000 "\"${comparison}\"")
  endforeach()

  if(TARGET ${chapter}.bench)
    _side_by_side(bench.${chapter})
  endif()
  if(EXISTS "${here}/tests/solutions.cpp")
    _all_solutions(solutions.${chapter})
  endif()

  set(json "{}")
  _set_json(json name "${chapter}")
  _set_json(json folder "chapters/${folder}")
  _set_json(json title "${arg_TITLE}")
  _set_json(json after "${arg_AFTER}")
  string(JSON json SET "${json}" exercises "${exercises}")
  string(JSON json SET "${json}" comparisons "${comparisons}")
  get_property(course GLOBAL PROPERTY warpwright_course)
  string(JSON course SET "${course}" chapters 1000000 "${json}")
  set_property(GLOBAL PROPERTY warpwright_course "${course}")
endfunction()

# Writes course.json, what ./lab knows of the course, into the build folder. Called after the last chapter.
function(write_course)
  get_property(course GLOBAL PROPERTY warpwright_course)
  file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/course.json" CONTENT "${course}\n" @ONLY)
endfunction()

# One implementation of an exercise: its kernel, compiled by one call of nvcc; the program that links it with the
# exercise's test; and the CTest test of the same name that builds and runs that program.
function(_implementation target kernel kind)
  add_library(${target}.kernel OBJECT EXCLUDE_FROM_ALL "${kernel}")
  target_include_directories(${target}.kernel PRIVATE "${here}")
  target_compile_options(${target}.kernel PRIVATE ${kernel_options})

  _subject(subject ${target} "${kernel}")
  add_executable(${target} EXCLUDE_FROM_ALL "${subject}")
  target_include_directories(${target} PRIVATE "${repository}/common")
  target_link_libraries(${target} PRIVATE ${target}.kernel ${exercise}.test warpwright_testing)
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
  if(NOT kind STREQUAL "exercise")
    add_dependencies(proofs ${target})
  endif()
  _test(${target} ${target} "${kernel}" ${kind})
endfunction()

# The answers of a chapter side by side in one program.
function(_all_solutions target)
  set(exercise "${chapter}")
  set(kernel "${repository}/solutions/${folder}")
  _subject(subject ${target} "${kernel}")
  add_executable(${target} EXCLUDE_FROM_ALL "${subject}" "${here}/tests/solutions.cpp")
  target_include_directories(${target} PRIVATE "${here}")
  target_link_libraries(${target} PRIVATE warpwright_testing warpwright_warnings)
  foreach(short IN LISTS arg_EXERCISES)
    target_link_libraries(${target} PRIVATE solution.${chapter}.${short}.kernel)
  endforeach()
  add_dependencies(proofs ${target})
  _test(${target} ${target} "${kernel}" solution)
endfunction()

function(_benchmark target implementation)
  _subject(subject ${target} "")
  add_executable(${target} EXCLUDE_FROM_ALL "${subject}")
  target_include_directories(${target} PRIVATE "${repository}/common")
  target_link_libraries(${target} PRIVATE ${implementation}.kernel ${chapter}.bench warpwright_bench)
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
  add_dependencies(benchmarks ${target})
endfunction()

# Everything that a chapter's benchmark knows in one program. Exercise and solution define the same functions of the
# chapter's namespace, so the solutions are compiled once more with another name for it.
function(_side_by_side target)
  set(exercise "${chapter}")
  _subject(subject ${target} "")
  add_executable(${target} EXCLUDE_FROM_ALL "${subject}")
  target_include_directories(${target} PRIVATE "${repository}/common")
  target_link_libraries(${target} PRIVATE ${chapter}.bench warpwright_bench)
  foreach(short IN LISTS arg_EXERCISES)
    set(beside bench.${chapter}.${short}.beside)
    add_library(${beside} OBJECT EXCLUDE_FROM_ALL "${repository}/solutions/${folder}/${short}.cu")
    target_include_directories(${beside} PRIVATE "${here}")
    target_compile_definitions(${beside} PRIVATE "${chapter}=solution_of_${chapter}")
    target_compile_options(${beside} PRIVATE ${kernel_options})
    target_link_libraries(${target} PRIVATE ${beside} ${chapter}.${short}.kernel)
  endforeach()
  foreach(kernel IN LISTS comparison_files)
    cmake_path(GET kernel STEM stem)
    target_link_libraries(${target} PRIVATE ${chapter}.${stem}.kernel)
  endforeach()
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
  add_dependencies(benchmarks ${target})
endfunction()

# Tells a program what is linked into it (common/subject.h).
function(_subject result target kernel)
  set(subject "${CMAKE_CURRENT_BINARY_DIR}/subjects/${target}.cpp")
  cmake_path(IS_PREFIX repository "${kernel}" NORMALIZE inside)
  if(inside)
    cmake_path(RELATIVE_PATH kernel BASE_DIRECTORY "${repository}")
  endif()
  file(
    CONFIGURE
    OUTPUT "${subject}"
    CONTENT
      [[
#include "subject.h"

const warpwright::Subject warpwright::subject = {"@target@", "@exercise@", "@kernel@"};
]]
    @ONLY
  )
  set(${result} "${subject}" PARENT_SCOPE)
endfunction()

# The time limit covers a first build; run_test.cmake limits the run itself.
function(_test name target kernel kind)
  add_test(
    NAME ${name}
    COMMAND
      "${CMAKE_COMMAND}" -D TEST=${name} -D EXERCISE=${exercise} -D KIND=${kind} -D TARGET=${target} -D
      "PROGRAM=$<TARGET_FILE:${target}>" -D "KERNEL=${kernel}" -D "BUILD=${CMAKE_BINARY_DIR}" -D
      "COUNTED=${WARPWRIGHT_COUNTED}" -P "${repository}/cmake/run_test.cmake"
    WORKING_DIRECTORY "${repository}"
  )
  set_tests_properties(
    ${name}
    PROPERTIES LABELS "${kind};${chapter}" TIMEOUT 1800 SKIP_REGULAR_EXPRESSION "^skipped: "
  )
endfunction()

# A stand-in for an exercise that is not there: a file that says so when it is compiled.
function(_missing_exercise result file exercise)
  set(stand_in "${CMAKE_CURRENT_BINARY_DIR}/missing/${exercise}.cu")
  file(CONFIGURE OUTPUT "${stand_in}" CONTENT "#error \"${file} does not exist: put ${exercise} there\"\n" @ONLY)
  set(${result} "${stand_in}" PARENT_SCOPE)
endfunction()

# The entry of course.json for the exercise at hand. Paths inside the repository are relative to it.
function(_exercise_json result)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${hints}")
  file(STRINGS "${hints}" title LIMIT_COUNT 1 ENCODING UTF-8)
  if(NOT title MATCHES "^# ${chapter}\\.${short}: (.+)$")
    message(FATAL_ERROR "The first line of ${hints} must be \"# ${exercise}: \" and what the exercise teaches")
  endif()
  set(title "${CMAKE_MATCH_1}")
  set(file "${exercises_folder}/${folder}/${short}.cu")
  set(json "{}")
  _set_json(json name "${exercise}")
  _set_json(json short "${short}")
  _set_json(json title "${title}")
  foreach(path IN ITEMS file solution hints test)
    cmake_path(IS_PREFIX repository "${${path}}" NORMALIZE inside)
    if(inside)
      cmake_path(RELATIVE_PATH ${path} BASE_DIRECTORY "${repository}")
    endif()
    _set_json(json ${path} "${${path}}")
  endforeach()
  set(${result} "${json}" PARENT_SCOPE)
endfunction()

function(_set_json variable key text)
  string(REPLACE "\\" "\\\\" text "${text}")
  string(REPLACE "\"" "\\\"" text "${text}")
  string(JSON json SET "${${variable}}" ${key} "\"${text}\"")
  set(${variable} "${json}" PARENT_SCOPE)
endfunction()
