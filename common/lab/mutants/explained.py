"""Changes that no test rejects, each with the reason: chapters/NN-NAME/mutants/EXERCISE.md.

An entry is a block of ```diff with the changed lines, before and after, and then the reason. Lines are compared
without their indentation. A change that several places have needs a line of context to tell which is meant.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from pathlib import Path

from changes import Change


@dataclass
class Entry:
    diff: list[str]  # as ["-if (t == 0)", "+if (t <= 0)", " context"], without indentation
    line: int  # of the file, counted from 1
    reason: str


def diff_of(text: str, change: Change) -> list[str]:
    """The changed lines, as ["-before", "+after"], indented as in the text."""
    before, after = text.split("\n"), change.applied(text).split("\n")
    lines = []
    for tag, first, last, new_first, new_last in difflib.SequenceMatcher(None, before, after, False).get_opcodes():
        if tag != "equal":
            lines += ["-" + line for line in before[first:last]] + ["+" + line for line in after[new_first:new_last]]
    return lines


def shape(lines: list[str]) -> list[str]:
    return [line[0] + line[1:].strip() for line in lines]


def is_meant(entry: Entry, text: str, change: Change) -> bool:
    """Whether the entry's diff, its context included, is the change's."""
    if [line for line in entry.diff if line[0] != " "] != shape(diff_of(text, change)):
        return False
    wanted = [line[1:] for line in entry.diff if line[0] != "+"]
    lines = [line.strip() for line in text.split("\n")]
    return any(
        lines[first : first + len(wanted)] == wanted and first < change.line <= first + len(wanted)
        for first in range(len(lines) - len(wanted) + 1)
    )


def read(file: Path) -> list[Entry]:
    """The entries of a file, which need not be there."""
    entries: list[Entry] = []
    if not file.is_file():
        return entries
    in_diff = False
    for number, line in enumerate(file.read_text().split("\n"), 1):
        if line.startswith("```"):
            in_diff = line.strip() == "```diff"
            if in_diff:
                entries.append(Entry([], number, ""))
        elif in_diff and line:
            entries[-1].diff += shape([line])
        elif entries and not line.startswith("#"):
            entries[-1].reason = (entries[-1].reason + " " + line).strip()
    return entries


def matched(entries: list[Entry], text: str, changes: list[Change]) -> tuple[dict[Change, Entry], dict[int, str]]:
    """Which change each entry explains, and what is wrong with entries, by their lines."""
    explained: dict[Change, Entry] = {}
    wrong: dict[int, str] = {}
    for entry in entries:
        meant = [change for change in changes if is_meant(entry, text, change)]
        if not entry.reason:
            wrong[entry.line] = "gives no reason: write it below the diff"
        elif not meant:
            wrong[entry.line] = "is no change that is made to this solution (any more): remove it, or mend its lines"
        elif len(meant) > 1:
            places = ", ".join(str(change.line) for change in meant)
            wrong[entry.line] = f"fits the changes of lines {places}: add a line of context, with a space before it"
        elif meant[0] in explained:
            wrong[entry.line] = f"says again what line {explained[meant[0]].line} says: remove one"
        else:
            explained[meant[0]] = entry
    return explained, wrong
