"""What the site tells on its own: the chapters that are written, in order, and what commands print."""

from __future__ import annotations

import html
import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from problem import Problem
from site_model import Site


@dataclass
class Chapter:
    number: str  # "04"
    folder: str  # "chapters/04-reduce"
    title: str  # its page's first heading
    question: str  # its page's first paragraph

    @property
    def page(self) -> str:
        return f"{self.folder}/README.md"

    @property
    def page_uri(self) -> str:
        """The page's place on the site. Not a README.md there: MkDocs takes those for a section's first page."""
        return f"{self.folder}.md"

    @property
    def label(self) -> str:
        """What the navigation calls it: the title as far as its colon."""
        return f"{self.number} {self.title.partition(':')[0]}"


def written(root: Path) -> list[Chapter]:
    """Each folder chapters/NN-NAME that holds a README.md."""
    found = []
    for page in sorted(root.glob("chapters/[0-9][0-9]-*/README.md")):
        text = page.read_text(encoding="utf-8")
        title = re.search(r"^# +(.+?)\s*$", text, re.M)
        rest = text[title.end() :] if title else text
        question = next((p for p in re.split(r"\n\s*\n", rest.strip()) if re.match(r"[A-Z\"'*_]", p)), "")
        name = title[1] if title else page.parent.name[3:]
        found.append(
            Chapter(page.parent.name[:2], page.parent.relative_to(root).as_posix(), name, " ".join(question.split()))
        )
    return found


def cards(site: Site, page_url: str) -> str:
    """HTML: a card for each written chapter, with its question and its exercises."""
    course = {chapter["folder"]: chapter for chapter in site.chapters}
    made = []
    for chapter in written(site.root):
        exercises = course.get(chapter.folder, {}).get("exercises", [])
        items = "".join(f"<li><code>{html.escape(e['name'])}</code> {html.escape(e['title'])}</li>" for e in exercises)
        question = re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(_plain(chapter.question)))
        made.append(
            f'<section class="chapter-card"><h3><a href="{site.url(chapter.page, page_url)}">'
            f'<span class="chapter-number">{chapter.number}</span> {html.escape(_plain(chapter.title))}</a></h3>'
            f"<p>{question}</p><ol>{items}</ol></section>"
        )
    if not made:
        return "<p>No chapter is written yet.</p>"
    return f'<div class="chapter-cards">{"".join(made)}</div>'


def _plain(text: str) -> str:
    """Markdown's links and emphasis as plain words; inline code stays."""
    return re.sub(r"[*_]{1,2}(\S.*?\S|\S)[*_]{1,2}(?!\w)", r"\1", re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", text))


def output(site: Site, body: str) -> str:
    """Markdown: a command, and what it prints when it is run in the repository."""
    command = body.strip()
    plain = os.environ | {"NO_COLOR": "1", "TERM": "dumb", "COLUMNS": "100"}
    try:
        done = subprocess.run(
            ["bash", "-c", command], cwd=site.root, env=plain, capture_output=True, text=True, timeout=60
        )
    except subprocess.TimeoutExpired:
        raise Problem(f"{command} did not end within 60 s") from None
    if done.returncode:
        raise Problem(f"{command} ended with status {done.returncode}: {(done.stderr or done.stdout).strip()[-300:]}")
    return f"``` console\n$ {command}\n{done.stdout.rstrip()}\n```"
