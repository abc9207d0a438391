"""Figures: what pages say of counters and times is taken from programs and recorded runs, here and nowhere else.

`{{ ... }}` in a page's text is an expression of these functions, with Jinja's arithmetic and filters:

    profile("solution.reduce.v1", n=1048576).metric("shared_load_conflicts")
    profile("solution.reduce.v0").blocks
    recorded("results/h200.json").value("reduce.v2", n=16777216, counter="GB/s")
    recorded("results/h200.json").ratio("reduce.v2", "reduce.v1", n=16777216, counter="GB/s")

Invariant: a number that cannot be had fails the build; none is typed twice. Counting is exact and depends on the
program alone, so that profiles are kept, keyed by the program's content.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
import shutil
import subprocess
from dataclasses import dataclass
from functools import cached_property

from jinja2 import StrictUndefined, TemplateError
from jinja2.sandbox import SandboxedEnvironment

from problem import Problem
from recorded import Recorded
from site_model import Site, repository_path

seconds_limit = 600

_expression = re.compile(r"\{\{(.+?)\}\}")


def expressions(line: str) -> list[str]:
    """The expressions in a line of text."""
    return [match[1] for match in _expression.finditer(line)]


@dataclass
class Profile:
    """What one run of a benchmark's program counted. Without `launch(i)`, the first launch is meant."""

    program: str
    data: dict
    names: dict[str, str]
    index: int = 0

    def launch(self, number: int) -> Profile:
        """The launch with this number, from 1."""
        if not 1 <= number <= len(self.data["launches"]):
            raise Problem(f"{self.program} has {len(self.data['launches'])} launches, and no number {number}")
        return Profile(self.program, self.data, self.names, number - 1)

    @property
    def launches(self) -> int:
        return len(self.data["launches"])

    @property
    def device(self) -> str:
        return self.data["device"]

    @property
    def kernel(self) -> str:
        return self._launch["kernel"]

    @property
    def blocks(self) -> int:
        return math.prod(self._launch["grid"])

    @property
    def threads(self) -> int:
        """Threads of one block."""
        return math.prod(self._launch["block"])

    @property
    def _launch(self) -> dict:
        if not self.data["launches"]:
            raise Problem(f"{self.program} launched nothing")
        return self.data["launches"][self.index]

    def metric(self, name: str) -> int | float:
        """One launch's count of a metric, by its own name or its short one in simulator/observe/metrics.h. A name that
        neither the launch nor that file knows is an error; what is not in the launch was counted 0 times."""
        return self._count(self._launch, name)

    def by_block(self, name: str) -> int | float:
        """One launch's count of a metric, for each of its blocks."""
        return self.metric(name) / self.blocks

    def ratio(self, name: str, of: str) -> int | float:
        """One metric of a launch for each of another."""
        return self.metric(name) / self.metric(of)

    def total(self, name: str) -> int | float:
        """The count of all launches together."""
        return sum(self._count(launch, name) for launch in self.data["launches"])

    def _count(self, launch: dict, name: str) -> int | float:
        full = self.names.get(name, name)
        if full in launch["metrics"]:
            return launch["metrics"][full]
        if full in self.names.values():
            return 0
        raise Problem(
            f"{self.program} has no metric {name}",
            "short names are in simulator/observe/metrics.h; full ones: " + ", ".join(sorted(launch["metrics"])),
        )


class Figures:
    def __init__(self, site: Site):
        self.site = site
        self.profiles: dict[tuple[str, int | None], Profile] = {}
        self.jinja = SandboxedEnvironment(undefined=StrictUndefined)

    def replace(self, line: str, page: str) -> str:
        """The line with every expression replaced by its value. `page` is its path in the repository."""
        return _expression.sub(lambda match: self.value(match[1].strip(), page), line)

    def value(self, expression: str, page: str) -> str:
        known = {"profile": self.profile, "recorded": lambda path: self.recorded(path, page)}
        try:
            result = self.jinja.compile_expression(expression, undefined_to_none=False)(**known)
            if result is None or isinstance(result, (StrictUndefined, Profile, Recorded)):
                raise Problem(
                    f"{{{{ {expression} }}}} is no number", "end it with .metric(...), .value(...) or the like"
                )
            return shown(result)
        except (TemplateError, TypeError, ValueError, ArithmeticError) as error:
            raise Problem(
                f"{{{{ {expression} }}}}: {error}", "what can be written here: docs/hooks/figures.py"
            ) from None

    def recorded(self, path: str, page: str) -> Recorded:
        found = repository_path(self.site.root, page, path)
        return Recorded.read(self.site.root, found or path)

    def is_recorded(self, path: str, page: str) -> bool:
        found = repository_path(self.site.root, page, path)
        return (self.site.root / (found or path)).is_file()

    @cached_property
    def metric_names(self) -> dict[str, str]:
        """The short names of metrics, from the header that holds every name once."""
        header = self.site.read("simulator/observe/metrics.h")
        return dict(re.findall(r"constexpr std::string_view (\w+)\s*=\s*\"([^\"]+)\"", header))

    def profile(self, name: str, n: int | None = None) -> Profile:
        """The counters of `NAME` (the exercise as it is in exercises/) or `solution.NAME`, at size n; or of one of the
        benchmarks that are compared with, `NAME/WHICH`."""
        if (name, n) not in self.profiles:
            if name.partition("/")[0] not in self.site.comparisons:
                self.site.exercise(name.removeprefix("solution."))
            self.profiles[name, n] = Profile(name, self._count(name, n), self.metric_names)
        return self.profiles[name, n]

    def _count(self, name: str, n: int | None) -> dict:
        arguments = ["--profile", "--json"] + (["--n", str(n)] if n is not None else [])
        program, is_one_of_several, _ = name.partition("/")
        if is_one_of_several:
            arguments += ["--only", name]
        out = run(self.site, f"bench.{program}", arguments)
        if out.status != 0:
            raise Problem(
                f"bench.{name} {' '.join(arguments)} ended with status {out.status}: {first_lines(out.errors)}",
                f"./lab test {name}",
            )
        try:
            return json.loads(out.output)
        except json.JSONDecodeError as error:
            raise Problem(f"bench.{name} printed no JSON: {error}") from None


@dataclass
class Outcome:
    status: int
    output: str
    errors: str


def run(site: Site, program: str, arguments: list[str]) -> Outcome:
    """Runs a program of the build folder, or recalls how it ran: the same program does the same again."""
    path = site.build / "bin" / program
    if not path.is_file():
        raise Problem(f"{path} is not built", f"cmake --build {site.build} --target {program}")
    key = hashlib.sha256(path.read_bytes() + b"\0".join(a.encode() for a in [program, *arguments])).hexdigest()
    kept = site.cache / "runs" / f"{key}.json"
    if kept.is_file():
        return Outcome(**json.loads(kept.read_text()))
    try:
        done = subprocess.run([path, *arguments], cwd=site.root, capture_output=True, text=True, timeout=seconds_limit)
    except subprocess.TimeoutExpired:
        raise Problem(f"{program} {' '.join(arguments)} did not end within {seconds_limit} s") from None
    outcome = Outcome(done.returncode, done.stdout, done.stderr)
    kept.parent.mkdir(parents=True, exist_ok=True)
    fresh = kept.with_suffix(".new")
    fresh.write_text(json.dumps(vars(outcome)))
    fresh.rename(kept)
    return outcome


def build_programs(site: Site, programs: set[str]) -> None:
    """Brings the build folder's programs up to date. What cannot be built is reported by the page that needs it."""
    if not programs or not (site.build / "CMakeCache.txt").is_file():
        return
    cache = dict(re.findall(r"^(\w+):\w+=(.*)$", (site.build / "CMakeCache.txt").read_text(), re.M))
    cmake = cache.get("CMAKE_COMMAND") or shutil.which("cmake") or "cmake"
    command = [cmake, "-P", site.root / "cmake/toolkit/locked.cmake", "--", site.build]
    command += [cmake, "--build", site.build, "--target", *sorted(programs)]
    done = subprocess.run(command, cwd=site.root, capture_output=True, text=True)
    if done.returncode:
        failed = re.findall(r"^FAILED: .*?$\n.*?$\n(.*?)(?=^\[|^ninja:)", done.stdout, re.S | re.M)
        raise Problem(
            f"a program that pages quote was not built: {first_lines((failed or [done.stdout + done.stderr])[0])}",
            "mend what the message names, or: ./lab check",
        )


def first_lines(text: str, count: int = 3) -> str:
    return " / ".join(line.strip() for line in text.strip().splitlines()[:count])


def shown(value: object) -> str:
    """Whole numbers with thousands separators, others with three digits that count, tiny ones by a power of ten."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return str(value)
    if not math.isfinite(value):
        raise Problem(f"the number is {value}")
    if value == int(value):
        return f"{int(value):,}"
    exponent = math.floor(math.log10(abs(value)))
    if exponent < -3:
        raised = str(exponent).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
        return f"{value / 10.0**exponent:.2f} · 10{raised}"
    digits = max(0, 2 - exponent)
    return f"{value:,.{digits}f}"
