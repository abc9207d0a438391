# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154  # ./lab and its parts share variables
# Set-up. Problem: a newcomer's machine lacks some of a dozen things, and each may fail in its own way. Idea: survey,
# install what is missing, survey again, and record what was found for the next time. Invariant: nothing counts as here
# until it is whole (a download is unpacked aside, tried, and only then renamed), and nothing is changed or removed that
# set-up did not make.

# shellcheck source=cmake/toolkit/survey.sh
source "$toolkit/survey.sh"

next="mend what the log says, then: ./lab   (./lab doctor shows what is here)"

set_up() {
  check_platform
  choose_cache
  mkdir -p "$cache" "$state/log" || fail "repository" "could not make $cache and $state" \
    "see whether the disk is full (df -h) and whose the folders are (ls -ld), then: ./lab"
  exec 9>"$cache/lock"
  if ! flock -n 9; then
    say "Another ./lab is setting up on this machine; waiting for it (Ctrl-C leaves) ..."
    flock 9
    if tools_are_ready; then return; fi
  fi
  rm -rf "$cache"/.partial.*  # of runs that were killed
  trap 'rm -rf "$cache/.partial.$$"' EXIT

  survey
  say_what_is_missing
  install_packages
  if [[ ! $cmake ]]; then fetch "CMake" "CMake 3.31 from PyPI" cmake "$cmake_home"; fi
  if [[ ! $nvcc && $cxx ]]; then fetch "CUDA compiler" "CUDA 13.0 from PyPI" cuda "$cuda_home"; fi
  survey
  demand_all
  record
  trap - EXIT
  exec 9>&-
}

say_what_is_missing() {
  (( ${#packages[@]} + ${#wheels[@]} )) || return 0
  say "${bold}Setting up Warpwright${plain}; its logs are in $state/log"
  if (( ${#packages[@]} )); then
    say "  packages         $(fold -s -w 80 <<<"${packages[*]}" | sed '2,$s/^/                   /')"
  fi
  if (( ${#wheels[@]} )); then say "  from PyPI        $(printf '%s, ' "${wheels[@]}")into $cache"; fi
}

# Installs the packages that the survey misses. In two rounds, because whether the machine's nvcc will do is known only
# when there is a C++ compiler to try it with.
install_packages() {
  local round apt
  for round in 1 2; do
    (( ${#packages[@]} )) || return 0
    become_root
    apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive LC_ALL=C
      apt-get -y -q -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0)
    if (( round == 1 )); then
      # A broken list of somebody else's packages is no reason to stop: if it matters, the download fails and says so.
      step "system packages" "look up" packages-lookup "${apt[@]}" update || true
      survey  # now apt-get knows which CMake it has
    fi
    apt+=(install --no-install-recommends "${packages[@]}")
    step "system packages" "download" packages-download "${apt[@]}" --download-only ||
      fail_step "system packages" "apt-get could not download the packages" "$next"
    guarded=1
    step "system packages" "install" packages-install "${apt[@]}" --no-download ||
      fail_step "system packages" "apt-get could not install the packages" "$next"
    guarded=0
    survey
  done
}

# Sets as_root to what makes a command run as root; where that cannot be had, says what an administrator has to run.
become_root() {
  local install="apt-get install --no-install-recommends ${packages[*]}"
  [[ -x /usr/bin/apt-get ]] || fail "system packages" "packages are missing, and there is no apt-get to install them" \
    "install what Debian calls ${packages[*]}" "with your system's package manager, then: ./lab"
  [[ $EUID != 0 ]] || return 0
  if command -v sudo >/dev/null; then
    if ! sudo -n true 2>/dev/null && [[ -t 0 && -t 2 ]]; then
      say "  To install packages, apt-get needs root; sudo asks for your password."
      sudo -v || true
    fi
    if sudo -n true 2>/dev/null; then as_root=(sudo -n); return; fi
    fail "system packages" "installing packages needs root, and sudo wants a password that cannot be asked for here" \
      "sudo apt-get update" "sudo $install" "./lab"
  fi
  fail "system packages" "installing packages needs root, and there is no sudo here" \
    "as root:      apt-get update" "              $install" "as yourself:  ./lab"
}

# Fetches wheels into the shared folder: LAYER WHAT LOCK-FILE FOLDER. pip keeps its own configuration (index,
# certificates, proxy, cache); only settings that contradict --target are switched off.
fetch() {
  local layer=$1 what=$2 lock=$3 folder=$4 aside=$cache/.partial.$$ free
  free=$(free_megabytes "$cache")
  if (( free < wheels_megabytes )); then
    log='' fail "$layer" "$what needs $wheels_megabytes MB at $cache, and $free MB are free" \
      "make room there, or choose another place: WARPWRIGHT_CACHE=/path ./lab"
  fi
  mkdir -p "$aside/tmp" || fail "$layer" "could not make $aside" "see whose that folder is: ls -ld $(quoted "$cache")"
  step "$layer" "$what" "$lock" unpack_wheels "$lock" "$aside" ||
    if grep -q '^Successfully installed' "$log"; then
      fail_step "$layer" "$what is here, but does not work on this machine" "$next"
    else
      fail_step "$layer" "$what could not be fetched" "$next"
    fi
  rm -rf "$folder"  # an earlier one that has lost files
  mv -T "$aside/wheels" "$folder"
  rm -rf "$aside"
}

unpack_wheels() {  # LOCK FOLDER
  # TMPDIR: pip unpacks there first, and moving within one disk is free.
  env -u PIP_USER -u PIP_TARGET -u PIP_PREFIX -u PIP_ROOT -u PIP_CONSTRAINT -u PIP_REQUIREMENT -u PIP_NO_BINARY \
    PIP_REQUIRE_VIRTUALENV=0 TMPDIR="$2/tmp" \
    "$python" -m pip install --no-user --no-deps --require-hashes --only-binary :all: --no-compile --no-input \
    --progress-bar off --target "$2/wheels" -r "$toolkit/$1.txt" && "finish_$1" "$2/wheels"
}

# What unpacked wheels lack, and the proof that they work here.
finish_cmake() { "$1/cmake/data/bin/cmake" --version; }
finish_cuda() {
  local cuda=$1/nvidia/cu13
  # Where CMake looks for libraries, and the name that a linker looks for.
  ln -s lib "$cuda/lib64" && ln -s libcudart.so.13 "$cuda/lib/libcudart.so" &&
    "$cuda/bin/nvcc" -ccbin "$cxx" "${sim_options[@]}" -c "$toolkit/probe.cu" -o "$1/probe.o" && rm "$1/probe.o"
}

# Everything has to be here now; if not, says which layer and why.
demand_all() {
  local line state_word layer needed here mend
  log=''
  for line in "${rows[@]}"; do
    IFS='|' read -r state_word layer needed here mend <<<"$line"
    [[ $state_word == ok ]] || fail "$layer" "needed: $needed; here: $here" "${mend:-./lab doctor}" "./lab"
  done
}

# Writes what CMake and ./lab read the next time; each file appears whole or not at all.
record() {
  ready=("$(setup_version)" "$cmake" "$ninja" "$cxx" "$nvcc" "${present[@]}" "$state/toolkit.cmake")
  log=''
  if ! printf 'set(%s [==[%s]==])\n' WARPWRIGHT_NVCC "$nvcc" WARPWRIGHT_CXX "$cxx" >"$state/toolkit.new" ||
    ! printf '%s\n' "${ready[@]}" >"$state/ready.new"; then
    fail "repository" "could not write to $state" "see whether the disk is full (df -h), then: ./lab"
  fi
  # An unchanged file keeps its time, so that CMake does not configure again.
  cmp -s "$state/toolkit.new" "$state/toolkit.cmake" || mv "$state/toolkit.new" "$state/toolkit.cmake"
  rm -f "$state/toolkit.new"
  mv "$state/ready.new" "$state/ready"
}

# The end of `./lab setup`: the same table as doctor's, without trying again the compiler that was tried.
show_what_is_here() {
  probed="${ready[4]} ${ready[3]}"
  [[ -t 1 ]] || no_colours
  survey
  row ok "./lab's program" "built" "$build/bin/lab"
  print_rows
  [[ ! $own_path ]] || printf "\nTo use this cmake and ctest yourself: export PATH=%s\$PATH\n" "$(quoted "$own_path")"
  printf '\nReady. Next: ./lab\n'
}
