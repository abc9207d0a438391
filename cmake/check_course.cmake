# Checks that every exercise is whole:
#
#   - stub and solution are the same text outside their marked regions. A region begins at a line "// TODO" in the stub,
#     "// SOLUTION" in the solution, and ends at a line "// END"; the stub's line "// fails now:" and the empty one
#     before it do not count;
#   - the stub says what fails now; the hints have their three tiers and the explanation, none of them empty;
#   - there are at least three wrong kernels, which declare their diagnosis, and two right ones;
#   - no file of a chapter belongs to no exercise, and the chapter's links lead to its exercises and solutions.
#
# An exercise that somebody works on is judged as it was committed.
#
#   cmake -D COURSE=course.json -P check_course.cmake, in the repository
cmake_minimum_required(VERSION 3.25)

set(mistakes 0)
function(complain text)
  message(NOTICE "${text}")
  math(EXPR mistakes "${mistakes} + 1")
  set(mistakes ${mistakes} PARENT_SCOPE)
endfunction()

# Sets `result` to the text of a stub: the committed one if the file has been edited since.
function(stub_text result stub)
  execute_process(
    COMMAND git diff --quiet HEAD -- "${stub}"
    RESULT_VARIABLE edited
    OUTPUT_QUIET
    ERROR_QUIET
  )
  if(edited STREQUAL "1")
    message(NOTICE "${stub} has been edited, and is judged as it was committed")
    execute_process(COMMAND git show "HEAD:./${stub}" OUTPUT_VARIABLE text)
  else()
    file(READ "${stub}" text)
  endif()
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# Sets `result` to what lies outside the regions of the variable `text`, `regions` to their number.
macro(outside_regions file begin result regions)
  string(REGEX REPLACE "//\n// fails now:[^\n]*\n" "" rest "${text}")
  set(${result} "")
  set(${regions} 0)
  while(TRUE)
    string(FIND "${rest}" "// ${begin}" at)
    if(at EQUAL -1)
      break()
    endif()
    string(SUBSTRING "${rest}" 0 ${at} outside)
    string(APPEND ${result} "${outside}(region)")
    string(SUBSTRING "${rest}" ${at} -1 rest)
    string(FIND "${rest}" "// END\n" at)
    if(at EQUAL -1)
      complain("${file}: a region that begins with \"// ${begin}\" has no line \"// END\"")
      break()
    endif()
    string(SUBSTRING "${rest}" ${at} -1 rest)
    math(EXPR ${regions} "${${regions}} + 1")
  endwhile()
  string(APPEND ${result} "${rest}")
endmacro()

macro(check_stub stub solution)
  stub_text(text "${stub}")
  if(NOT text MATCHES "\n//\n// fails now: [^\n]+\n")
    complain("${stub}: no line \"// fails now: words of the diagnosis\" after an empty comment line")
  endif()
  outside_regions("${stub}" "TODO" stub_outside stub_regions)
  file(READ "${solution}" text)
  outside_regions("${solution}" "SOLUTION" solution_outside solution_regions)
  if(stub_regions EQUAL 0)
    complain("${stub}: no region \"// TODO\" to \"// END\"")
  endif()
  if(NOT stub_regions EQUAL solution_regions)
    complain("${stub} has ${stub_regions} regions, ${solution} ${solution_regions}")
  elseif(NOT stub_outside STREQUAL solution_outside)
    complain("${stub} and ${solution} differ outside their regions")
  endif()
endmacro()

macro(check_hints file)
  file(READ "${file}" text)
  if(
    NOT
      text MATCHES "\n## Idea\n.*[^\n].*\n## Where to look\n.*[^\n].*\n## Pseudocode\n.*[^\n].*\n## Afterwards\n.*[^\n]"
  )
    complain("${file}: needs \"## Idea\", \"## Where to look\", \"## Pseudocode\" and \"## Afterwards\", in this order"
    )
  endif()
endmacro()

macro(check_kernels folder short kind least)
  file(GLOB kernels RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}" "${folder}/${kind}/${short}.*.cu")
  list(LENGTH kernels count)
  if(count LESS ${least})
    complain("${folder}/${kind}: ${count} kernels for ${short}, at least ${least} are needed")
  endif()
  if("${kind}" STREQUAL "wrong")
    foreach(kernel IN LISTS kernels)
      file(READ "${kernel}" text)
      if(NOT text MATCHES "^// wrong: [^\n]+; rejected by: [^\n]+\n")
        complain("${kernel}: its first line must be \"// wrong: what is wrong; rejected by: words of the diagnosis\"")
      endif()
    endforeach()
  endif()
endmacro()

file(READ "${COURSE}" course)
set(exercise_count 0)
string(JSON chapter_count LENGTH "${course}" chapters)
math(EXPR last_chapter "${chapter_count} - 1")
foreach(c RANGE ${last_chapter})
  string(JSON folder GET "${course}" chapters ${c} folder)
  string(JSON chapter GET "${course}" chapters ${c} name)
  cmake_path(GET folder FILENAME name)
  foreach(tree IN ITEMS exercises solutions)
    file(REAL_PATH "${folder}/${tree}" leads_to)
    file(REAL_PATH "${tree}/${name}" expected)
    if(NOT leads_to STREQUAL expected)
      complain("${folder}/${tree} must be a link to ../../${tree}/${name}")
    endif()
  endforeach()

  set(shorts "")
  string(JSON count LENGTH "${course}" chapters ${c} exercises)
  math(EXPR last "${count} - 1")
  foreach(e RANGE ${last})
    string(
      JSON short
      GET "${course}"
      chapters
      ${c}
      exercises
      ${e}
      short
    )
    list(APPEND shorts ${short})
    math(EXPR exercise_count "${exercise_count} + 1")
    check_stub("exercises/${name}/${short}.cu" "solutions/${name}/${short}.cu")
    check_hints("${folder}/hints/${short}.md")
    check_kernels("${folder}" ${short} wrong 3)
    check_kernels("${folder}" ${short} right 2)
  endforeach()

  list(JOIN shorts "|" any)
  file(
    GLOB files
    RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}"
    "exercises/${name}/*"
    "solutions/${name}/*"
    "${folder}/hints/*"
    "${folder}/right/*"
    "${folder}/wrong/*"
    "${folder}/tests/*.cpp"
  )
  foreach(file IN LISTS files)
    if(NOT file MATCHES "/tests/solutions\\.cpp$" AND NOT file MATCHES "/(${any})(\\.[a-z0-9_]+)?\\.(cu|md|cpp)$")
      complain("${file} belongs to no exercise of ${chapter}")
    endif()
  endforeach()
endforeach()

if(mistakes GREATER 0)
  message(FATAL_ERROR "${mistakes} of the complaints above are to be mended")
endif()
message(NOTICE "${exercise_count} exercises are whole")
