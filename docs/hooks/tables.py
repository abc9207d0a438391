"""The fenced blocks `counters`, `results` and `plot`: tables and curves of numbers (figures.py, recorded.py).

    ``` counters                          ``` results
    of: [solution.reduce.v0, ...]         file: results/h200.json
    n: 1048576                            of: [reduce.v0, reduce.v1]
    count:                                n: [65536, 16777216]
      bank conflicts: shared_load_...     show: {GB/s: GB/s, of the read roof: "roof_%"}
    per: block                            ```
    ```

Results of one size have a row for each run, others a row for each size; `per: element` (or `warp`) divides them. A plot
with `n: N` has a bar for each run, one without it a curve over all sizes. Runs may be named: `of: {ours: reduce.v0}`.

A run that nobody has recorded yet fails the build, unless the block says so: `until_recorded: COMMAND` leaves a gap
that tells the command.

Every table says under it where its numbers come from, and the command that gives them again.
"""

from __future__ import annotations

import html
import re

import yaml

import plots
from figures import Figures, shown
from problem import Problem


def block(kind: str, body: str, figures: Figures, page: str) -> str:
    """HTML for a fenced block of one of these kinds."""
    try:
        wish = yaml.safe_load(body)
    except yaml.YAMLError as error:
        raise Problem(f"this block is no YAML: {' '.join(str(error).split())}") from None
    if not isinstance(wish, dict):
        raise Problem(f"a block of {kind} holds lines NAME: VALUE", "see docs/hooks/tables.py")
    wish = _Wish(kind, wish)
    table = {"counters": _counters, "results": _results, "plot": _plot}[kind](wish, figures, page)
    wish.demand_nothing_else()
    return table


class _Wish:
    """The block's entries. Each is asked for once; one that nobody asked for is a mistake."""

    def __init__(self, kind: str, entries: dict):
        self.kind = kind
        self.entries = dict(entries)

    def take(self, name: str, default: object = None):
        if name in self.entries:
            return self.entries.pop(name)
        if default is None:
            raise Problem(f"this block of {self.kind} lacks {name}:", "see docs/hooks/tables.py")
        return default

    def take_list(self, name: str, default: object = None) -> list:
        found = self.take(name, default)
        return found if isinstance(found, list) else [found]

    def take_named(self, name: str, default: object = None) -> dict[str, str]:
        """Words and what they stand for; a plain list stands for itself."""
        found = self.take(name, default)
        if isinstance(found, dict):
            return found
        return {str(item).replace("_", " "): str(item) for item in (found if isinstance(found, list) else [found])}

    def take_runs(self) -> tuple[list[str], list[str]]:
        """What stands for the runs in `of`, and their names: words given with them, or what is their own of a name."""
        if isinstance(self.entries.get("of"), dict):
            named = self.take("of")
            return list(named), list(named.values())
        names = self.take_list("of")
        return _heads(names), names

    def demand_nothing_else(self) -> None:
        if self.entries:
            raise Problem(
                f"a block of {self.kind} knows no {', '.join(map(str, self.entries))}", "see docs/hooks/tables.py"
            )


def _counters(wish: _Wish, figures: Figures, page: str) -> str:
    names = wish.take_list("of")
    n = wish.take("n", 1 << 20)
    counts = wish.take_named("count")
    per = wish.take("per", "launch")
    launch = wish.take("launch", 1)
    profiles = [figures.profile(name, n).launch(launch) for name in names]
    divisors = {
        "launch": lambda p: 1,
        "block": lambda p: p.blocks,
        "element": lambda p: n,
        "warp": lambda p: p.metric("launched_warps"),
    }
    if per not in divisors:
        raise Problem(f"per: {per} is none of {', '.join(divisors)}")
    rows = []
    for words, metric in counts.items():
        full = figures.metric_names.get(metric, metric)
        cells = [shown(profile.metric(metric) / divisors[per](profile)) for profile in profiles]
        rows.append((f'{html.escape(words)}<br><code class="metric">{_breakable(full)}</code>', cells))
    shapes = {(p.blocks, p.threads) for p in profiles}
    shape = f", {shown(profiles[0].blocks)} blocks of {profiles[0].threads} threads" if len(shapes) == 1 else ""
    which = "the first launch" if launch == 1 else f"launch {launch}"
    unit = "" if per == "launch" else f", for each {per}"
    source = f"Counted on the {profiles[0].device} at n = {shown(n)}, {which}{shape}{unit}."
    short = names[-1].removeprefix("solution.")
    command = f"./lab profile {short}{' --solution' if short != names[-1] else ''} --n {n}"
    program, is_one_of_several, _ = names[-1].partition("/")
    if is_one_of_several:
        command = f"build/sim/bin/bench.{program} --only '{names[-1]}' --n {n}"
    again = f"Again, for {names[-1]}:" if len(names) > 1 else "Again:"
    return _table(_heads(names), rows, f"{html.escape(source)} {again} <code>{html.escape(command)}</code>")


def _results(wish: _Wish, figures: Figures, page: str) -> str:
    if gap := _gap(wish, figures, page):
        return gap
    recorded = figures.recorded(wish.take("file"), page)
    heads, names = wish.take_runs()
    sizes = wish.take_list("n", recorded.sizes(names[0]))
    shows = wish.take_named("show")
    per = wish.take("per", "run")
    elements = {"run": 0, "element": 1, "warp": 32}
    if per not in elements:
        raise Problem(f"per: {per} is none of {', '.join(elements)}")

    def cell(name: str, size: int, counter: str) -> str:
        return shown(recorded.value(name, size, counter) / (size / elements[per] if elements[per] else 1))

    unit = {"run": "", "element": "For each element. ", "warp": "For each 32 elements. "}[per]
    if len(sizes) == 1 and len(shows) > 1:
        rows = [
            (html.escape(head), [cell(name, sizes[0], counter) for counter in shows.values()])
            for head, name in zip(heads, names, strict=True)
        ]
        return _table(list(shows), rows, f"n = {shown(sizes[0])}. {unit}{measured(recorded)}")
    rows = []
    for size in sizes:
        for words, counter in shows.items():
            label = f"n = {shown(size)}" + (f", {html.escape(words)}" if len(shows) > 1 else "")
            rows.append((label, [cell(name, size, counter) for name in names]))
    what = "" if len(shows) > 1 else f"{html.escape(next(iter(shows)))}. "
    return _table(heads, rows, what + unit + measured(recorded))


def _gap(wish: _Wish, figures: Figures, page: str) -> str:
    """What stands in for numbers that are still to be recorded; empty if they are there, or have to be."""
    command = wish.take("until_recorded", "")
    path = wish.entries.get("file", "")
    if not command or figures.is_recorded(path, page):
        return ""
    wish.entries.clear()
    return (
        f'<figure class="numbers"><figcaption>Not recorded yet: {html.escape(path)} is not there. To record it: '
        f"<code>{html.escape(command)}</code></figcaption></figure>"
    )


def _plot(wish: _Wish, figures: Figures, page: str) -> str:
    """Curves over the sizes; bars, where the block asks for one size."""
    if gap := _gap(wish, figures, page):
        return gap
    recorded = figures.recorded(wish.take("file"), page)
    heads, names = wish.take_runs()
    shows = wish.take_named("show", "GB/s")
    if len(shows) != 1:
        raise Problem("a plot shows one number of each run")
    ((words, counter),) = shows.items()
    title = wish.take("title", "")
    if size := wish.take("n", 0):
        values = {head: recorded.value(name, size, counter) for head, name in zip(heads, names, strict=True)}
        drawn, about = plots.bars(values, title, words), f"{html.escape(words)}, n = {shown(size)}. "
    else:
        series = {name: [(n, recorded.value(name, n, counter)) for n in recorded.sizes(name)] for name in names}
        empty = [name for name, points in series.items() if not points]
        if empty:
            raise Problem(f"{recorded.path} has no {empty[0]}")
        curves = {head: series[name] for head, name in zip(heads, names, strict=True)}
        drawn, about = plots.curves(curves, title, words), ""
    return f'<figure class="numbers plot">{drawn}<figcaption>{about}{measured(recorded)}</figcaption></figure>'


def measured(recorded) -> str:
    """Where a recorded number comes from, as HTML."""
    c = {
        name: html.escape(str(value))
        for name, value in recorded.context.items()
        if isinstance(value, (str, int, float))
    }
    return (
        f"Measured on {c['date'][:10]}: {c['device']} (driver {c['driver']}, CUDA {c['toolkit']}, clock {c['clock']}, "
        f"commit {c['commit'][:10]}). Again: <code>{c['command']}</code>"
    )


def _breakable(name: str) -> str:
    """A long name as HTML that may break between its words."""
    return re.sub(r"(?<=[_.])(?=[a-z])", "<wbr>", html.escape(name))


def _heads(names: list[str]) -> list[str]:
    """Names as column heads: without what all of them begin with."""
    parts = [re.match(r"(.*[./])?(.*)", name) for name in names]
    return [part[2] for part in parts] if len({part[1] for part in parts}) == 1 and len(names) > 1 else names


def _table(heads: list[str], rows: list[tuple[str, list[str]]], caption: str) -> str:
    head = "".join(f'<th scope="col">{html.escape(name)}</th>' for name in heads)
    body = "".join(
        f'<tr><th scope="row">{label}</th>' + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"
        for label, cells in rows
    )
    table = f'<table class="numbers-table"><thead><tr><td></td>{head}</tr></thead><tbody>{body}</tbody></table>'
    scroller = f'<div class="numbers-scroll" tabindex="0">{table}</div>'
    return f'<figure class="numbers">{scroller}<figcaption>{caption}</figcaption></figure>'
