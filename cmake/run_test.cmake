# What CTest runs for an exercise: builds one program and runs it, so that `ctest` alone sees what was edited.
#
#   cmake -D TEST= -D EXERCISE= -D KIND= -D TARGET= -D PROGRAM= -D KERNEL= -D BUILD= [-D COUNTED=] -P run_test.cmake
#
# On a GPU a program cannot read counters and skips its contracts. There COUNTED is the sim preset's build folder, whose
# program of the same name tries them on the simulated GPU: a kernel is right on the device and fast for a reason.
#
# KIND says what is expected: exercise, solution and right programs pass; wrong ones, and the stub, fail as their
# source declares. To fail means to end with status 1, having said why: a crash, a signal or a timeout is no verdict.
# With WARPWRIGHT_SCHEDULES=N in the environment a program tries its claims under N schedules; one that must fail is run
# once under each, because it has to fail as declared under each. The working directory is the repository.
cmake_minimum_required(VERSION 3.25)

cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH repository)
set(shown_kernel "${KERNEL}")
cmake_path(IS_PREFIX repository "${KERNEL}" inside)
if(inside)
  cmake_path(RELATIVE_PATH shown_kernel BASE_DIRECTORY "${repository}")
endif()

# A stub proves something only as long as it is one: says whether, and why not, it is to be skipped.
function(skip_stub result)
  set(${result} FALSE PARENT_SCOPE)
  if(NOT KIND STREQUAL "stub")
    return()
  endif()
  execute_process(
    COMMAND git diff --quiet HEAD -- "${KERNEL}"
    RESULT_VARIABLE edited
    OUTPUT_QUIET
    ERROR_QUIET
  )
  if(edited STREQUAL "1")
    message(NOTICE "skipped: ${shown_kernel} has been edited")
    set(${result} TRUE PARENT_SCOPE)
  elseif(NOT edited STREQUAL "0")
    message(NOTICE "skipped: without git's history nobody can tell whether ${shown_kernel} has been edited")
    set(${result} TRUE PARENT_SCOPE)
  endif()
endfunction()

# Builds the program in a build folder, or says why not: the compiler's text first, then what next.
function(build folder result)
  set(${result} FALSE PARENT_SCOPE)
  # Ninja damages its own log if two builds run at once, so every build holds the folder's lock.
  file(LOCK "${folder}/build.lock" GUARD FUNCTION TIMEOUT 1700 RESULT_VARIABLE busy)
  if(busy)
    message(
      NOTICE
      "${TEST}  was not built: another build holds ${folder}/build.lock (${busy})\n"
      "  next: wait for it to end, and run this test again"
    )
    return()
  endif()
  execute_process(
    COMMAND "${CMAKE_COMMAND}" --build "${folder}" --target ${TARGET}
    OUTPUT_VARIABLE log
    ERROR_VARIABLE log
    RESULT_VARIABLE status
  )
  if(status EQUAL 0)
    set(${result} TRUE PARENT_SCOPE)
    return()
  endif()

  # What Ninja says of itself goes; what compilers and linkers say stays.
  set(text "\n${log}")
  string(REGEX REPLACE "\nFAILED: [^\n]*\n[^\n]*" "" text "${text}")
  string(REGEX REPLACE "\n\\[[0-9]+/[0-9]+\\][^\n]*" "" text "${text}")
  string(REGEX REPLACE "\n-- [^\n]*" "" text "${text}")
  string(REGEX REPLACE "\nninja: (build stopped|Entering)[^\n]*" "" text "${text}")
  string(REPLACE "${repository}/" "" text "${text}")
  string(STRIP "${text}" text)
  message(NOTICE "${text}")

  if(log MATCHES "FAILED: [^\n]*/${TARGET}\\.kernel\\.dir/")
    set(place "${shown_kernel}")
    if(text MATCHES "([^\n ()]+)\\(([0-9]+)\\): error")
      set(place "${CMAKE_MATCH_1}:${CMAKE_MATCH_2}")
    endif()
    message(NOTICE "${TEST}  does not compile\n  next: mend ${place}, save, and run this test again")
  elseif(log MATCHES "FAILED: [^\n]*bin/${TARGET}[ \n]")
    message(
      NOTICE
      "${TEST}  does not link: ${shown_kernel} lacks what the test calls\n"
      "  next: define the function as the chapter's header declares it, with its namespace and arguments"
    )
  else()
    message(
      NOTICE
      "${TEST}  was not built, and ${shown_kernel} is not to blame: the message above names what is\n"
      "  next: ./lab doctor"
    )
  endif()
endfunction()

# Sets `result` to the words of the diagnosis that the kernel's source declares.
function(declared_words result)
  set(tag "rejected by:")
  if(KIND STREQUAL "stub")
    set(tag "fails now:")
  endif()
  file(READ "${KERNEL}" text)
  string(FIND "${text}" "${tag}" at)
  set(words "")
  if(NOT at EQUAL -1)
    string(LENGTH "${tag}" length)
    math(EXPR at "${at} + ${length}")
    string(SUBSTRING "${text}" ${at} -1 text)
    string(FIND "${text}" "\n" end)
    string(SUBSTRING "${text}" 0 ${end} words)
    string(STRIP "${words}" words)
  endif()
  set(${result} "${words}" PARENT_SCOPE)
endfunction()

# Runs a program, shows its output and adds it to `output`; sets `status`.
macro(execute)
  set(seconds 300) # an endless kernel is stopped much earlier, by the simulator
  if(DEFINED ENV{WARPWRIGHT_RUN_SECONDS})
    set(seconds "$ENV{WARPWRIGHT_RUN_SECONDS}")
  endif()
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE shown ERROR_VARIABLE shown RESULT_VARIABLE status TIMEOUT ${seconds})
  string(REGEX REPLACE "\n$" "" shown "${shown}")
  message(NOTICE "${shown}")
  string(APPEND output "${shown}\n")
endmacro()

# Sets `result` if the simulated GPU can judge what is tested here, or says why not.
function(can_be_counted result)
  set(${result} FALSE PARENT_SCOPE)
  set(next "./lab setup, which makes the simulated GPU ready to count")
  if(EXISTS "${COUNTED}/build.ninja")
    file(STRINGS "${BUILD}/CMakeCache.txt" here REGEX "^WARPWRIGHT_EXERCISES:")
    file(STRINGS "${COUNTED}/CMakeCache.txt" there REGEX "^WARPWRIGHT_EXERCISES:")
    if(here STREQUAL there)
      set(${result} TRUE PARENT_SCOPE)
      return()
    endif()
    set(next "give the sim preset the same -DWARPWRIGHT_EXERCISES=, or name its build folder: -DWARPWRIGHT_COUNTED=")
  endif()
  message(NOTICE "${TEST}  contract: not tried, for ${COUNTED} does not count for these exercises\n  next: ${next}")
endfunction()

# Runs the program, and what counts for it, and compares with what is expected.
function(run result)
  set(${result} FALSE PARENT_SCOPE)
  set(output "")
  execute("${PROGRAM}")
  if(COUNTED AND status EQUAL 0 AND output MATCHES "contract: skipped")
    can_be_counted(countable)
    if(NOT countable)
      return()
    endif()
    build("${COUNTED}" built)
    if(NOT built)
      return()
    endif()
    execute("${COUNTED}/bin/${TARGET}" --gtest_filter=Contract.*)
  endif()

  if(status MATCHES "timeout")
    message(
      NOTICE
      "${TEST}  did not end within ${seconds} s\n"
      "  next: look for a loop on the host that does not end; the simulator stops endless kernels by itself"
    )
  elseif(NOT status MATCHES "^[01]$")
    set(next "look at what runs on the host; a kernel cannot end the program")
    if(output MATCHES "(^|\n)warpwright: ")
      set(next "mend what the line says that begins with \"warpwright:\"; it is what host code did last")
    endif()
    message(NOTICE "${TEST}  ended without a verdict: ${status}\n  next: ${next}")
  elseif(NOT KIND MATCHES "^(wrong|stub)$")
    if(status EQUAL 0)
      set(${result} TRUE PARENT_SCOPE)
    endif()
  else()
    declared_words(words)
    string(FIND "${output}" "${words}" found)
    if(words STREQUAL "")
      message(NOTICE "${TEST}  cannot be judged: ${shown_kernel} does not declare why it fails")
    elseif(status EQUAL 0)
      message(
        NOTICE
        "${TEST}  passed, but must be rejected: ${words}\n"
        "  next: find the claim that tells it from a right kernel, and test it"
      )
    elseif(found EQUAL -1)
      message(NOTICE "${TEST}  was rejected, but not as ${shown_kernel} declares: ${words}")
    else()
      message(NOTICE "${TEST}  is rejected as declared: ${words}")
      set(${result} TRUE PARENT_SCOPE)
    endif()
  endif()
endfunction()

# The same under every schedule that is wished for.
function(run_under_schedules result)
  set(count "$ENV{WARPWRIGHT_SCHEDULES}")
  if(NOT KIND MATCHES "^(wrong|stub)$" OR NOT count GREATER 0)
    run(passed)
    set(${result} ${passed} PARENT_SCOPE)
    return()
  endif()
  unset(ENV{WARPWRIGHT_SCHEDULES})
  foreach(seed RANGE 1 ${count})
    set(ENV{WARPWRIGHT_SCHEDULE} ${seed})
    run(passed)
    if(NOT passed)
      message(NOTICE "${TEST}  not as declared under schedule ${seed}")
      break()
    endif()
  endforeach()
  set(${result} ${passed} PARENT_SCOPE)
endfunction()

skip_stub(skipped)
if(skipped)
  return()
endif()
build("${BUILD}" passed)
if(passed)
  run_under_schedules(passed)
endif()
if(NOT passed)
  # All that is worth reading has been printed. CMake 3.29 can fail without a word; before, these lines are the price.
  if(CMAKE_VERSION VERSION_GREATER_EQUAL 3.29)
    cmake_language(EXIT 1)
  endif()
  message(FATAL_ERROR " ${TEST} failed")
endif()
