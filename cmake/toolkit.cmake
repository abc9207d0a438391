# The CUDA compiler of each device. Included before project(), which is where CMake looks for a compiler.
#
# sim: always CUDA 13.0, so that counters are the same everywhere: a compiler's front end decides which PTX a kernel
#      becomes. `./lab setup` finds or fetches it and records it in .lab/toolkit.cmake; without that file an nvcc on the
#      PATH is taken if it is version 13.0.
# gpu: the machine's own toolkit; see gpu.cmake.
if(WARPWRIGHT_DEVICE STREQUAL "gpu")
  include("${CMAKE_CURRENT_LIST_DIR}/gpu.cmake")
  return()
endif()

# The kernels' targets say which PTX they want, and link the simulator's runtime instead of NVIDIA's.
set(CMAKE_CUDA_ARCHITECTURES OFF)
set(CMAKE_CUDA_RUNTIME_LIBRARY None)

# Sets WARPWRIGHT_NVCC, and WARPWRIGHT_CXX: the C++ compiler that it was tried with.
include("${CMAKE_CURRENT_LIST_DIR}/../.lab/toolkit.cmake" OPTIONAL)
if(NOT EXISTS "${WARPWRIGHT_NVCC}")
  find_program(WARPWRIGHT_NVCC_ON_PATH nvcc)
  mark_as_advanced(WARPWRIGHT_NVCC_ON_PATH)
  set(found "there is no nvcc on the PATH")
  if(WARPWRIGHT_NVCC_ON_PATH)
    execute_process(COMMAND "${WARPWRIGHT_NVCC_ON_PATH}" --version OUTPUT_VARIABLE version ERROR_QUIET)
    set(found "${WARPWRIGHT_NVCC_ON_PATH} is another version")
  endif()
  if(NOT version MATCHES "release 13\\.0,")
    message(
      FATAL_ERROR
      "CUDA compiler: the sim preset needs CUDA 13.0, and ${found}. Run\n  ./lab setup\n"
      "which fetches that compiler for this project alone, and then run CMake again."
    )
  endif()
  file(REAL_PATH "${WARPWRIGHT_NVCC_ON_PATH}" WARPWRIGHT_NVCC)
endif()

# Kernels and host code are compiled by one C++ compiler: the user's choice, or the recorded one.
if(NOT CMAKE_CXX_COMPILER AND NOT DEFINED ENV{CXX} AND EXISTS "${WARPWRIGHT_CXX}")
  set(CMAKE_CXX_COMPILER "${WARPWRIGHT_CXX}")
endif()
if(CMAKE_CXX_COMPILER)
  set(CMAKE_CUDA_HOST_COMPILER "${CMAKE_CXX_COMPILER}")
elseif(DEFINED ENV{CXX})
  set(CMAKE_CUDA_HOST_COMPILER "$ENV{CXX}")
endif()

set(CMAKE_CUDA_COMPILER "${WARPWRIGHT_NVCC}")
cmake_path(GET WARPWRIGHT_NVCC PARENT_PATH CUDAToolkit_ROOT)
cmake_path(GET CUDAToolkit_ROOT PARENT_PATH CUDAToolkit_ROOT)
# ./lab reads this to see whether the build folder still fits the toolkit.
set(
  WARPWRIGHT_CONFIGURED_NVCC
  "${WARPWRIGHT_NVCC}"
  CACHE INTERNAL
  "The CUDA compiler that this build folder was configured with"
)
