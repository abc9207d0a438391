# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154  # ./lab and its parts share variables
# What a person sees while ./lab works: a line a step with its seconds, and a failure that says what mends it. All of it
# goes to standard error, so that a command's own output stays clean.

bold='' dim='' red='' green='' plain=''
[[ ${TERM:-dumb} != dumb && -z ${NO_COLOR:-} && -t 2 ]] &&
  bold=$'\e[1m' dim=$'\e[2m' red=$'\e[31m' green=$'\e[32m' plain=$'\e[0m'
no_colours() { bold='' dim='' red='' green='' plain=''; }
animated=0
[[ ${TERM:-dumb} != dumb && -t 2 ]] && animated=1

say() { printf '%s\n' "$*" >&2; }
quoted() { if [[ $1 =~ ^[A-Za-z0-9_./~+-]+$ ]]; then printf %s "$1"; else printf "'%s'" "${1//\'/\'\\\'\'}"; fi; }

# step LAYER WHAT LOG COMMAND...: runs COMMAND with its output in .lab/log/LOG.log; its status is the command's.
# Nothing is printed for what takes less than a second. The command gets a process group of its own, so that Ctrl-C stops
# it only by `interrupted`; with guarded=1 it is left to finish.
running='' guarded=0
step() {
  local layer=$1 what=$2 begin=${EPOCHREALTIME/[.,]/} ms=0 next_line=2000 status=0 width detail
  log=$state/log/$3.log
  shift 3
  mkdir -p "$state/log"
  set -m
  "$@" >"$log" 2>&1 </dev/null 9>&- &
  set +m
  running=$!
  width=$(( ${COLUMNS:-$(tput cols 2>/dev/null || echo 80)} - 52 ))
  while [[ -e /proc/$running ]]; do
    if (( ms < 500 )); then sleep 0.02; else sleep 0.2; fi
    ms=$(( (${EPOCHREALTIME/[.,]/} - begin) / 1000 ))
    (( ms >= 1000 )) || continue
    detail=$(tail -c 400 "$log" | tr '\r' '\n' | tail -n 1)
    if (( animated )); then
      printf '\r\e[K  %-16s %-24s %4d s  %s%s%s' "$layer" "$what" $(( ms / 1000 )) "$dim" "${detail:0:width>0?width:0}" "$plain" >&2
    elif (( ms >= next_line )); then
      printf '  %-16s %-24s %4d s so far%s\n' "$layer" "$what" $(( ms / 1000 )) "${detail:+:  ${detail:0:60}}" >&2
      next_line=$(( next_line + 10000 ))
    fi
  done
  wait "$running" || status=$?
  running=''
  (( ! animated || ms < 1000 )) || printf '\r\e[K' >&2
  (( status || ms < 1000 )) || printf '  %-16s %-24s %4d.%d s\n' "$layer" "$what" $(( ms / 1000 )) $(( ms / 100 % 10 )) >&2
  return "$status"
}

interrupted() {
  trap '' INT TERM HUP
  (( ! animated )) || printf '\r\e[K' >&2
  if [[ -n $running ]] && (( guarded )); then
    say "Interrupted; waiting for apt-get to finish, so that the system's packages stay whole ..."
  elif [[ -n $running ]]; then
    "${as_root[@]}" kill -TERM -- "-$running" 2>/dev/null || true
  fi
  [[ -z $running ]] || wait "$running" || true
  say "Interrupted. Nothing half-made is kept; to go on: ./lab"
  exit 130
}
as_root=()
trap interrupted INT TERM HUP

# The part of a log that says what went wrong: from the first failed command of a build, or the last lines.
excerpt() {
  if grep -q '^FAILED: ' "$1"; then
    # Ninja prints the whole command line after FAILED; the compiler's text is what follows it.
    sed -n '/^FAILED: /,$p' "$1" | sed -e '2d' -e '/^ninja: build stopped/,$d' | head -n 40
  else
    sed -e '/^CMake Error at .*locked.cmake/,$d' "$1" | tail -n 12
  fi
}

# fail LAYER WHAT NEXT...: the layer that failed, what happened, the log of the last step, and what mends it.
log=''
fail() {
  local layer=$1 what=$2 line
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
    for line in "$@"; do printf '        %s\n' "$line"; done
  } >&2
  exit 1
}

# Stops before any work where the repository cannot be written to.
check_place() {
  local folder
  if [[ $EUID == 0 && -n ${SUDO_USER:-} && ! -O $root ]]; then
    fail "repository" "with sudo, what ./lab makes here would belong to root, and you could not change it" \
      "run it as yourself: ./lab   (it asks for sudo where it needs it)"
  fi
  for folder in "$root" "$state" "$state/log" "$root/build" "$build"; do
    [[ ! -e $folder || -w $folder ]] ||
      fail "repository" "$folder cannot be written to by $(id -un)" \
        "if an earlier run as another user made it: sudo chown -R $(id -un) $(quoted "$folder")" \
        "if it is read-only: clone the repository into a folder of your own, and run ./lab there"
  done
}

check_platform() {
  [[ $(uname -s) != Linux || $(uname -m) != x86_64 ]] || return 0
  fail "platform" "the tools run on x86-64 Linux (Debian 12, Ubuntu 22.04 or 24.04); this is $(uname -s) on $(uname -m)" \
    "the chapters can be read here, without any tools: chapters/*/README.md" \
    "to do the exercises, use x86-64 Linux in a virtual machine or a container; with Docker, from this folder:" \
    "  docker run --rm -it --platform linux/amd64 -v \"\$PWD\":/warpwright -w /warpwright debian:12 ./lab" \
    "  (where the processor is not x86-64, this emulates one: slower, and not tested)"
}
