"""The fenced blocks `exercise` and `failure`.

    ``` exercise
    reduce.v1
    ```

An exercise's block is made from its own files: what it teaches (the hints' first line), the stub to edit, what fails
now (its test, run on the stub), the hints and the solution with its explanation, both folded. `failure` is the test's
message alone.
"""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass

import regions
from figures import run
from listings import lines_of
from problem import Problem
from prose import indented
from site_model import Site


def block(site: Site, page: str, page_url: str, body: str) -> str:
    """Markdown for the whole exercise."""
    exercise = site.exercise(body.strip())
    name = exercise["name"]
    stub, solution = _committed(exercise, "file"), exercise["solution"]
    hints = Hints.parse(site.read(exercise["hints"]))
    link = f'<a href="{site.url(stub, page_url)}"><code>{stub}</code></a>'
    task = site.place(page, f'<p class="exercise-task">Edit {link}, then run <code>./lab test {name}</code></p>')
    inside = [task, *_listings(site, page, page_url, stub)]
    message = _failure(site, exercise)
    if message:
        inside += ["**It fails now:**", _console(message)]
    for title, text in hints.tiers:
        inside.append(f'??? hint "Hint: {_lower(title)}"\n\n{indented(text, "    ")}')
    answer = "\n\n".join([*_listings(site, page, page_url, solution), hints.afterwards])
    inside.append(f'??? solution "Solution"\n\n{indented(answer, "    ")}')
    heading = f'!!! exercise "Exercise `{name}`: {hints.title}"'
    return heading + "\n\n" + indented("\n\n".join(inside), "    ")


def failure(site: Site, body: str) -> str:
    """Markdown for what the untouched exercise's test says."""
    exercise = site.exercise(body.strip())
    message = _failure(site, exercise)
    return _console(
        message or f"{exercise['name']} has been edited here: its first message is shown on the published site"
    )


def programs(kind: str, body: str) -> set[str]:
    """What has to be built for such a block."""
    return {body.strip()}


@dataclass
class Hints:
    """A file of hints: a title, three tiers, and what is told afterwards."""

    title: str
    tiers: list[tuple[str, str]]
    afterwards: str

    @staticmethod
    def parse(text: str) -> Hints:
        head, *sections = re.split(r"^## +", text, flags=re.M)
        title = re.match(r"# [\w.]+: (.+)", head)
        if not title:
            raise Problem("a file of hints begins with a line # NAME: what the exercise teaches")
        tiers, afterwards = [], ""
        for section in sections:
            name, _, body = section.partition("\n")
            if name.strip() == "Afterwards":
                afterwards = body.strip()
            else:
                tiers.append((name.strip(), body.strip()))
        return Hints(title[1].strip(), tiers, afterwards)


def _listings(site: Site, page: str, page_url: str, path: str) -> list[str]:
    return [lines_of(site, page, page_url, path, span, "") for span in regions.around_marked(site.read(path))]


def _committed(exercise: dict, key: str) -> str:
    path = exercise[key]
    if path.startswith("/"):
        raise Problem(f"{path} lies outside the repository", "build the site with the repository's own exercises")
    return path


def _failure(site: Site, exercise: dict) -> str | None:
    """The test's output on the stub; None where the stub has been edited, as a learner's copy is."""
    edited = subprocess.run(
        ["git", "diff", "--quiet", "HEAD", "--", exercise["file"]], cwd=site.root, capture_output=True
    )
    if edited.returncode == 1:
        return None
    outcome = run(site, exercise["name"], [])
    if outcome.status != 1:
        raise Problem(
            f"the untouched {exercise['name']} should fail with status 1; it ended with {outcome.status}",
            f"./lab test {exercise['name']}",
        )
    return outcome.output.rstrip("\n")


def _console(text: str) -> str:
    return f"``` text\n{text}\n```"


def _lower(title: str) -> str:
    return title[:1].lower() + title[1:]
