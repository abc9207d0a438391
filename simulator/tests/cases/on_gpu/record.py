"""What a GPU does with the cases, and which of compute-sanitizer's four tools finds them.

    python3 simulator/tests/cases/on_gpu/record.py OUT.json

    python3 simulator/tests/cases/on_gpu/record.py simulator/tests/cases/on_gpu/h200.json

Needs nvcc and compute-sanitizer on the PATH. Each case is compiled for this machine's GPU, as a program of its own;
its mistake and its mended form run 20 times each, and once under each tool. A result is right if it is the mended
form's. A program that does not end within 20 seconds hangs, and a tool that has not ended after a minute has found
nothing. The site's table of mistakes is made from OUT.json.

Invariant: every mended form ends without an error, and always with the same result; otherwise nothing is written.
"""

from __future__ import annotations

import concurrent.futures
import datetime
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

here = Path(__file__).resolve().parent
tools = ("memcheck", "racecheck", "initcheck", "synccheck")
forms = ("mistake", "mended")
runs = 20


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    cases = sorted(here.parent.glob("*.cu"))
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        programs = dict(zip(cases, pool.map(lambda case: compiled(case, Path(folder)), cases), strict=True))
        alone = {(case, form): by_itself(programs[case], form) for case in cases for form in forms}
        watched = {
            (case, form, tool): pool.submit(found_by, tool, programs[case], form)
            for case in cases
            for form in forms
            for tool in tools
        }
        found = {what: future.result() for what, future in watched.items()}
    table = {}
    for case in cases:
        right = {tuple(run) for run in alone[case, "mended"]}
        if len(alone[case, "mended"]) != runs or len(right) != 1 or next(iter(right))[0] != "cudaSuccess":
            print(f"{case.stem}, mended: {sorted(right)}", file=sys.stderr)
            return 1
        table[case.stem] = {}
        for form in forms:
            ends = [end for end, _ in alone[case, form] if end != "cudaSuccess"]
            table[case.stem][form] = {
                "ended": ends[0] if ends else "cudaSuccess",
                "wrong": sum(tuple(run) not in right for run in alone[case, form]),
                "runs": len(alone[case, form]),
            } | {tool: found[case, form, tool] for tool in tools}
    Path(sys.argv[1]).write_text(json.dumps({"context": context(), "cases": table}, indent=1) + os.linesep)
    return 0


def compiled(case: Path, folder: Path) -> Path:
    program = folder / case.stem
    command = ["nvcc", "-std=c++17", "-g", "-lineinfo", "-arch=native", f"-DCASE={case.stem}", "-o", program, case]
    command += [here / "program.cpp", "-Xlinker", "--wrap=cudaMalloc", "-Xlinker", "--wrap=cudaFree"]
    subprocess.run(command, check=True)
    return program


def by_itself(program: Path, form: str) -> list[list[str]]:
    """For each run, how it ended, and its result."""
    said = output_of([program, form, str(runs)], seconds=20)
    return [["hangs", ""]] if said is None else [line.split() for line in said.splitlines()]


def found_by(tool: str, program: Path, form: str) -> int:
    """How many errors or hazards the tool counts."""
    command = ["compute-sanitizer", "--tool", tool, program, form, "watched"]
    said = output_of(command, seconds=60)
    if said is None:
        return 0
    summary = re.search(r"(?:ERROR|RACECHECK) SUMMARY: (\d+)", said)
    if summary is None:
        raise RuntimeError(f"{shlex.join(map(str, command))} says:\n{said}")
    return int(summary[1])


def output_of(command: list, seconds: int) -> str | None:
    """What the command prints; nothing when it hangs, and then it is ended with all that it has started."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True)
    try:
        return process.communicate(timeout=seconds)[0]
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return None


def context() -> dict[str, str]:
    def said(*command: str) -> str:
        return subprocess.run(command, capture_output=True, text=True).stdout.strip()

    gpu = said("nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader").splitlines()[0].split(", ")
    return {
        "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        "device": gpu[0],
        "driver": gpu[1],
        "toolkit": re.search(r"release ([\d.]+)", said("nvcc", "--version"))[1],
        "sanitizer": re.search(r"[Vv]ersion (\S+)", said("compute-sanitizer", "--version"))[1],
        "commit": os.environ.get("WARPWRIGHT_COMMIT") or said("git", "rev-parse", "HEAD"),
        "command": shlex.join(["python3", "simulator/tests/cases/on_gpu/record.py", *sys.argv[1:]]),
    }


if __name__ == "__main__":
    sys.exit(main())
