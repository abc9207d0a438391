"""Finding a part of a source file by name, so that pages quote files and never line numbers.

Three kinds of names:
- a definition: `sum_tiles` (a function, type or constant of C++), `reduce::v1`, `Contract.ReadsOnce` (a test). With it
  comes the comment directly above it. Learners' files need no marker for that;
- a marked region of an exercise: `TODO` in stubs, `SOLUTION` in solutions; both end at the line `// END`;
- `// region NAME` ... `// endregion`, in any language whose comments begin with // or #.

Invariant: what is found is a run of whole lines. Left out: C++ beyond what a chapter's files need (no macros that open
braces, no raw strings).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from problem import Problem

cpp_endings = {".cu", ".cuh", ".h", ".cpp"}

_marker = re.compile(
    r"^\s*(?://|#)\s*(?:(?P<todo>TODO|SOLUTION)\b:?|region (?P<name>[\w.:-]+)\s*$|(?P<end>END|endregion)\b)"
)
_not_code = re.compile(
    r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])+'|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.S | re.M
)
_attributes = re.compile(
    r"\b(?:__launch_bounds__|__attribute__|alignas|decltype|noexcept)\s*\((?:[^()]|\([^()]*\))*\)|\[\[.*?\]\]"
)
_type = re.compile(
    r"\b(?:class|struct|union|enum(?:\s+(?:class|struct))?)\s+(?:\w+\s+)*?([A-Za-z_]\w*)\s*(?:final\s*)?(?::[^:].*)?$",
    re.S,
)
_test = re.compile(r"\b(?:TEST|TEST_F|TEST_P|TYPED_TEST|BENCHMARK_F)\s*\(\s*(\w+)\s*,\s*(\w+)\s*\)")
_function = re.compile(r"(operator\s*\S+|~?[A-Za-z_]\w*(?:<[^<>]*>)?(?:::~?[A-Za-z_]\w*)*)\s*\(")
_variable = re.compile(r"([A-Za-z_]\w*)\s*(?:\[[^\]]*\]\s*)*(?:=|$|\{)")


@dataclass
class Definition:
    names: set[str]
    first: int  # lines, from 1, both included
    last: int
    is_declaration: bool


def find(text: str, name: str, is_cpp: bool) -> tuple[int, int]:
    """The first and last line, from 1, of the part called `name`."""
    lines = text.split("\n")
    marked = [found[1:] for found in _marked_regions(lines) if found[0] == name]
    if len(marked) > 1:
        raise Problem(f"{len(marked)} regions are called {name}", "quote the definition around them, by its name")
    if marked:
        return marked[0]
    known = definitions(text) if is_cpp else []
    found = [d for d in known if name in d.names]
    found = [d for d in found if not d.is_declaration] or found
    if len(found) > 1:
        places = " and ".join(str(d.first) for d in found)
        raise Problem(
            f"{name} is defined more than once, at lines {places}", "name it with its namespace, or mark a region"
        )
    if found:
        return found[0].first, found[0].last
    offered = sorted({r[0] for r in _marked_regions(lines)} | {min(d.names, key=len) for d in known})
    raise Problem(f"there is no {name}", "it has: " + ", ".join(offered) if offered else "mark it: // region " + name)


def around_marked(text: str) -> list[tuple[int, int]]:
    """The definitions that hold an exercise's marked regions, or the regions themselves where they stand alone."""
    known = [d for d in definitions(text) if not d.is_declaration]
    found: list[tuple[int, int]] = []
    for kind, first, last in _marked_regions(text.split("\n")):
        if kind not in ("TODO", "SOLUTION"):
            continue
        outside = [(d.first, d.last) for d in known if d.first <= first and last <= d.last]
        place = min(outside, key=lambda span: span[1] - span[0]) if outside else (first, last)
        if place not in found:
            found.append(place)
    return found


def _marked_regions(lines: list[str]) -> list[tuple[str, int, int]]:
    """Name, first and last line of each. The text after TODO and SOLUTION belongs to the region; its end does not."""
    found, open_regions = [], []
    for number, line in enumerate(lines, 1):
        marker = _marker.match(line)
        if not marker:
            continue
        if marker["end"]:
            if open_regions:
                name, first = open_regions.pop()
                found.append((name, first, number - 1))
        elif marker["todo"]:
            open_regions.append((marker["todo"], number))
        else:
            open_regions.append((marker["name"], number + 1))
    if open_regions:
        raise Problem(
            f"the region {open_regions[-1][0]} does not end",
            "end it: // END after TODO and SOLUTION, else // endregion",
        )
    return sorted(found, key=lambda region: region[1])


def definitions(text: str) -> list[Definition]:
    """What the file defines and declares in namespaces, in order."""
    masked = _not_code.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    found: list[Definition] = []
    begin = at = 0
    while at < len(masked):
        char = masked[at]
        if char == "}":  # the end of a namespace
            begin = at = at + 1
        elif char == "(":
            at = _matching(masked, at) + 1
        elif char == ";":
            _add(found, text, masked[begin:at], begin, at + 1, is_declaration=True)
            begin = at = at + 1
        elif char == "{":
            head = masked[begin:at]
            if re.search(r"\b(namespace|extern)\b[^()=]*$", head):
                begin = at = at + 1
                continue
            end = _matching(masked, at) + 1
            if not re.search(
                r"\)\s*(?:const|noexcept|override|final|mutable|->.*)*\s*$", _attributes.sub("", head) or ""
            ) or "=" in _outside_parentheses(head):
                end = masked.find(";", end) + 1 or len(masked)  # a type or a value ends with its semicolon
            _add(found, text, head, begin, end, is_declaration=False)
            begin = at = end
        else:
            at += 1
    return found


def _matching(masked: str, at: int) -> int:
    """The index of the bracket that closes the one at `at`."""
    close = {"{": "}", "(": ")"}[masked[at]]
    depth = 0
    for i in range(at, len(masked)):
        depth += (masked[i] == masked[at]) - (masked[i] == close)
        if depth == 0:
            return i
    return len(masked) - 1


def _outside_parentheses(text: str) -> str:
    while (smaller := re.sub(r"\([^()]*\)", "", text)) != text:
        text = smaller
    return text


def _add(found: list[Definition], text: str, head: str, begin: int, end: int, is_declaration: bool) -> None:
    names = _names(" ".join(head.split()))
    if not names:
        return
    begin += len(head) - len(head.lstrip())
    first = text.count("\n", 0, begin) + 1
    last = text.count("\n", 0, end) + 1
    lines = text.split("\n")
    while first > 1 and re.match(r"\s*(//|/\*|\*|\*/)", lines[first - 2]):
        first -= 1
    found.append(Definition(names, first, last, is_declaration))


def _names(head: str) -> set[str]:
    """The names that what begins with this text can be quoted by."""
    head = _attributes.sub("", head)
    head = re.sub(r"^template\s*<[^;{]*?>\s*(?=\w|::)", "", head) if head.startswith("template") else head
    if test := _test.search(head):
        return {f"{test[1]}.{test[2]}", test[2]}
    if (named := _type.search(head)) and "(" not in head:
        return {named[1]}
    outer = _outside_parentheses(head)
    if "=" not in outer.replace("operator=", "") and (function := _function.search(head)):
        return _with_last(function[1])
    if alias := re.match(r"using (\w+)\s*=", head):
        return {alias[1]}
    if re.match(r"(using|static_assert|friend)\b", head):
        return set()
    variable = _variable.search(outer)
    return {variable[1]} if variable else set()


def _with_last(name: str) -> set[str]:
    return {name, name.split("::")[-1]}
