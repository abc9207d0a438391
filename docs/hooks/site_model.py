"""What all hooks know of one build of the site: the repository, the course, which file is which page."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from mkdocs.structure.files import File
from mkdocs.utils import get_relative_url

from problem import Problem


@dataclass
class Site:
    root: Path  # the repository
    pages: dict[str, File] = field(default_factory=dict)  # the page or picture that a path in the repository became
    # HTML that takes a placeholder's place once Markdown is done, by page and placeholder.
    html: dict[str, dict[str, str]] = field(default_factory=dict)

    @property
    def build(self) -> Path:
        """The CMake build folder whose programs count and fail."""
        return Path(os.environ.get("WARPWRIGHT_BUILD") or self.root / "build" / "sim")

    @property
    def cache(self) -> Path:
        return self.root / ".lab" / "site"

    @cached_property
    def chapters(self) -> list[dict]:
        """The course's chapters in order, as CMake wrote them down."""
        try:
            return json.loads((self.build / "course.json").read_text())["chapters"]
        except FileNotFoundError:
            raise Problem(f"there is no {self.build / 'course.json'}", "./lab setup") from None

    @cached_property
    def exercises(self) -> dict[str, dict]:
        return {exercise["name"]: exercise for chapter in self.chapters for exercise in chapter["exercises"]}

    @cached_property
    def comparisons(self) -> set[str]:
        """Kernels that are no exercises: what benchmarks compare with."""
        return {name for chapter in self.chapters for name in chapter.get("comparisons", [])}

    def exercise(self, name: str) -> dict:
        if name not in self.exercises:
            raise Problem(f"there is no exercise {name}", "these are: " + ", ".join(self.exercises))
        return self.exercises[name]

    def read(self, path: str) -> str:
        """The text of a file of the repository."""
        try:
            return (self.root / path).read_text(encoding="utf-8")
        except (FileNotFoundError, IsADirectoryError):
            raise Problem(f"there is no file {path}") from None

    def place(self, page: str, html: str) -> str:
        """A placeholder for finished HTML, as a paragraph's or a title's text."""
        stored = self.html.setdefault(page, {})
        placeholder = f"warpwright-html-{len(stored) + 1}-"
        stored[placeholder] = html
        return placeholder

    def url(self, path: str, page_url: str) -> str:
        """The address of a repository's file, from a page."""
        return get_relative_url(self.pages[path].url, page_url)


def repository_path(root: Path, page: str, target: str) -> str | None:
    """The path in the repository that a link on the page `page` leads to; None where it leaves the repository. Links in
    the file system (a chapter's exercises/ and solutions/) are followed."""
    real = Path(os.path.realpath(root / Path(page).parent / target))
    real_root = Path(os.path.realpath(root))
    return real.relative_to(real_root).as_posix() if real.is_relative_to(real_root) else None
