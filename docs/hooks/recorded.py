"""Recorded runs on a real GPU: Google Benchmark's JSON, with the conditions under which it was measured.

Invariant: a file that does not say how it was measured is not quoted. The conditions stand in its `context`.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

from problem import Problem

conditions = ("device", "driver", "toolkit", "clock", "date", "commit", "command")


@dataclass
class Recorded:
    path: str
    context: dict
    runs: list[dict]

    @staticmethod
    def read(root: Path, path: str) -> Recorded:
        try:
            data = json.loads((root / path).read_text(encoding="utf-8"))
            context, runs = data["context"], data["benchmarks"]
        except FileNotFoundError:
            raise Problem(f"there is no recorded run {path}") from None
        except (json.JSONDecodeError, KeyError, TypeError) as error:
            raise Problem(f"{path} is no result of Google Benchmark: {error!r}") from None
        missing = [name for name in conditions if not str(context.get(name, "")).strip()]
        if missing:
            raise Problem(
                f"{path} does not say its {', '.join(missing)}", "record it with ./lab bench --json, which writes them"
            )
        failed = [run["name"] for run in runs if run.get("error_occurred")]
        if failed:
            raise Problem(f"{path} holds a failed run: {failed[0]}")
        return Recorded(path, context, [run for run in runs if run.get("run_type", "iteration") == "iteration"])

    def sizes(self, name: str) -> list[int]:
        return sorted(size for found, size in map(_subject, self.runs) if found == name)

    def value(self, name: str, n: int, counter: str = "GB/s") -> float:
        """A run's counter (or field, such as real_time)."""
        for run in self.runs:
            if _subject(run) == (name, n):
                if counter not in run:
                    raise Problem(f"{self.path}: {name} at n = {n} has no {counter}")
                return run[counter]
        known = sorted({_subject(run)[0] for run in self.runs})
        raise Problem(f"{self.path} has no {name} at n = {n}", "it has: " + ", ".join(known))

    def ratio(self, name: str, of: str, n: int, counter: str = "GB/s") -> float:
        """One run's counter, for each of another's."""
        return self.value(name, n, counter) / self.value(of, n, counter)


def _subject(run: dict) -> tuple[str, int]:
    """What ran, and its size: Google Benchmark calls it "memory.copies/stride 8/65536/iterations:50/manual_time"."""
    words = run["name"].split("/")
    at = next((i for i, word in enumerate(words) if re.fullmatch(r"(n:)?\d+", word)), None)
    if at is None:
        return words[0], 0
    return "/".join(words[:at]), int(words[at].removeprefix("n:"))
