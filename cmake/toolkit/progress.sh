# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154  # ./lab and its parts share variables
# What a person sees while ./lab works: a line a step, with its seconds. It goes to standard error, so that a command's
# own output stays clean.

bold='' dim='' red='' green='' plain=''
[[ ${TERM:-dumb} != dumb && -z ${NO_COLOR:-} && -t 2 ]] &&
  bold=$'\e[1m' dim=$'\e[2m' red=$'\e[31m' green=$'\e[32m' plain=$'\e[0m'
no_colours() { bold='' dim='' red='' green='' plain=''; }
animated=0
[[ ${TERM:-dumb} != dumb && -t 2 ]] && animated=1

say() { printf '%s\n' "$*" >&2; }

# step LAYER WHAT LOG COMMAND...: runs COMMAND with its output in .lab/log/LOG.log; its status is the command's.
# Nothing is printed for what takes less than a second. The command gets a process group of its own, so that only
# `interrupted` stops it on Ctrl-C, and with guarded=1 lets it finish.
running='' guarded=0 stopping=0
step() {
  local layer=$1 what=$2 begin=${EPOCHREALTIME/[.,]/} ms=0 next_line=2000 status=0 width='' detail
  log=$state/log/$3.log
  shift 3
  { mkdir -p "$state/log" && : >"$log"; } 2>/dev/null ||
    fail "repository" "could not write $log" "see whether the disk is full (df -h), then: ./lab"
  set -m
  "$@" >"$log" 2>&1 </dev/null 9>&- &
  set +m
  running=$!
  while [[ -e /proc/$running ]]; do
    if (( ms < 500 )); then sleep 0.02; else sleep 0.2; fi
    ms=$(( (${EPOCHREALTIME/[.,]/} - begin) / 1000 ))
    (( ms >= 1000 )) || continue
    detail=$(tail -c 400 "$log" | tr '\r' '\n' | tail -n 1)
    if (( animated )); then
      width=${width:-$(( $(tput cols 2>/dev/null || echo 80) - 56 ))}
      printf '\r\e[K  %-16s %-24s %4d s  %s%s%s' "$layer" "$what" $(( ms / 1000 )) \
        "$dim" "${detail:0:width>0?width:0}" "$plain" >&2
    elif (( ms >= next_line )); then
      printf '  %-16s %-24s %4d s so far%s\n' "$layer" "$what" $(( ms / 1000 )) "${detail:+:  ${detail:0:60}}" >&2
      next_line=$(( next_line + 10000 ))
    fi
  done
  wait "$running" || status=$?
  running=''
  (( ! animated || ms < 1000 )) || printf '\r\e[K' >&2
  if (( status == 0 && ms >= 1000 )); then
    printf '  %-16s %-24s %4d.%d s\n' "$layer" "$what" $(( ms / 1000 )) $(( ms / 100 % 10 )) >&2
  fi
  (( ! stopping )) || stop
  return "$status"
}

# Ctrl-C, and the like.
interrupted() {
  (( ! animated )) || printf '\r\e[K' >&2
  if [[ -n $running ]] && (( guarded )); then
    (( stopping )) || say "Stopping as soon as apt-get has finished, so that the system's packages stay whole ..."
    stopping=1
    return 0  # not the status of what was interrupted
  fi
  trap '' INT TERM HUP
  if [[ -n $running ]]; then
    "${as_root[@]}" sh -c "kill -TERM -- -$running" 2>/dev/null || true
    wait "$running" || true
  fi
  stop
}
stop() {
  say "Stopped. Nothing half-made is kept; to go on: ./lab"
  exit 130
}
as_root=()
trap interrupted INT TERM HUP
