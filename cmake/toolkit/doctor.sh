# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154  # ./lab and its parts share variables
# `./lab doctor`: every layer from the platform to the GPU, what is here, and the command that mends what is not.

# shellcheck source=cmake/toolkit/survey.sh
source "$toolkit/survey.sh"

doctor() {
  local system=Linux folder free
  check_platform
  [[ ! -r /etc/os-release ]] || system=$(sed -n 's/^PRETTY_NAME="\{0,1\}\([^"]*\).*/\1/p' /etc/os-release)
  [[ -t 1 ]] || no_colours
  survey

  local tools=("${rows[@]}")
  rows=()
  row ok "platform" "x86-64 Linux" "$system, $(uname -m)"
  folder=$(read_only_folder)
  if [[ ! $folder ]]; then
    row ok "repository" "writable" "$root"
  elif [[ -O $folder ]]; then
    row unfit "repository" "writable" "$folder, read-only" "chmod -R u+w $(quoted "$folder")"
  else
    row unfit "repository" "writable" "$folder, read-only for $(id -un)" "clone the repository into a folder of your own"
  fi
  if (( ${#wheels[@]} )); then
    folder=$(existing_part "$cache") free=$(free_megabytes "$cache")
    if (( free >= wheels_megabytes )); then
      row ok "disk space" "$wheels_megabytes MB" "$free MB free at $folder"
    else
      row missing "disk space" "$wheels_megabytes MB" "$free MB free at $folder" \
        "make room there, or choose another place: WARPWRIGHT_CACHE=/path ./lab"
    fi
  fi
  rows+=("${tools[@]}")
  if [[ -x $build/bin/lab ]]; then
    row ok "./lab's program" "built" "$build/bin/lab"
  else
    row optional "./lab's program" "built" "not built yet: ./lab builds it"
  fi
  row_of_gpu

  wanting=0
  print_rows
  if (( wanting == 0 )); then
    printf '\nAll that is needed is here. Next: ./lab\n'
    return 0
  fi
  printf '\nMissing or unfit: %d. ' "$wanting"
  if (( ${#packages[@]} && EUID != 0 )) && ! command -v sudo >/dev/null; then
    printf 'Have an administrator run, as root:\n  apt-get update\n'
    printf '  apt-get install --no-install-recommends %s\nThen: ./lab setup\n' "${packages[*]}"
  else
    printf 'To install what can be installed, all at once: ./lab setup\n'
  fi
  return 1
}

# A GPU is optional: everything but measuring time works without one.
row_of_gpu() {
  local text
  if text=$(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null) && [[ $text ]]; then
    row ok "GPU (optional)" "-" "${text//$'\n'/; }"
  elif command -v nvidia-smi >/dev/null; then
    row optional "GPU (optional)" "-" "nvidia-smi finds no GPU that it can use: nvidia-smi says why"
  else
    row optional "GPU (optional)" "-" "none (no nvidia-smi); the simulated GPU is used"
  fi
}
