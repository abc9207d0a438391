"""Mermaid: one pinned copy on the site, and every diagram tried before it is published.

Readers' browsers draw the diagrams, with the page's own fonts and colours. The build draws each once too, without a
browser, so that a diagram with a mistake fails the build at its line.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import mermaidx

from problem import Problem
from site_model import Site

# mermaid 11.16.0, dist/mermaid.min.js, as its makers published it in the npm registry. The package mermaidx carries
# that very file.
sha256 = "74d7c46dabca328c2294733910a8aa1ed0c37451776e8d5295da38a2b758fb9b"
address = "assets/mermaid.min.js"


def library() -> Path:
    path = Path(mermaidx.__file__).parent / "assets" / "mermaid.js"
    if hashlib.sha256(path.read_bytes()).hexdigest() != sha256:
        raise Problem(f"{path} is not the Mermaid that this site was made for", "see docs/hooks/diagrams.py")
    return path


def check(site: Site, diagram: str) -> None:
    key = hashlib.sha256((sha256 + diagram).encode()).hexdigest()
    drawn = site.cache / "diagrams" / key
    if drawn.is_file():
        return
    try:
        mermaidx.render(diagram).svg()
    except RuntimeError as error:
        told = " ".join(str(error).removeprefix("Mermaid rendering failed: ").split())
        raise Problem(f"Mermaid cannot draw this diagram: {told[:400]}") from None
    drawn.parent.mkdir(parents=True, exist_ok=True)
    drawn.touch()
