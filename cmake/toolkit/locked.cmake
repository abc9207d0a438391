# Runs a command while holding the lock of a build folder, so that two builds never write there at once:
#   cmake -P locked.cmake -- FOLDER COMMAND...
# Every build of this project takes this lock, the tests' own builds included. CMake's file(LOCK) is used on both sides
# because it does not see locks of the shell's flock.
math(EXPR last "${CMAKE_ARGC} - 1")
set(command)
foreach(i RANGE 5 ${last})
  list(APPEND command "${CMAKE_ARGV${i}}")
endforeach()

file(MAKE_DIRECTORY "${CMAKE_ARGV4}")
file(LOCK "${CMAKE_ARGV4}/build.lock" GUARD PROCESS TIMEOUT 0 RESULT_VARIABLE busy)
if(busy)
  message(STATUS "Waiting for another build in ${CMAKE_ARGV4}")
  file(LOCK "${CMAKE_ARGV4}/build.lock" GUARD PROCESS TIMEOUT 1800 RESULT_VARIABLE busy)
  if(busy)
    message(FATAL_ERROR "Another build has held ${CMAKE_ARGV4}/build.lock for half an hour (${busy})")
  endif()
endif()

execute_process(COMMAND ${command} RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "Stopped with status ${status}")
endif()
