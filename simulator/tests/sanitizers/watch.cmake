# Builds test programs with a preset of a sanitizer and runs them:
#   cmake -D PRESET=tsan -D "PROGRAMS=cudart_test machine_test" -P watch.cmake
# A sanitizer ends a program that it has something to say of with a status other than 0.
cmake_minimum_required(VERSION 3.25)
include(ProcessorCount)

cmake_path(SET root NORMALIZE "${CMAKE_CURRENT_LIST_DIR}/../../..")
set(build "${root}/build/${PRESET}")
separate_arguments(programs UNIX_COMMAND "${PROGRAMS}")
ProcessorCount(processors)

# Says nothing of a step that succeeds.
function(step)
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -P "${root}/cmake/toolkit/locked.cmake" -- "${build}" ${ARGN}
    WORKING_DIRECTORY "${root}"
    RESULT_VARIABLE status
    OUTPUT_VARIABLE output
    ERROR_VARIABLE output
  )
  if(NOT status EQUAL 0)
    message(NOTICE "${output}")
    message(FATAL_ERROR "${PRESET} does not build")
  endif()
endfunction()

step("${CMAKE_COMMAND}" --preset ${PRESET})
step("${CMAKE_COMMAND}" --build "${build}" --target ${programs} --parallel ${processors})
foreach(program IN LISTS programs)
  execute_process(COMMAND "${build}/bin/${program}" --gtest_brief=1 RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${program}: ${status}")
  endif()
endforeach()
