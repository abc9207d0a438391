# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154  # ./lab and its parts share variables
# What the project needs and what is here: one survey, which `./lab doctor` prints and set-up mends. It changes nothing
# and uses no network.

# What apt-get installs: layer|least version|package|a header that shows it is here
libraries="GoogleTest|1.11|libgtest-dev|gtest/gtest.h
Google Benchmark|1.6|libbenchmark-dev|benchmark/benchmark.h
CLI11|2.1|libcli11-dev|CLI/CLI.hpp
JSON for C++|3.10|nlohmann-json3-dev|nlohmann/json.hpp
fmt|8.1|libfmt-dev|fmt/core.h
zstd|1.4|libzstd-dev|zstd.h
LZ4|1.9|liblz4-dev|lz4.h"

# Files without which the compiler from PyPI is not whole, and how the sim preset compiles a kernel.
cuda_files=(bin/nvcc bin/cudafe++ bin/fatbinary bin/ptxas nvvm/bin/cicc nvvm/libdevice/libdevice.10.bc
  include/cuda_runtime.h include/crt/host_config.h include/cccl/cub/cub.cuh lib64/libcudart.so)
sim_options=(-std=c++17 -O3 -lineinfo --no-compress -gencode "arch=compute_90,code=compute_90")

at_least() { [[ $(printf '%s\n' "$1" "$2" | sort -V | head -n 1) == "$1" ]]; }  # LEAST HAVE
version_of() {  # COMMAND...: the first version number that it prints
  local text
  text=$("$@" 2>/dev/null) && [[ $text =~ [0-9]+(\.[0-9]+)+ ]] && printf %s "${BASH_REMATCH[0]}"
}

# Results: rows (what doctor prints), packages (what apt-get should install), wheels (what PyPI should give), present
# (paths of what is here), and the tools: cxx, cmake, ninja, nvcc, python; empty where there is none.
survey() {
  rows=() packages=() wheels=() present=() cxx='' cmake='' ninja='' nvcc='' python=''
  choose_cache
  survey_compiler
  survey_cmake
  survey_git
  survey_pip
  survey_libraries
  survey_cuda
}
row() { rows+=("$1|$2|$3|$4|${5:-}"); }  # STATE LAYER NEEDED HERE MEND
needs_package() {  # LAYER NEEDED PACKAGE
  local how="apt-get install --no-install-recommends $3"
  if [[ ! -x /usr/bin/apt-get ]]; then how="install what Debian calls $3"
  elif [[ $EUID == 0 ]]; then :
  elif command -v sudo >/dev/null; then how="sudo $how"
  else how="as root: $how"; fi
  packages+=("$3")
  row missing "$1" "$2" "-" "$how"
}

# The folder that all clones share; where it cannot be made, this clone's own.
choose_cache() {
  local above
  cache=${WARPWRIGHT_CACHE:-${XDG_CACHE_HOME:-${HOME:-$state}/.cache}/warpwright}
  cache=$(realpath -m "$cache")
  above=$(existing_part "$cache")
  [[ -d $above && -w $above ]] || cache=$state
  cuda_home=$cache/cuda-13.0-$(sha256sum "$toolkit/cuda.txt" | cut -c 1-12)
  cmake_home=$cache/cmake-3.31-$(sha256sum "$toolkit/cmake.txt" | cut -c 1-12)
}

wheels_megabytes=400  # the compiler unpacked, 270, and its archives while they are unpacked
existing_part() { local path=$1; while [[ ! -e $path ]]; do path=$(dirname "$path"); done; echo "$path"; }
free_megabytes() { df -Pm "$(existing_part "$1")" | awk 'NR == 2 { print $4 }'; }

survey_compiler() {
  local name have unfit=''
  # A compiler named by CXX is taken at its word; nvcc 13.0 refuses GCC 16 and newer.
  for name in ${CXX:+"$CXX"} g++ g++-15 g++-14 g++-13 g++-12 g++-11; do
    cxx=$(command -v "$name") || continue
    have=$(version_of "$cxx" -dumpfullversion -dumpversion || version_of "$cxx" --version || echo unknown)
    if [[ $name == "${CXX:-}" ]] || { at_least 11 "$have" && ! at_least 16 "$have"; }; then
      present+=("$cxx")
      row ok "C++ compiler" "g++ 11 to 15" "$have  $cxx"
      return
    fi
    unfit=${unfit:-"$have  $cxx"}
  done
  cxx=''
  if [[ $unfit ]]; then
    row unfit "C++ compiler" "g++ 11 to 15" "$unfit" \
      "install one of g++-11 to g++-15, or name one: CXX=/path/to/g++ ./lab"
  else
    needs_package "C++ compiler" "g++ 11 to 15" g++
  fi
}

# The version of CMake that apt-get would install; empty where that is not known, before its first update.
apt_cmake() {
  LC_ALL=C apt-cache policy cmake 2>/dev/null | sed -nE 's/^ *Candidate: *([0-9]+:)?([0-9.]*).*/\2/p'
}

survey_cmake() {
  local name have='' unfit='' offered
  for name in cmake /usr/bin/cmake "$cmake_home/cmake/data/bin/cmake"; do
    cmake=$(command -v "$name") && have=$(version_of "$cmake" --version) && at_least 3.25 "$have" && break
    unfit=${unfit:-${cmake:+"$have  $cmake"}}
    cmake=''
  done
  if [[ $cmake ]]; then
    present+=("$cmake")
    row ok "CMake" "3.25" "$have  $cmake"
  elif [[ ! $unfit && -x /usr/bin/apt-get ]] && offered=$(apt_cmake) && at_least 3.25 "${offered:-9}"; then
    needs_package "CMake" "3.25" cmake
  else
    wheels+=("CMake 3.31")
    row missing "CMake" "3.25" "${unfit:--}" "./lab setup   (fetches CMake 3.31 from PyPI into $cache)"
  fi
  if ninja=$(command -v ninja) && have=$(version_of "$ninja" --version); then
    present+=("$ninja")
    row ok "Ninja" "1.10" "$have  $ninja"
  else
    needs_package "Ninja" "1.10" ninja-build
  fi
}

# Tells an edited exercise from an untouched one; of no use in an unpacked archive.
survey_git() {
  local path have
  [[ -e $root/.git ]] || return 0
  if path=$(command -v git) && have=$(version_of "$path" --version); then
    present+=("$path")
    row ok "git" "any" "$have  $path"
  else
    needs_package "git" "any" git
  fi
}

find_header() {
  local folder folders
  IFS=: read -ra folders <<<"${CMAKE_PREFIX_PATH:-}"
  for folder in "${folders[@]}" /usr/local /usr; do
    if [[ -e $folder/include/$1 ]]; then echo "$folder/include/$1"; return; fi
  done
  return 1
}

survey_libraries() {
  local layer least package header path have versions
  versions=$(dpkg-query -W -f '${Package} ${Version}\n' 2>/dev/null) || versions=''
  while IFS='|' read -r layer least package header; do
    if ! path=$(find_header "$header"); then
      needs_package "$layer" "$least" "$package"
      continue
    fi
    have=''
    if [[ $path == /usr/include/* && $'\n'$versions =~ $'\n'"$package "([0-9]+:)?([0-9]+(\.[0-9]+)*) ]]; then
      have=${BASH_REMATCH[2]}
    fi
    if [[ $have ]] && ! at_least "$least" "$have"; then
      row unfit "$layer" "$least" "$have  $path" "Debian 12, Ubuntu 22.04 or newer has it"
    else
      present+=("$path")
      row ok "$layer" "$least" "${have:+$have  }$path"
    fi
  done <<<"$libraries"
}

# The machine's CUDA 13.0 if it compiles a kernel with our C++ compiler; otherwise the one from PyPI, made by set-up.
survey_cuda() {
  local name real have file seen='' note=''
  for name in ${CUDACXX:+"$CUDACXX"} nvcc /usr/local/cuda-13.0/bin/nvcc /usr/local/cuda/bin/nvcc; do
    name=$(command -v "$name") || continue
    real=$(readlink -f "$name")
    [[ $seen != *":$real:"* ]] || continue
    seen+=":$real:"
    have=unknown
    [[ $("$real" --version 2>/dev/null) =~ release\ ([0-9.]+) ]] && have=${BASH_REMATCH[1]}
    if [[ $have == 13.0 && ! $cxx ]]; then
      row missing "CUDA compiler" "13.0" "13.0  $real, which cannot be tried without a C++ compiler" "./lab setup"
      return
    elif [[ $have == 13.0 ]] && compiles_probe "$real"; then
      nvcc=$real
      present+=("$nvcc")
      row ok "CUDA compiler" "13.0" "13.0  $nvcc"
      return
    elif [[ $have == 13.0 ]]; then
      have="13.0 but does not compile a kernel with $cxx"
    fi
    note+="${note:+; }$real is $have"
  done
  [[ ! $note ]] || note="  (not used: $note)"
  for file in "${cuda_files[@]}"; do
    [[ ! -e $cuda_home/nvidia/cu13/$file ]] || continue
    wheels+=("CUDA 13.0")
    row missing "CUDA compiler" "13.0" "-$note" "./lab setup   (fetches it from PyPI into $cache)"
    return
  done
  nvcc=$cuda_home/nvidia/cu13/bin/nvcc
  present+=("${cuda_files[@]/#/$cuda_home/nvidia/cu13/}")
  row ok "CUDA compiler" "13.0" "13.0  $nvcc$note"
}

# Whether NVCC compiles a kernel as the sim preset does. `probed` remembers the pair of compilers that did.
probed=''
compiles_probe() {
  [[ $probed != "$1 $cxx" ]] || return 0
  local folder status=0
  folder=$(mktemp -d) || return 1
  "$1" -ccbin "$cxx" "${sim_options[@]}" -c "$toolkit/probe.cu" -o "$folder/probe.o" >"$folder/log" 2>&1 || status=1
  rm -rf "$folder"
  (( status )) || probed="$1 $cxx"
  return "$status"
}

# For what comes from PyPI: this compiler, and the linters of ./lab check.
survey_pip() {
  local name have
  for name in python3 /usr/bin/python3; do
    if python=$(command -v "$name") && have=$(version_of "$python" -c 'import pip; print(pip.__version__)'); then
      present+=("$python")
      row ok "pip" "any" "$have  $python -m pip"
      return
    fi
  done
  python=''
  needs_package "pip" "any" python3-pip
}

# Prints the rows, and counts in `wanting` those that stop the project from working.
wanting=0
print_rows() {
  local line state_word layer needed here mend colour
  printf '  %s%-9s %-18s %-14s %s%s\n' "$dim" "" "layer" "needed" "here" "$plain"
  for line in "${rows[@]}"; do
    IFS='|' read -r state_word layer needed here mend <<<"$line"
    colour=$green
    [[ $state_word != optional ]] || colour=$dim
    if [[ $state_word == missing || $state_word == unfit ]]; then colour=$red wanting=$(( wanting + 1 )); fi
    printf '  %s%-9s%s %-18s %-14s %s\n' "$colour" "$state_word" "$plain" "$layer" "$needed" "$here"
    [[ ! $mend ]] || printf '  %-9s %-18s %s\n' "" "" "mend: $mend"
  done
}
