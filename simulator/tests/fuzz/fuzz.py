#!/usr/bin/env python3
"""Feeds what reads device code with made-up inputs: python3 simulator/tests/fuzz/fuzz.py [--seconds N] [TARGET...]

Builds the preset `fuzz` with clang++ and libFuzzer, and gives each target its committed corpus and then N seconds of
inputs derived from it. New inputs stay in build/fuzz/corpus/, so that a longer run goes on where a shorter one ended.
An input that breaks a promise stays in build/fuzz/found/, and the command that repeats it is printed: make it small,
put it into corpus/TARGET/, and a test beside the code that is to be mended.

Without clang++ this is skipped. Continuous integration (CI=true) has to have it, and installs Debian's where it can.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

here = Path(__file__).resolve().parent
root = here.parents[2]
build = root / "build" / "fuzz"
every_target = sorted(path.name for path in (here / "corpus").iterdir())
longest_input = 16384
options = [
    f"-max_len={longest_input}",
    "-timeout=60",  # seconds an input, on a machine that does other work
    "-rss_limit_mb=2048",
    "-print_final_stats=1",
    "-verbosity=1",
]


class Problem(Exception):
    """Something that stops the work: what happened, and what mends it."""

    def __init__(self, what: str, mend: str):
        super().__init__(what)
        self.mend = mend


def working_clang() -> str | None:
    """A clang++ whose own libraries are here: those of libFuzzer and of the sanitizers are packages of their own."""
    probe = "#include <cstdint>\n#include <cstddef>\n" + (
        'extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t*, std::size_t) { return 0; }\n'
    )
    for name in ("clang++", *(f"clang++-{version}" for version in range(24, 13, -1))):
        compiler = shutil.which(name)
        if compiler is None:
            continue
        with tempfile.TemporaryDirectory() as folder:
            command = [compiler, "-std=c++20", "-fsanitize=fuzzer,address,undefined", "-x", "c++", "-", "-o", "probe"]
            if subprocess.run(command, input=probe, text=True, cwd=folder, capture_output=True).returncode == 0:
                return compiler
    return None


def clang() -> str | None:
    found = working_clang()
    if found or os.environ.get("CI") != "true":
        return found
    if os.geteuid() == 0 and shutil.which("apt-get"):
        print("installing clang", file=sys.stderr, flush=True)
        apt = ["apt-get", "-y", "-q", "-o", "DPkg::Lock::Timeout=300"]
        quiet = {"env": os.environ | {"DEBIAN_FRONTEND": "noninteractive"}, "capture_output": True}
        subprocess.run([*apt, "update"], **quiet)
        subprocess.run([*apt, "install", "--no-install-recommends", "clang", "libclang-rt-dev"], **quiet)
        found = working_clang()
    if not found:
        raise Problem("fuzzing needs clang++ with libFuzzer, and CI=true", "sudo apt-get install clang libclang-rt-dev")
    return found


def make(targets: list[str], compiler: str) -> None:
    locked = ["cmake", "-P", str(root / "cmake" / "toolkit" / "locked.cmake"), "--", str(build), "cmake"]
    programs = [f"fuzz_{target}" for target in targets]
    for step in (
        ["-S", str(root), "--preset", "fuzz", f"-DCMAKE_CXX_COMPILER={compiler}"],
        ["--build", str(build), "--target", *programs, "--parallel", str(os.cpu_count() or 1)],
    ):
        done = subprocess.run([*locked, *step], cwd=root, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode != 0:
            raise Problem(
                "the targets do not build:\n" + done.stdout, f"mend that, then: python3 {name_of(here)}/fuzz.py"
            )


def name_of(path: Path) -> str:
    return str(path.relative_to(root)) if path.is_relative_to(root) else str(path)


def fuzz(target: str, seconds: int) -> bool:
    program = build / "bin" / f"fuzz_{target}"
    more, found = build / "corpus" / target, build / "found"
    more.mkdir(parents=True, exist_ok=True)
    found.mkdir(exist_ok=True)
    command = [program, *options, f"-max_total_time={seconds}", f"-artifact_prefix={found}/{target}-"]
    dictionary = here / f"{target}.dict"
    if dictionary.exists():
        command.append(f"-dict={dictionary}")
    command += [more, here / "corpus" / target]
    done = subprocess.run(
        command, cwd=root, text=True, errors="replace", stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    lines = done.stdout.splitlines()
    if done.returncode == 0:
        executed = next((line for line in lines if "number_of_executed_units" in line), "")
        print(f"{target}: {executed.split(':')[-1].strip()} inputs in {seconds} s, all survived", flush=True)
        return True
    print("\n".join(lines[-60:]))
    kept = next((line.split()[-1] for line in lines if "Test unit written to" in line), None)
    print(
        f"{target}: did not survive an input" + (f"; repeat: {name_of(program)} {name_of(Path(kept))}" if kept else "")
    )
    return False


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"of {', '.join(every_target)} (default: all)")
    parser.add_argument("--seconds", type=int, default=600, help="for each target (default: 600)")
    arguments = parser.parse_args()
    targets = arguments.targets or every_target
    for target in targets:
        if target not in every_target:
            parser.error(f"there is no target {target}: there are {', '.join(every_target)}")
    try:
        compiler = clang()
        if compiler is None:
            print("skipped: fuzzing needs clang++ with libFuzzer: sudo apt-get install clang libclang-rt-dev")
            return 0
        make(targets, compiler)
        survived = [fuzz(target, arguments.seconds) for target in targets]
        return 0 if all(survived) else 1
    except Problem as problem:
        print(f"{problem}\n  next: {problem.mend}")
        return 1


if __name__ == "__main__":
    sys.exit(main())
