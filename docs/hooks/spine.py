"""MkDocs' way into the hooks: which files are pages, and how a page's Markdown becomes what is published.

Problem: the site has to say what the repository says. Idea: each chapter's README.md is its page, and what a page
quotes or counts is fetched while it is built. Invariant: a page has no code and no number of its own; a part that is
not there, a link that leads nowhere, a number that cannot be had, or a diagram that cannot be drawn is told with file
and line, and fails a strict build.
"""

from __future__ import annotations

import logging
import os
import re
from html import escape
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from mkdocs.utils import get_relative_url

import contents
import diagrams
import exercises
import figures
import listings
import mistakes
import prose
import tables
from problem import Problem
from site_model import Site, repository_path

log = logging.getLogger("mkdocs.hooks.warpwright")

site: Site
numbers: figures.Figures

_number_blocks = ("counters", "results", "plot")
_exercise_name = re.compile(r"\b(?:solution\.)?[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*\b")
_picture_endings = {".svg", ".png", ".webp", ".jpg"}


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    global site, numbers
    site = Site(Path(config.config_file_path).parent)
    numbers = figures.Figures(site)
    for item in config.nav or []:
        if "Chapters" in item:
            item["Chapters"] = ["chapters/index.md", *({c.label: c.page_uri} for c in contents.written(site.root))]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    for file in files:
        if file.src_dir == config.docs_dir:  # not the theme's own
            site.pages[_path_of(file)] = file
    for chapter in contents.written(site.root):
        published = {chapter.page: chapter.page_uri}
        for picture in (site.root / chapter.folder).rglob("*"):
            if picture.suffix in _picture_endings and not picture.is_symlink():
                path = picture.relative_to(site.root).as_posix()
                published[path] = path
        for path, uri in published.items():
            site.pages[path] = File.generated(config, uri, abs_src_path=str(site.root / path))
            files.append(site.pages[path])
    try:
        files.append(File.generated(config, diagrams.address, abs_src_path=str(diagrams.library())))
        _prepare(files, config)
    except Problem as problem:
        raise PluginError(f"site: {problem}") from None
    return files


def _prepare(files: Files, config: MkDocsConfig) -> None:
    """Makes pages of the source files that pages quote, and builds the programs whose numbers they quote."""
    quoted: set[str] = set()
    programs: set[str] = set()
    for path, file in list(site.pages.items()):
        if not file.is_documentation_page():
            continue
        try:
            for part in prose.parts(file.content_string):
                if isinstance(part, prose.Text):
                    targets = [t.partition("#")[0] for t in prose.links(part.text) if "://" not in t]
                    quoted |= {found for t in targets if t and (found := repository_path(site.root, path, t))}
                    programs |= {f"bench.{n}" for n in _names("".join(figures.expressions(part.text)))}
                elif part.kind == "counters":
                    programs |= {f"bench.{n}" for n in _names(part.body)}
                elif part.kind in ("exercise", "failure") and part.body.strip() in site.exercises:
                    exercise = site.exercise(part.body.strip())
                    programs.add(exercise["name"])
                    quoted |= {exercise["file"], exercise["solution"]}
        except prose.Located:
            pass  # told when the page's turn comes
    for path in sorted(quoted - site.pages.keys()):
        if (site.root / path).is_file() and not path.startswith("docs/") and listings.language(path):
            file = File.generated(config, f"source/{path}.md", content=listings.source_page(site, path))
            files.append(file)
            site.pages[path] = file
    figures.build_programs(site, programs)


def _names(text: str) -> set[str]:
    known = site.exercises.keys() | site.comparisons
    return {name for name in _exercise_name.findall(text) if name.removeprefix("solution.") in known}


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    if not page.file.abs_src_path:
        return markdown
    path = _path_of(page.file)
    source = page.file.content_string
    first_line = source[: max(source.find(markdown.strip()), 0)].count("\n") + 1 if markdown.strip() else 1
    try:
        parts = list(prose.parts(markdown.lstrip("\n"), first_line))
    except prose.Located as located:
        return _report(path, located.line, located.problem, "")
    done = []
    for at, part in enumerate(parts):
        try:
            done.append(_publish(parts, at, page, path))
        except Problem as problem:
            indent = (
                part.indent if isinstance(part, prose.Fence) else part.text[: len(part.text) - len(part.text.lstrip())]
            )
            done.append(_report(path, part.line, problem, indent))
    return "\n".join(done)


def _publish(parts: list[prose.Text | prose.Fence], at: int, page: Page, path: str) -> str:
    """What one part of a page is published as, in Markdown."""
    part = parts[at]
    if isinstance(part, prose.Fence):
        if part.kind == "mermaid":
            diagrams.check(site, part.body)
            return part.raw
        if part.kind in _number_blocks:
            made = site.place(path, tables.block(part.kind, part.body, numbers, path))
        elif part.kind == "exercise":
            made = exercises.block(site, path, page.url, part.body)
        elif part.kind == "mistakes":
            made = mistakes.block(site.root)
        elif part.kind == "failure":
            made = exercises.failure(site, part.body)
        elif part.kind == "output":
            made = contents.output(site, part.body)
        elif part.kind == "chapters":
            made = site.place(path, contents.cards(site, page.url))
        else:
            return part.raw
        return prose.indented(f"\n{made}\n", part.indent)
    if link := prose.lone_link(parts, at):
        target, _, name = link["target"].partition("#")
        found = _found(path, target) if "://" not in target and target else None
        if found and listings.is_source(found):
            made = listings.listing(site, path, page.url, found, name, link["text"])
            return prose.indented(made, link["indent"])
    text = prose.outside_code(part.text, lambda piece: numbers.replace(piece, path))
    return prose.change_links(text, lambda target: _site_link(path, page, target))


def _site_link(path: str, page: Page, target: str) -> str:
    """A link in the repository as a link between pages."""
    name, _, fragment = target.partition("#")
    if not name or "://" in name or name.startswith("mailto:"):
        return target
    found = _found(path, name)
    if found not in site.pages:
        raise Problem(f"links to {target}, which no page shows", "link to a page, or to a source file")
    away = os.path.relpath(site.pages[found].src_uri, Path(page.file.src_uri).parent)
    return Path(away).as_posix() + (f"#{fragment}" if fragment else "")


def _found(path: str, target: str) -> str:
    found = repository_path(site.root, path, target)
    if not found or not (site.root / found).exists():
        raise Problem(f"links to {target}, which is not there", "")
    return found


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    path = _path_of(page.file) if page.file.abs_src_path else ""
    for placeholder, made in site.html.pop(path, {}).items():
        html = html.replace(f"<p>{placeholder}</p>", made).replace(placeholder, made)
    if 'class="mermaid"' in html:
        html += f'\n<script src="{get_relative_url(diagrams.address, page.url)}"></script>'
    return html


def _path_of(file: File) -> str:
    return Path(os.path.realpath(file.abs_src_path)).relative_to(os.path.realpath(site.root)).as_posix()


def _report(path: str, line: int, problem: Problem, indent: str) -> str:
    """Tells of a problem, and shows it on the page for whoever is writing it."""
    log.warning(f"{path}:{line}: {problem}")
    return f'\n{indent}<div class="site-problem">{escape(f"{path}:{line}: {problem.what}")}</div>\n'
