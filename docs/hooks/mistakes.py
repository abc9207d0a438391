"""The fenced block `mistakes`: a table of the simulator's cases, made from the head of each case's own file.

A case begins with comment lines: what the mistake is, and `expect:` what the simulator must say (its test holds it to
that). What the same program did on the card, and which of compute-sanitizer's tools found the mistake, is recorded by
on_gpu/record.py.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from problem import Problem

folder = "simulator/tests/cases"
record = f"{folder}/on_gpu/h200.json"
tools = ("memcheck", "racecheck", "initcheck", "synccheck")


def block(root: Path) -> str:
    """A Markdown table, one row for each case, and under it the conditions of the record."""
    files = sorted((root / folder).glob("*.cu"))
    if not files:
        raise Problem(f"{folder} holds no cases")
    recorded = json.loads((root / record).read_text(encoding="utf-8"))
    rows = ["| Case | Mistake | The simulated GPU says | An H200, and compute-sanitizer |", "|---|---|---|---|"]
    rows += [_row(file, recorded["cases"]) for file in files]
    c = recorded["context"]
    rows += [
        "",
        f"Seen on {c['date'][:10]}: {c['device']} (driver {c['driver']}, CUDA {c['toolkit']}, compute-sanitizer "
        f"{c['sanitizer']}, commit {c['commit'][:10]}). Again: `{c['command']}`",
    ]
    return "\n".join(rows)


def _row(file: Path, recorded: dict) -> str:
    words, says = [], []
    for line in file.read_text(encoding="utf-8").splitlines():
        if not line.startswith("// "):
            break
        text = line[3:]
        if text.startswith("expect: "):
            says.append(text.removeprefix("expect: "))
        else:
            words.append(text)
    if not words or not says:
        raise Problem(f"{folder}/{file.name} does not say what it is, and what to expect")
    name = f"<code>{file.stem.replace('_', '_<wbr>')}</code>"  # else a narrow column breaks it within a word
    cells = name, " ".join(words), "; ".join(map(_said, says)), _on_card(recorded.get(file.stem), says)
    return f"| {' | '.join(cells)} |"


def _on_card(forms: dict | None, expectations: list[str]) -> str:
    """What a card did with a case, in words."""
    if forms is None:
        return "not tried"
    mistake, mended = forms["mistake"], forms["mended"]
    only_slow = all(expectation.startswith("cost") for expectation in expectations)
    if mistake["ended"] == "hangs":
        did = "hangs"
    elif mistake["ended"] != "cudaSuccess":
        did = f"fails: `{mistake['ended']}`"
    elif mistake["wrong"] == 0:
        did = "right" if only_slow else "right by luck"
    elif mistake["wrong"] < mistake["runs"]:
        did = f"wrong in {mistake['wrong']} of {mistake['runs']} runs"
    else:
        did = "wrong"
    by = [tool for tool in tools if mistake[tool] and not mended[tool]]
    both = [tool for tool in tools if mended[tool]]
    if by:
        found = f"{' and '.join(by)} {'find' if len(by) > 1 else 'finds'} it"
    elif both:
        found = f"{' and '.join(both)} {'tell' if len(both) > 1 else 'tells'} as much of the mended form"
    else:
        found = "nothing to find" if only_slow else "not found"
    return f"{did}; {found}"


def _said(expectation: str) -> str:
    """An expectation without the words that only its test needs."""
    if cost := re.match(r"cost (\d+) for (\d+) at \[(.*?)\]", expectation):
        return f"{cost[1]} where {cost[2]} would do, at the {cost[3]}"
    if expectation.startswith("coverage"):
        return "which bytes of the output no launch has written"
    kind, at = re.match(r"(.*?) at \[(.*?)\]", expectation).groups()
    said = f"**{kind}** at the {at}"
    if other := re.search(r" with \[(.*?)\]", expectation):
        said += f", and the {other[1]}" if other[1] != at else ", twice"
    if place := re.search(r"allocated at \[(.*?)\]", expectation):
        said += f", and the line of the {place[1]}"
    return said
