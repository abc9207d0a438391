# The gpu preset: kernels run on the machine's NVIDIA GPU. Included before project(), which is where CMake looks for a
# compiler.
#
# What is found by itself: the GPU and its driver (by nvidia-smi), a CUDA compiler (the machine's own, otherwise the
# one that `./lab setup` fetched), and from these the architecture to compile for. What stands in the way is said here,
# before anything is compiled. To build for another machine, give -DCMAKE_CUDA_ARCHITECTURES=90 or the like.
function(_gpu_stop what next)
  message(
    FATAL_ERROR
    "gpu preset: ${what}\n${next}\nWithout a GPU everything runs on the simulated one: cmake --preset sim"
  )
endfunction()

# Sets gpu_name, gpu_architecture ("90") and driver_cuda ("13.0"), the newest CUDA that the driver runs.
function(_find_gpu)
  find_program(WARPWRIGHT_NVIDIA_SMI nvidia-smi)
  mark_as_advanced(WARPWRIGHT_NVIDIA_SMI)
  if(NOT WARPWRIGHT_NVIDIA_SMI)
    _gpu_stop("there is no nvidia-smi, so no NVIDIA driver is installed."
              "Install the driver of your GPU (Debian: the package nvidia-driver), then run CMake again."
    )
  endif()
  execute_process(
    COMMAND "${WARPWRIGHT_NVIDIA_SMI}" --query-gpu=name,compute_cap,driver_version --format=csv,noheader
    OUTPUT_VARIABLE gpus
    ERROR_VARIABLE gpus
    RESULT_VARIABLE status
    OUTPUT_STRIP_TRAILING_WHITESPACE
  )
  if(NOT status EQUAL 0 OR NOT gpus MATCHES "^([^,\n]+), ([0-9]+)\\.([0-9]+), ([0-9]+)[^\n]*")
    _gpu_stop("the driver finds no GPU. nvidia-smi says:\n  ${gpus}"
              "Is a GPU built in, and given to this machine or container? Does the kernel's module fit the driver?"
    )
  endif()
  set(gpu_name "${CMAKE_MATCH_1}" PARENT_SCOPE)
  set(gpu_architecture "${CMAKE_MATCH_2}${CMAKE_MATCH_3}" PARENT_SCOPE)
  set(driver "${CMAKE_MATCH_4}" PARENT_SCOPE)
  execute_process(COMMAND "${WARPWRIGHT_NVIDIA_SMI}" OUTPUT_VARIABLE table ERROR_QUIET)
  set(driver_cuda "" PARENT_SCOPE)
  if(table MATCHES "CUDA Version: ([0-9]+\\.[0-9]+)")
    set(driver_cuda "${CMAKE_MATCH_1}" PARENT_SCOPE)
  endif()
endfunction()

# Sets gpu_nvcc and toolkit_cuda ("13.0").
function(_find_nvcc)
  find_program(WARPWRIGHT_GPU_NVCC nvcc HINTS ENV CUDA_HOME ENV CUDA_PATH PATHS /usr/local/cuda PATH_SUFFIXES bin)
  mark_as_advanced(WARPWRIGHT_GPU_NVCC)
  include("${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../.lab/toolkit.cmake" OPTIONAL) # sets WARPWRIGHT_NVCC
  foreach(nvcc IN ITEMS "${WARPWRIGHT_GPU_NVCC}" "${WARPWRIGHT_NVCC}")
    if(EXISTS "${nvcc}")
      execute_process(COMMAND "${nvcc}" --version OUTPUT_VARIABLE version ERROR_QUIET)
      if(version MATCHES "release ([0-9]+\\.[0-9]+)")
        set(toolkit_cuda "${CMAKE_MATCH_1}" PARENT_SCOPE)
        file(REAL_PATH "${nvcc}" nvcc)
        set(gpu_nvcc "${nvcc}" PARENT_SCOPE)
        return()
      endif()
    endif()
  endforeach()
  _gpu_stop("there is no CUDA compiler: nvcc is neither on the PATH nor in /usr/local/cuda."
            "Run ./lab setup, which fetches one for this project alone."
  )
endfunction()

_find_nvcc()
if(NOT CMAKE_CUDA_ARCHITECTURES)
  _find_gpu()
  string(REGEX MATCH "^[0-9]+" toolkit_major "${toolkit_cuda}")
  if(driver_cuda AND driver_cuda VERSION_LESS "${toolkit_major}.0")
    _gpu_stop("your ${gpu_name}'s driver runs programs up to CUDA ${driver_cuda}; the compiler is CUDA ${toolkit_cuda}."
              "Install a newer driver, or an older toolkit and put its nvcc on the PATH."
    )
  endif()
  execute_process(COMMAND "${gpu_nvcc}" --list-gpu-code OUTPUT_VARIABLE codes ERROR_QUIET)
  if(codes AND NOT codes MATCHES "sm_${gpu_architecture}[^0-9]")
    _gpu_stop("CUDA ${toolkit_cuda} no longer, or not yet, compiles for your ${gpu_name} (sm_${gpu_architecture})."
              "Install a toolkit that does and put its nvcc on the PATH."
    )
  endif()
  # A plain number means both native code and PTX, for a GPU that is newer.
  set(CMAKE_CUDA_ARCHITECTURES "${gpu_architecture}" CACHE STRING "Architectures that kernels are compiled for")
  message(STATUS "gpu preset: ${gpu_name} (sm_${gpu_architecture}), driver ${driver}, CUDA ${toolkit_cuda}")
endif()
set(CMAKE_CUDA_COMPILER "${gpu_nvcc}")
