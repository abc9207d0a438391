# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154  # ./lab and its parts share variables
# How ./lab fails: it names the layer, says what happened, shows the part of the log that tells why, and what mends it.

quoted() { if [[ $1 =~ ^[A-Za-z0-9_.:/~+-]+$ ]]; then printf %s "$1"; else printf "'%s'" "${1//\'/\'\\\'\'}"; fi; }

log=''  # the last step's
fail() {  # LAYER WHAT NEXT...
  local layer=$1 what=$2 next
  shift 2
  {
    printf '\n%s./lab stopped at: %s%s\n' "$red$bold" "$layer" "$plain"
    printf '  what  %s\n' "$what"
    if [[ -s $log ]]; then
      printf '  log   %s\n' "$log"
      excerpt "$log" | sed "s/^/        $dim|$plain /"
    fi
    printf '  next  %s\n' "$1"
    shift
    for next in "$@"; do printf '        %s\n' "$next"; done
  } >&2
  exit 1
}

# The part of a log that says what went wrong: CMake's error, the first command that failed in a build, or the end.
excerpt() {
  local own='locked\.cmake'  # which only passes on the status
  if grep '^CMake Error' "$1" | grep -qv "$own"; then
    sed -n '/^CMake Error/,$p' "$1" | sed "/$own/,\$d" | grep -v '^ *$' | head -n 15
  elif grep -q '^FAILED: ' "$1"; then
    # Ninja prints the whole command line after FAILED; the compiler's text is what follows it.
    sed -n '/^FAILED: /,$p' "$1" | sed -e 2d -e '/^ninja: build stopped/,$d' | head -n 40
  else
    sed "/^CMake Error at .*$own/,\$d" "$1" | tail -n 12
  fi | cut -c 1-200
}

# Fails a step with what mends the cause that its log tells of, or else with NEXT.
fail_step() {  # LAYER WHAT NEXT...
  local layer=$1 what=$2 next
  shift 2
  next=("$@")
  case $(<"$log") in
    *"No space left on device"* | *"enough free space"*)
      next=("make room on the full disk (df -h shows it); the downloaded compiler can lie on another one:"
        "WARPWRIGHT_CACHE=/path ./lab") ;;
    *"Killed signal"* | *"virtual memory exhausted"*)
      next=("the compiler ran out of memory: close other programs, or build one file at a time:"
        "CMAKE_BUILD_PARALLEL_LEVEL=1 ./lab") ;;
    *"dpkg was interrupted"*)
      next=("an earlier installation of packages was cut off; finish it: ${as_root[*]:+sudo }dpkg --configure -a"
        "then: ./lab") ;;
    *"Could not get lock"*)
      next=("wait for the other installation of packages on this machine to end, then: ./lab") ;;
    *"DO NOT MATCH THE HASHES"*)
      next=("what was downloaded is not what this project was tested with: do not use it"
        "empty pip's cache and try again: python3 -m pip cache purge; ./lab"
        "if it happens again, the package index serves altered files: tell its keeper") ;;
    *"Unable to locate package"* | *"no installation candidate"*)
      next=("if apt-get could not reach its servers, $state/log/packages-lookup.log says so"
        "on Ubuntu, the part \"universe\" has to be on: add-apt-repository universe" "then: ./lab") ;;
    *"Could not resolve"* | *"Temporary failure"* | *"Failed to fetch"* | *"onnection "* | *"timed out"*)
      next=("check that this machine reaches its package servers (network, proxy, pip's index), then: ./lab"
        "what is installed already is kept") ;;
  esac
  fail "$layer" "$what" "${next[@]}"
}

# What of the repository cannot be written to, of all that ./lab writes.
read_only_folder() {
  local folder
  for folder in "$root" "$state" "$state/log" "$root/build" "$build"; do
    if [[ -e $folder && ! -w $folder ]]; then echo "$folder"; return; fi
  done
}

# Stops before any work where the repository cannot be written to.
check_place() {
  local folder
  if [[ $EUID == 0 && -n ${SUDO_USER:-} && ! -O $root ]]; then
    fail "repository" "with sudo, all that ./lab makes here would belong to root, and you could not change it" \
      "run it as yourself: ./lab   (it calls sudo itself where it has to)"
  fi
  folder=$(read_only_folder)
  [[ $folder ]] || return 0
  if [[ -O $folder && $EUID != 0 ]]; then
    fail "repository" "$folder is read-only" "make it writable again: chmod -R u+w $(quoted "$folder")" \
      "if it is meant to be so: clone the repository into a folder of your own, and run ./lab there"
  fi
  if [[ $EUID == 0 ]]; then
    fail "repository" "$folder is read-only" "clone the repository into a folder of your own, and run ./lab there"
  fi
  fail "repository" "$folder belongs to $(stat -c %U "$folder"), and $(id -un) may not write there" \
    "if an earlier ./lab as another user made it: sudo chown -R $(id -un) $(quoted "$folder")" \
    "if it is somebody else's: clone the repository into a folder of your own, and run ./lab there"
}

check_platform() {
  [[ $(uname -s) != Linux || $(uname -m) != x86_64 ]] || return 0
  fail "platform" \
    "the tools run on x86-64 Linux (Debian 12, Ubuntu 22.04 or 24.04); this is $(uname -s) on $(uname -m)" \
    "the chapters can be read here, without any tools: chapters/*/README.md" \
    "to do the exercises, use x86-64 Linux in a virtual machine or a container; with Docker, from this folder:" \
    "  docker run --rm -it --platform linux/amd64 -v \"\$PWD\":/warpwright -w /warpwright debian:12 ./lab" \
    "  (where the processor is not x86-64, this emulates one: slower, and not tested)"
}
