# Checks that every exercise is whole:
#
#   - stub and solution are the same text outside their marked regions. A region begins at a line "// TODO" in the stub,
#     "// SOLUTION" in the solution, and ends at a line "// END"; the stub's line "// fails now:" and the empty one
#     before it do not count;
#   - the stub says what fails now; the hints have their three tiers and the explanation, none of them empty;
#   - there are at least three wrong kernels, which declare their diagnosis, and two right ones;
#   - no file of a chapter belongs to no exercise, and the chapter's links lead to its exercises and solutions.
#
#   cmake -D COURSE=course.json -P check_course.cmake, in the repository
cmake_minimum_required(VERSION 3.25)

set(mistakes 0)
function(complain text)
  message(NOTICE "${text}")
  math(EXPR mistakes "${mistakes} + 1")
  set(mistakes ${mistakes} PARENT_SCOPE)
endfunction()

# Sets `result` to the text outside regions, `regions` to their number.
macro(text_outside_regions file begin result regions)
  file(READ "${file}" rest)
  string(REGEX REPLACE "//\n// fails now:[^\n]*\n" "" rest "${rest}")
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

macro(check_same_outside_regions stub solution)
  text_outside_regions("${stub}" "TODO" stub_text stub_regions)
  text_outside_regions("${solution}" "SOLUTION" solution_text solution_regions)
  if(stub_regions EQUAL 0)
    complain("${stub}: no region \"// TODO\" to \"// END\"")
  endif()
  if(NOT stub_regions EQUAL solution_regions)
    complain("${stub} has ${stub_regions} regions, ${solution} ${solution_regions}")
  elseif(NOT stub_text STREQUAL solution_text)
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
    set(stub "exercises/${name}/${short}.cu")
    set(solution "solutions/${name}/${short}.cu")
    # A learner's edits inside a region are what regions are for.
    check_same_outside_regions("${stub}" "${solution}")
    file(READ "${stub}" text)
    if(NOT text MATCHES "\n// fails now: [^\n]+\n")
      complain("${stub}: no line \"// fails now: words of the diagnosis\"")
    endif()
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
