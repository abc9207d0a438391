#!/usr/bin/env python3
"""Tries the tests: every mechanical change of a solution has to be rejected.

`./lab check --mutants` calls this, with the packages of cmake/linters.txt in the path and the solutions built:

    mutants.py --build FOLDER --jobs N [--sample N] EXERCISE...

A change is tried as the build would: compiled with the solution's own flags, linked with the same test, run. Some are
compiled together (together.py), for most of the time would go to what all of them include; so the unchanged solution is
first compiled beside itself, and only if it still passes its changes are.

  rejected   the test ended with status 1, having said why; the simulator's words on an endless kernel are such
  explained  the test passed, or gave no verdict, and chapters/NN-NAME/mutants/EXERCISE.md gives the reason
  survivor   the test passed: a claim is missing
  no verdict the test crashed, or did not end within its limit: somebody who learns would be left without a word
  invalid    it does not compile or link; the compiler is no test, so this is not counted at all

It fails for any survivor or missing verdict, for an entry that explains nothing, and when less than 95% of an
exercise's changes were rejected, whatever the reasons. Lines that begin with "[" say how far it is.
"""

from __future__ import annotations

import argparse
import json
import shutil
import signal
import sys
import threading
import time
from collections import Counter
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import explained
from changes import Change, Unreadable, changes
from trial import Impossible, Interrupted, Programs, Trial, Verdict

root = Path(__file__).resolve().parents[3]
least_percent = 95
most_together = 16


@dataclass
class Exercise:
    name: str
    solution: Path
    explanations: Path
    text: str = ""
    changes: list[Change] = field(default_factory=list)
    entries: list[explained.Entry] = field(default_factory=list)
    faults: dict[int, str] = field(default_factory=dict)
    of_change: dict[Change, explained.Entry] = field(default_factory=dict)

    def read(self) -> None:
        self.text = self.solution.read_text()
        try:
            self.changes = changes(self.text)
        except Unreadable as what:
            raise SystemExit(
                f"{shown(self.solution)}: {what}\n  next: write it in a way that the parser understands"
            ) from None
        self.entries = explained.read(self.explanations)
        self.of_change, self.faults = explained.matched(self.entries, self.text, self.changes)


def shown(path: Path) -> str:
    return str(path.relative_to(root)) if path.is_relative_to(root) else str(path)


def exercises_of(build: Path, names: list[str]) -> list[Exercise]:
    found = {}
    for chapter in json.loads((build / "course.json").read_text())["chapters"]:
        for exercise in chapter["exercises"]:
            folder = root / chapter["folder"] / "mutants"
            found[exercise["name"]] = Exercise(
                exercise["name"], root / exercise["solution"], folder / f"{exercise['short']}.md"
            )
    return [found[name] for name in names]


def evenly(items: list, count: int | None) -> list:
    """All of them, or a fixed choice of so many, from the first to the last."""
    if count is None or count >= len(items):
        return items
    return [items[i * len(items) // count] for i in range(count)]


def groups(items: list, jobs: int) -> list[list]:
    """The items in groups to be compiled together, with something to do for all jobs."""
    size = max(1, min(most_together, -(-len(items) // jobs)))
    return [items[first : first + size] for first in range(0, len(items), size)]


def outcome(exercise: Exercise, change: Change, verdict: Verdict) -> str:
    if verdict.what in ("survived", "crashed", "timeout"):
        if change in exercise.of_change:
            return "explained"
        return "survivor" if verdict.what == "survived" else "no verdict"
    return verdict.what


def report(exercise: Exercise, change: Change, verdict: Verdict) -> str:
    """A change that got away, as an entry to be completed, and what to do."""
    diff = explained.diff_of(exercise.text, change)
    what = "survived" if verdict.what == "survived" else verdict.said
    return "\n".join(
        [
            f"{shown(exercise.solution)}:{change.line}  {change.kind}  {what}",
            "  ```diff",
            *("  " + line for line in diff),
            "  ```",
            f"  next: claim in the tests of {exercise.name} what tells it from a right kernel; or, if nothing can,",
            f"        enter the diff in {shown(exercise.explanations)}, with the reason below it",
        ]
    )


def judge_entries(exercise: Exercise, verdicts: dict[Change, Verdict]) -> None:
    for change, entry in exercise.of_change.items():
        what = verdicts[change].what if change in verdicts else ""
        if what == "rejected":
            exercise.faults[entry.line] = f"is rejected after all ({verdicts[change].said}): remove the entry"
        elif what == "invalid":
            exercise.faults[entry.line] = f"does not compile ({verdicts[change].said}): remove the entry"


class Count:
    """Says how far the trials are, a line for each, in the order in which they end."""

    def __init__(self, total: int) -> None:
        self.total, self.done, self.began, self.lock = total, 0, time.monotonic(), threading.Lock()

    def one_more(self, exercise: Exercise) -> None:
        with self.lock:
            self.done += 1
            rate = self.done / max(time.monotonic() - self.began, 1e-3)
            say(f"[{self.done}/{self.total}] {exercise.name}  {rate:.1f} a second")


def say(text: str) -> None:
    sys.stdout.write(text + "\n")  # at once, because threads say things too
    sys.stdout.flush()


def try_all(build: Path, exercises: list[Exercise], jobs: int, sample: int | None) -> int:
    programs = Programs()
    rows, failed = [], False
    with ThreadPoolExecutor(jobs) as pool:
        try:
            chosen = [evenly(list(enumerate(exercise.changes)), sample) for exercise in exercises]
            count = Count(sum(map(len, chosen)))
            waiting: list[list[Future]] = []
            for exercise, trials in zip(exercises, chosen, strict=True):
                trial = Trial(programs, root, build, exercise.name, exercise.solution)
                judged = partial(count.one_more, exercise)
                waiting.append([pool.submit(trial.judge, dict(group), judged) for group in groups(trials, jobs)])
            for exercise, futures in zip(exercises, waiting, strict=True):
                verdicts = {change: verdict for future in futures for change, verdict in future.result().items()}
                failed |= conclude(exercise, verdicts, rows, whole=sample is None)
        except BaseException:
            programs.stop()
            pool.shutdown(wait=True, cancel_futures=True)
            raise
    say(table(rows))
    return 1 if failed else 0


def conclude(exercise: Exercise, verdicts: dict[Change, Verdict], rows: list[list[str]], whole: bool) -> bool:
    """Says what is wrong with one exercise, adds its row to the table, and returns whether anything was wrong."""
    judge_entries(exercise, verdicts)
    counts = Counter(outcome(exercise, change, verdict) for change, verdict in verdicts.items())
    for change, verdict in verdicts.items():
        if outcome(exercise, change, verdict) in ("survivor", "no verdict"):
            say(report(exercise, change, verdict))
    for line, fault in sorted(exercise.faults.items()):
        say(f"{shown(exercise.explanations)}:{line}  {fault}")
    total = sum(counts.values()) - counts["invalid"]
    rejected = counts["rejected"]
    accounted = rejected + counts["explained"]
    rows.append(
        [
            exercise.name, str(total), *(str(counts[name]) for name in columns),
            percent(rejected, total), percent(accounted, total),
            str(counts["invalid"]),
        ]
    )  # fmt: skip
    few = whole and rejected * 100 < least_percent * total
    if few:
        say(f"{exercise.name}  rejects {rejected} of {total} changes, fewer than {least_percent}%")
        say("  next: see which of the explained ones a claim could reject")
    return few or bool(exercise.faults) or counts["survivor"] + counts["no verdict"] > 0


columns = ("rejected", "explained", "survivor", "no verdict")


def percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}%" if whole else "-"


def table(rows: list[list[str]]) -> str:
    head = ["exercise", "changes", *columns, "rejected", "or explained", "invalid"]
    sums = [sum(int(row[i]) for row in rows) for i in range(1, 2 + len(columns))]
    shares = [percent(sums[1], sums[0]), percent(sums[1] + sums[2], sums[0])]
    total = ["all", *map(str, sums), *shares, str(sum(int(row[-1]) for row in rows))]
    lines = [head, *rows, *([total] if len(rows) > 1 else [])]
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]
    return "\n".join(
        "  ".join(
            [line[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(line[1:], widths[1:], strict=True))]
        )
        for line in lines
    )


def interrupted(*_) -> None:
    raise KeyboardInterrupt


def main() -> int:
    arguments = argparse.ArgumentParser(prog="mutants.py", description="Tries the tests of exercises.")
    arguments.add_argument("--build", type=Path, required=True)
    arguments.add_argument("--jobs", type=int, required=True)
    arguments.add_argument("--sample", type=int, help="try so many changes of each exercise, always the same")
    arguments.add_argument("names", nargs="+", metavar="EXERCISE")
    wish = arguments.parse_args()
    build = wish.build.resolve()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, interrupted)
    exercises = exercises_of(build, wish.names)
    for exercise in exercises:
        exercise.read()
    try:
        return try_all(build, exercises, wish.jobs, wish.sample)
    except Impossible as what:
        say(f"{what}\n  next: ./lab test {exercises[0].name.split('.')[0]} --solution")
        return 1
    except (KeyboardInterrupt, Interrupted):
        return 130
    finally:
        for exercise in exercises:
            shutil.rmtree(build / "mutants" / exercise.name, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
