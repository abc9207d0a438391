"""What a GPU counts of single launches, recorded beside its times.

    python3 common/gpu/counters.py OUT.json PROGRAM N FILTER METRIC...

    python3 common/gpu/counters.py chapters/02-memory/results/h200-counters.json build/gpu/bin/bench.memory \
        16777216 '^memory.copies/' dram__bytes_read.sum

Nsight Compute (ncu, on the PATH) watches `PROGRAM --once N`, in which each benchmark that FILTER matches runs once. If
it launches several kernels, they are added up, and only sums may be asked for. OUT.json has the format of recorded
runs: what quotes those quotes these.

Invariant: as many launches are counted as the benchmarks have launched, all of which were right; otherwise nothing is
written.
"""

from __future__ import annotations

import csv
import datetime
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path


def main() -> int:
    if len(sys.argv) < 6:
        print(__doc__, file=sys.stderr)
        return 2
    out, program, n, wanted, *metrics = sys.argv[1:]
    command = ["ncu", "--csv", "--page", "raw", "--print-units", "base", "--clock-control", "none"]
    command += ["--profile-from-start", "off"]
    command += ["--metrics", ",".join(metrics), program, "--once", n, f"--benchmark_filter={wanted}"]
    done = subprocess.run(command, capture_output=True, text=True)
    lines = done.stdout.splitlines()
    found = [re.fullmatch(r"(\S.*?)  right, (\d+) launched", line) for line in lines]
    subjects = [(match[1], int(match[2])) for match in found if match]
    table = list(csv.DictReader(line for line in lines if line.startswith('"')))
    launches = [row for row in table if row.get("ID")]  # the row below the heads holds units
    launched = sum(count for _, count in subjects)
    if done.returncode or not subjects or len(launches) != launched:
        print(done.stdout + done.stderr, file=sys.stderr)
        print(f"{len(subjects)} benchmarks were right; {launched} launches, {len(launches)} counted", file=sys.stderr)
        return 1
    if launched != len(subjects) and not all(metric.endswith(".sum") for metric in metrics):
        print("several launches of one benchmark can be added up in sums only", file=sys.stderr)
        return 1
    context = {"date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds")}
    context |= {found[1]: found[2] for line in lines if (found := re.fullmatch(r"([a-z]+): (.+)", line))}
    context["command"] = shlex.join(["python3", "common/gpu/counters.py", *sys.argv[1:]])
    context["profiler"] = version()
    runs = []
    for name, count in subjects:
        own, launches = launches[:count], launches[count:]
        counted = {metric: sum(number(launch[metric]) for launch in own) for metric in metrics}
        runs.append({"name": f"{name}/{n}", "run_type": "iteration"} | counted)
    Path(out).write_text(json.dumps({"context": context, "benchmarks": runs}, indent=1) + os.linesep)
    return 0


def number(text: str) -> int | float:
    value = float(text.replace(",", ""))
    return int(value) if value == int(value) else value


def version() -> str:
    said = subprocess.run(["ncu", "--version"], capture_output=True, text=True).stdout
    found = re.search(r"Version (\S+)", said)
    return f"Nsight Compute {found[1]}" if found else "Nsight Compute"


if __name__ == "__main__":
    sys.exit(main())
