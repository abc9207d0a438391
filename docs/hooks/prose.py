"""Reading Markdown as far as the other hooks need it: which lines are text, and which are fenced blocks.

Invariant: every part knows its line in the page's own file, so that a mistake is reported where it was written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from problem import Problem

_fence = re.compile(r"^(?P<indent>\s*)(?P<marks>`{3,}|~{3,})\s*(?P<kind>[\w-]*)(?P<rest>.*)$")
_inline_code = re.compile(r"(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)")
_link = re.compile(
    r"(?P<before>!?\[(?P<text>[^\[\]]*(?:\[[^\[\]]*\][^\[\]]*)*)\]\()(?P<target>[^()\s]+)(?P<after>[^()]*\))"
)
_only_link = re.compile(r"^(?P<indent>\s*)\[(?P<text>[^\[\]]+)\]\((?P<target>[^()\s]+)\)\s*$")


@dataclass
class Text:
    """One line outside fenced blocks; several if an expression in double braces goes on in the next one."""

    line: int
    text: str


@dataclass
class Fence:
    """A fenced block: its first word (`kind`), and its body without the block's own indentation."""

    line: int
    indent: str
    kind: str
    body: str
    raw: str


def parts(markdown: str, first_line: int = 1) -> Iterator[Text | Fence]:
    lines = markdown.split("\n")
    at = 0
    while at < len(lines):
        opening = _fence.match(lines[at])
        if not opening or "`" in opening["rest"]:
            text, begin = lines[at], at
            while _ends_inside_an_expression(text):
                at += 1
                if at == len(lines) or not lines[at].strip():
                    raise Located(first_line + begin, Problem("this expression does not end", "end it with }}"))
                text = f"{text.rstrip()} {lines[at].lstrip()}"
            yield Text(first_line + begin, text)
            at += 1
            continue
        marks, indent = opening["marks"], opening["indent"]
        closing = re.compile(rf"^\s*{re.escape(marks[0])}{{{len(marks)},}}\s*$")
        end = next((i for i in range(at + 1, len(lines)) if closing.match(lines[i])), None)
        if end is None:
            raise Located(first_line + at, Problem("this fenced block does not end", f"end it with a line {marks}"))
        body = "\n".join(line.removeprefix(indent) for line in lines[at + 1 : end])
        yield Fence(first_line + at, indent, opening["kind"], body, "\n".join(lines[at : end + 1]))
        at = end + 1


def _ends_inside_an_expression(line: str) -> bool:
    outside = _inline_code.sub("", line)
    return outside.rfind("{{") > outside.rfind("}}")


class Located(Exception):
    """A problem whose line is known."""

    def __init__(self, line: int, problem: Problem):
        super().__init__(str(problem))
        self.line = line
        self.problem = problem


def outside_code(line: str, change: Callable[[str], str]) -> str:
    """The line with `change` applied to all of it that is not inline code."""
    done, at = "", 0
    for code in _inline_code.finditer(line):
        done += change(line[at : code.start()]) + code[0]
        at = code.end()
    return done + change(line[at:])


def change_links(line: str, change: Callable[[str], str]) -> str:
    """The line with the target of every inline link and picture changed. Code in a link's text is no obstacle."""
    masked = _inline_code.sub(lambda code: "\0" * len(code[0]), line)
    done, at = "", 0
    for link in _link.finditer(masked):
        begin, end = link.span("target")
        done += line[at:begin] + change(line[begin:end])
        at = end
    return done + line[at:]


def links(line: str) -> list[str]:
    found: list[str] = []
    change_links(line, lambda target: (found.append(target), target)[1])
    return found


def lone_link(lines: list[Text | Fence], at: int) -> re.Match | None:
    """The link that is a paragraph by itself: groups indent, text, target."""
    part = lines[at]
    match = _only_link.match(part.text) if isinstance(part, Text) else None
    if match and all(_is_blank(lines, neighbour) for neighbour in (at - 1, at + 1)):
        return match
    return None


def _is_blank(lines: list[Text | Fence], at: int) -> bool:
    if not 0 <= at < len(lines):
        return True
    part = lines[at]
    return isinstance(part, Text) and not part.text.strip()


def indented(text: str, indent: str) -> str:
    return "\n".join(indent + line if line else line for line in text.split("\n"))
