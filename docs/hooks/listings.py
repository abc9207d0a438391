"""Listings: a paragraph that is nothing but a link to a source file becomes that file's text, or a part of it.

    [The rounds of v1](../../solutions/04-reduce/v1.cu#sum_tiles)

The link's text is the listing's caption, its fragment names the part (regions.py); without a fragment the whole file is
shown. Read elsewhere as plain Markdown, it is still a link to the file. Each file that pages quote or link to is also a
page of its own (`source/...`), where a listing's title leads.
"""

from __future__ import annotations

import html
import textwrap
from pathlib import PurePosixPath

import regions
from problem import Problem
from site_model import Site

_languages = {
    ".cu": "cuda",
    ".cuh": "cuda",
    ".h": "cpp",
    ".cpp": "cpp",
    ".py": "python",
    ".sh": "bash",
    ".cmake": "cmake",
}
_languages |= {".json": "json", ".yml": "yaml", ".md": "markdown", ".csv": "text", ".css": "css", ".ptx": "text"}


def language(path: str) -> str | None:
    """The highlighter's name for the file's language; None for what is no source file."""
    name = PurePosixPath(path)
    if name.name == "CMakeLists.txt":
        return "cmake"
    if name.name == "lab":
        return "bash"
    return _languages.get(name.suffix)


def is_source(path: str) -> bool:
    return language(path) is not None and not path.endswith(".md")


def listing(site: Site, page: str, page_url: str, path: str, name: str, caption: str) -> str:
    """Markdown for the part `name` of a file, or for all of it."""
    text = site.read(path)
    first, last = 1, len(text.rstrip("\n").split("\n"))
    if name:
        try:
            first, last = regions.find(text, name, PurePosixPath(path).suffix in regions.cpp_endings)
        except Problem as problem:
            raise Problem(f"{path}: {problem.what}", problem.mend) from None
    return lines_of(site, page, page_url, path, (first, last), caption)


def lines_of(site: Site, page: str, page_url: str, path: str, span: tuple[int, int], caption: str) -> str:
    """Markdown for a run of lines, with a title that leads to them in the whole file."""
    first, last = span
    body = textwrap.dedent("\n".join(site.read(path).split("\n")[first - 1 : last]))
    title = site.place(page, _title(site, page_url, path, span, caption))
    fence = "`" * 3
    while fence in body:
        fence += "`"
    return f'{fence} {language(path) or "text"} title="{title}" linenums="{first}"\n{body}\n{fence}'


def _title(site: Site, page_url: str, path: str, span: tuple[int, int], caption: str) -> str:
    first, last = span
    shown = f"<code>{html.escape(path)}</code>"
    address = site.url(path, page_url) + f"#__codelineno-0-{first}"
    lines = f"line {first}" if first == last else f"lines {first} to {last}"
    words = f'<span class="listing-caption">{html.escape(caption)}</span>' if caption else ""
    return f'{words}<a class="listing-file" href="{address}" title="{lines}: the whole file">{shown}</a>'


def source_page(site: Site, path: str) -> str:
    """The page that shows a whole file. Line 1 has the anchor __codelineno-0-1."""
    text = site.read(path).rstrip("\n")
    fence = "`" * 4
    head = f"---\ntitle: {PurePosixPath(path).name}\nsearch:\n  exclude: true\nhide: [toc]\n---\n\n# `{path}`\n\n"
    return f'{head}{fence} {language(path) or "text"} linenums="1"\n{text}\n{fence}\n'
