#!/usr/bin/env bash
# shellcheck disable=SC2319  # `claim` is given how a condition turned out
# What set-up promises, tried on a machine made of stand-ins: compilers, CMake, Ninja and pip are little scripts. So
# nothing is installed, no network is used, and each way to fail can be had on request.
set -uo pipefail

repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0

program() { mkdir -p "$(dirname "$1")"; { echo '#!/usr/bin/env bash'; cat; } >"$1"; chmod +x "$1"; }

# A machine on which all but CUDA is there, and a clone. A space in its path, as in many a home.
new_machine() {
  machine=$scratch/"machine $((passed + failed))" clone=$machine/clone bin=$machine/bin
  mkdir -p "$clone"/{cmake,common/lab} "$machine"/prefix/include/{gtest,benchmark,CLI,nlohmann,fmt}
  cp "$repository/lab" "$clone/"
  cp "$repository/common/lab/help.txt" "$clone/common/lab/"
  cp -r "$repository/cmake/toolkit" "$clone/cmake/"
  echo "project(warpwright VERSION 1.2.3 LANGUAGES CXX CUDA)" >"$clone/CMakeLists.txt"
  (cd "$machine/prefix/include" &&
    touch gtest/gtest.h benchmark/benchmark.h CLI/CLI.hpp nlohmann/json.hpp fmt/core.h zstd.h lz4.h)
  program "$bin/g++" <<<'echo 12.2.0'
  program "$bin/ninja" <<<'echo 1.11.1'
  program "$bin/cmake" <<'END'
build=$clone/build/sim
case "$*" in
  --version) echo "cmake version 3.25.1" ;;
  -P*) shift 4; exec "$@" ;;
  --build*)
    mkdir -p "$build/bin"
    printf '#!/bin/sh\necho "lab got: $*"\n' >"$build/bin/lab"
    chmod +x "$build/bin/lab" ;;
  *)
    touch "$build/build.ninja"
    echo configured >>"$build/configured"
    nvcc=$(sed -nE 's/set\(WARPWRIGHT_NVCC \[==\[(.*)\]==\]\)/\1/p' "$clone/.lab/toolkit.cmake")
    printf '%s\n' "CMAKE_HOME_DIRECTORY:INTERNAL=$clone" "CMAKE_CXX_COMPILER:STRING=$CXX" \
      "WARPWRIGHT_CONFIGURED_NVCC:INTERNAL=$nvcc" >"$build/CMakeCache.txt" ;;
esac
END
  mkdir -p "$clone/build/sim"
  program "$bin/python3" <<'END'
[[ $1 == -c ]] && echo 23.0.1 && exit
echo "$*" >>"$machine/pip.log"
while [[ $1 != --target ]]; do shift; done
case $pip in
  no-network) echo "ERROR: Failed to establish a new connection to the index"; exit 1 ;;
  other-file) echo "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE."; exit 1 ;;
  full-disk) mkdir -p "$2/nvidia"; echo "ERROR: [Errno 28] No space left on device"; exit 1 ;;
esac
cuda=$2/nvidia/cu13
mkdir -p "$cuda"/{bin,lib,include/crt,include/cccl/cub,nvvm/bin,nvvm/libdevice}
[[ $pip != slow ]] || { touch "$machine/half-way"; sleep 20; }
touch "$cuda"/bin/{cudafe++,fatbinary,ptxas} "$cuda"/nvvm/{bin/cicc,libdevice/libdevice.10.bc} \
  "$cuda"/lib/libcudart.so.13 "$cuda"/include/{cuda_runtime.h,crt/host_config.h,cccl/cub/cub.cuh}
cp "$machine/nvcc" "$cuda/bin/nvcc"
echo "Successfully installed nvidia-cuda-nvcc"
END
  new_nvcc "$machine/nvcc" 13.0 compiles
}
new_nvcc() {  # PATH VERSION compiles|refuses
  program "$1" <<END
[[ \$1 == --version ]] && echo "Cuda compilation tools, release $2, V$2.1" && exit
[[ $3 == compiles ]] || exit 1
while [[ \$1 != -o ]]; do shift; done; touch "\$2"
END
}

# lab ARGUMENT...: ./lab on that machine; its output in `said`, its status in `status`.
lab() { start_lab "$@"; end_lab; }
start_lab() {
  (cd "$scratch" && exec env -u CUDACXX -u CXX -u XDG_CACHE_HOME PATH="$bin:/usr/bin:/bin" HOME="$machine/home" \
    WARPWRIGHT_CACHE="$machine/cache" CMAKE_PREFIX_PATH="$machine/prefix" machine="$machine" clone="$clone" \
    pip="${pip:-works}" "$clone/lab" "$@" >"$machine/said-${1:-}" 2>&1 </dev/null) &
  lab_process=$! output=$machine/said-${1:-}
}
end_lab() { wait "$lab_process"; status=$?; said=$(<"$output"); }
await() { local tries; for tries in {1..300}; do ! "$@" || return 0; sleep 0.1; done; echo "$tries tries: $*"; }
toolkit() { echo "$machine"/cache/cuda-13.0-*/nvidia/cu13; }
kept() { (cd "$machine/cache" && find . -mindepth 1 ! -name lock); }

claim() {  # WORDS: what the commands before it showed; ends with the status of the last
  if [[ $2 == 0 ]]; then passed=$((passed + 1)); else
    failed=$((failed + 1)); printf 'FAILED: %s\n%s\n' "$1" "${said:-}" | sed '2,$s/^/    | /'
  fi
}
says() { [[ $said == *"$1"* ]]; }

configured() { wc -l <"$clone/build/sim/configured"; }
records() { grep -qF "$1" "$clone/.lab/toolkit.cmake"; }

new_machine
lab list --json
[[ $status == 0 ]] && says "lab got: list --json" && [[ -x $(toolkit)/bin/nvcc && -e $(toolkit)/lib64/libcudart.so ]]
claim "a first run fetches the compiler, builds and hands over" $?

touch "$machine/now"
lab again
[[ $said == "lab got: again" && $(wc -l <"$machine/pip.log") == 1 && $(configured) == 1 &&
  $clone/.lab/ready -ot $machine/now ]]
claim "a second run installs nothing, configures nothing, and says nothing of its own" $?

rm "$(toolkit)/nvvm/bin/cicc"
lab x
[[ $status == 0 && -e $(toolkit)/nvvm/bin/cicc ]]
claim "a compiler that has lost a file is fetched again" $?

rm -r "$clone/.lab"
pip=no-network lab x
[[ $status == 0 ]] && says "lab got: x"
claim "a clone without a record finds the shared compiler without network" $?

mv "$clone" "$machine/moved"
clone=$machine/moved
lab x
[[ $status == 0 && $(configured) -gt 1 ]]
claim "a repository that has moved is configured anew" $?

for cause in "no-network:check that this machine reaches" "other-file:do not use it" "full-disk:make room"; do
  new_machine
  pip=${cause%%:*} lab x
  [[ $status == 1 ]] && says "stopped at: CUDA compiler" && says "${cause#*:}" && says ".lab/log/cuda.log" &&
    [[ -z $(kept) ]]
  claim "${cause%%:*}: named with the layer, the log and what mends it; nothing half-made is kept" $?
done

new_machine
new_nvcc "$machine/nvcc" 13.0 refuses
lab x
[[ $status == 1 ]] && says "does not work on this machine" && [[ -z $(kept) ]]
claim "a fetched compiler that compiles no kernel is not kept" $?

new_machine
new_nvcc "$bin/nvcc" 12.0 compiles
lab setup
[[ $status == 0 ]] && says "nvcc is 12.0" && records "$machine/cache/"
claim "an nvcc 12 on the PATH is not used, and it is said" $?

new_machine
new_nvcc "$bin/nvcc" 13.0 refuses
lab setup
[[ $status == 0 ]] && says "13.0 but does not compile a kernel" && records "$machine/cache/"
claim "an nvcc 13.0 that compiles no kernel is not used, and it is said" $?

new_machine
new_nvcc "$bin/nvcc" 13.0 compiles
lab setup
[[ $status == 0 && ! -e $machine/pip.log ]] && records "[==[$bin/nvcc]==]"
claim "the machine's own CUDA 13.0 is used if it compiles a kernel" $?

rm "$bin/nvcc"
lab x
[[ $status == 0 && $(configured) == 2 ]] && records "$machine/cache/"
claim "when that goes, another is fetched and the build configured anew" $?

new_machine
pip=slow start_lab x
await test -e "$machine/half-way"
kill -TERM "$lab_process"
end_lab
[[ $status == 130 ]] && says "to go on: ./lab" && [[ -z $(kept) ]]
claim "stopped half-way, it keeps nothing half-made" $?

new_machine
pip=slow start_lab x
await test -e "$machine/half-way"
killed=$lab_process
start_lab y
await grep -qs "Another ./lab is setting up" "$output"
sleep 1
waits=$(wc -l <"$output")
kill -KILL "$killed"
wait "$killed" 2>/dev/null
end_lab
[[ $status == 0 && $waits == 1 && -x $(toolkit)/bin/nvcc && $(cd "$machine/cache" && echo .part*) == ".part*" ]] &&
  says "lab got: y"
claim "two do not set up at once; when the first is killed, the second clears up and goes on" $?

new_machine
# shellcheck disable=SC2016  # the stand-in's own variable
program "$bin/uname" <<<'case $1 in -s) echo Darwin ;; *) echo arm64 ;; esac'
lab
[[ $status == 1 ]] && says "stopped at: platform" && says "chapters/*/README.md"
claim "elsewhere than on x86-64 Linux it says what is possible" $?

lab help
[[ $status == 0 ]] && says "./lab doctor" && lab --version && [[ $said == "warpwright 1.2.3" ]]
claim "help and --version work anywhere" $?

new_machine
lab doctor
[[ $status == 1 && ! -e $clone/.lab && ! -e $machine/cache ]] &&
  says "missing   CUDA compiler" && says "mend: ./lab setup"
claim "doctor names what is missing and its remedy, and changes nothing" $?

lab setup
lab doctor
[[ $status == 0 ]] && says "All that is needed is here"
claim "doctor is content after set-up" $?

new_machine
program "$bin/cmake" <<<'echo "cmake version 3.22.1"'
lab doctor
! says "ok        CMake              3.25           3.22"
claim "a CMake before 3.25 does not count" $?

new_machine
program "$bin/g++" <<<'echo 10.2.1'
lab doctor
! says "ok        C++ compiler       g++ 11 to 15   10.2"
claim "a g++ before 11 does not count" $?

echo "$passed passed, $failed failed"
[[ $failed == 0 ]]
