"""Several changed texts of a solution as one, because a compiler spends its time on what all of them include.

Idea: each text gets a namespace of its own around it, and within that a namespace of the chapter's name, which declares
the exercise's functions and shows everything else of the chapter. The linker is told which of them the test calls.
Invariant: within its namespace each text stands as it was, at its own file and lines.
Left out: what such a text cannot say, or says otherwise than alone. What does not compile here is to be compiled alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Symbol:
    name: str  # as the linker knows it
    meaning: str  # as the source has it: "reduce::v0(float const*, unsigned long)"


def symbols(mangled: str, demangled: str) -> list[Symbol]:
    """The functions of named namespaces in an object file, from what `nm` prints of it without and with --demangle."""
    pairs = zip(mangled.splitlines(), demangled.splitlines(), strict=True)
    names = ((plain.split(None, 2), readable.split(None, 2)) for plain, readable in pairs)
    return [
        Symbol(plain[2], readable[2])
        for plain, readable in names
        if plain[1] == "T" and re.match(r"\w+(::\w+)+\(", readable[2])
    ]


def space_of(number: int) -> str:
    return f"change_{number}"


def joined(texts: dict[int, str], places: dict[int, Path], functions: list[Symbol]) -> str:
    """One text of all, by number. `functions` are those that each of them defines."""
    included = dict.fromkeys(line for text in texts.values() for line in text.split("\n") if is_include(line))
    parts = [*included]
    for number, text in texts.items():
        parts.append(f"namespace {space_of(number)} {{")
        parts += map(declaration, functions)
        parts.append(f'#line 1 "{places[number]}"')
        parts += ["" if is_include(line) else line for line in text.split("\n")]
        parts.append(f"}}  // namespace {space_of(number)}")
    return "\n".join(parts) + "\n"


def is_include(line: str) -> bool:
    return re.match(r"\s*#\s*include\b", line) is not None


def declaration(function: Symbol) -> str:
    chapter, _, name = function.meaning.partition("(")[0].rpartition("::")
    return f"namespace {chapter} {{ using namespace ::{chapter}; decltype(::{chapter}::{name}) {name}; }}"


def redirections(number: int, functions: list[Symbol], defined: list[Symbol]) -> list[str] | None:
    """What makes the linker take this text's functions for those that the test calls; None where one is missing."""
    names = {symbol.meaning: symbol.name for symbol in defined}
    own = [names.get(f"{space_of(number)}::{function.meaning}") for function in functions]
    if None in own or not own:
        return None
    return [f"-Wl,--defsym={function.name}={name}" for function, name in zip(functions, own, strict=True)]


def blamed(output: str, places: dict[int, Path]) -> set[int]:
    """The numbers of the texts that a compiler's errors name."""
    found = re.findall(r"^(.*?)(?:\(\d+\)|:\d+:\d+): error", output, re.MULTILINE)
    return {number for number, place in places.items() if str(place) in found}
