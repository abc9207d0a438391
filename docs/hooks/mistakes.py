"""The fenced block `mistakes`: a table of the simulator's cases, made from the head of each case's own file.

A case begins with comment lines: what the mistake is, `expect:` what the simulator must say (its test holds it to
that), and `H200:` what a program with the same mistake did on the card, and whether compute-sanitizer found it.
"""

from __future__ import annotations

import re
from pathlib import Path

from problem import Problem

folder = "simulator/tests/cases"


def block(root: Path) -> str:
    """A Markdown table, one row for each case."""
    files = sorted((root / folder).glob("*.cu"))
    if not files:
        raise Problem(f"{folder} holds no cases")
    rows = ["| Case | Mistake | The simulated GPU says | An H200, and compute-sanitizer |", "|---|---|---|---|"]
    rows += [_row(file) for file in files]
    return "\n".join(rows)


def _row(file: Path) -> str:
    words, says, card = [], [], ""
    for line in file.read_text(encoding="utf-8").splitlines():
        if not line.startswith("// "):
            break
        text = line[3:]
        if text.startswith("expect: "):
            says.append(_said(text.removeprefix("expect: ")))
        elif text.startswith("H200: "):
            card = text.removeprefix("H200: ")
        else:
            words.append(text)
    if not words or not says or not card:
        raise Problem(f"{folder}/{file.name} does not say what it is, what to expect, and what an H200 did")
    return f"| `{file.stem}` | {' '.join(words)} | {'; '.join(says)} | {card} |"


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
