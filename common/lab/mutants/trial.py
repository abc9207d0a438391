"""Compiles changed solutions as the build compiles the solution, links each with the same test, and runs that.

Invariant: everything is written below build/sim/mutants; the build's own products are only read. A change is compiled
alone or with others (together.py), which gives the same program; that it does not compile is only said of it alone.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import resource
import shlex
import signal
import subprocess
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import together
from changes import Change

# An endless kernel is stopped by the simulator, which says so: that is a verdict. A loop on the host is stopped here.
# Time of processors, so that a busy machine is no reason to fail; a test that sleeps has ten times as long.
limit_seconds = 120


@dataclass(frozen=True)
class Verdict:
    what: str  # rejected, survived, crashed, timeout or invalid
    said: str = ""  # the first line of the test's output, or how it ended


class Impossible(Exception):
    """Nothing can be tried: what happened."""


class Interrupted(Exception):
    """The whole is being stopped."""


class Programs:
    """Runs programs that can all be stopped at once."""

    def __init__(self) -> None:
        self.stopped = False
        self.running: set[subprocess.Popen] = set()
        self.lock = threading.Lock()

    def run(
        self, command: list[str], cwd: Path, limit: int | None = None, environment: dict[str, str] | None = None
    ) -> tuple[int | None, str]:
        """The exit status, None past the limit (seconds of processors), and what the program printed."""
        with self.lock:
            if self.stopped:
                raise Interrupted
            process = subprocess.Popen(
                command, cwd=cwd, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, text=True, errors="replace",
            )  # fmt: skip
            self.running.add(process)
            if limit is not None:
                with contextlib.suppress(ProcessLookupError):
                    resource.prlimit(process.pid, resource.RLIMIT_CPU, (limit, limit + 5))
        try:
            output, _ = process.communicate(timeout=limit and 10 * limit)
            status = None if process.returncode == -signal.SIGXCPU else process.returncode
        except subprocess.TimeoutExpired:
            process.kill()
            output, _ = process.communicate()
            status = None
        finally:
            with self.lock:
                self.running.discard(process)
        if self.stopped:
            raise Interrupted
        return status, output

    def stop(self) -> None:
        with self.lock:
            self.stopped = True
            for process in self.running:
                process.terminate()


class Trial:
    """What it takes to try changes of one solution."""

    def __init__(self, programs: Programs, root: Path, build: Path, exercise: str, solution: Path) -> None:
        self.programs, self.root, self.build = programs, root, build
        self.solution, self.text = solution, solution.read_text()
        self.target = f"solution.{exercise}"
        self.work = build / "mutants" / exercise
        self.cache = build / "mutants" / "verdicts"

        entries = json.loads((build / "compile_commands.json").read_text())
        entry = next(entry for entry in entries if f"/{self.target}.kernel.dir/" in entry["command"])
        self.directory = Path(entry["directory"])
        self.compile = without_dependencies(shlex.split(entry["command"]))
        self.object = self.compile[self.compile.index("-o") + 1]

        status, text = programs.run(["ninja", "-C", str(build), "-t", "commands", self.target], root)
        if status:
            raise Impossible(f"Ninja does not tell how {self.target} is linked:\n{text}")
        link = shlex.split([line for line in text.splitlines() if line.startswith(": && ")][-1])
        self.link = link[2 : link.index("&&", 2)]
        program = build / self.link[self.link.index("-o") + 1]
        status, text = programs.run([str(program)], root, limit_seconds)
        if status != 0:
            raise Impossible(f"{text}{self.target}  does not pass, so that a rejection of changes would mean nothing")
        self.functions = self.symbols(build / self.object)
        self.can_be_joined = self.passes_beside_itself()
        self.inputs = fingerprint(self.compile, self.link, program.read_bytes(), *self.headers())

    def passes_beside_itself(self) -> bool:
        """Whether the unchanged solution, compiled together with itself, still passes. reduce.generic does not: it ends
        with signal 11, and has to be compiled alone."""
        link = self.compiled_together({0: self.text, 1: self.text}).get(1)
        return link is not None and self.tried(1, self.text, link).what == "survived"

    def headers(self) -> list[bytes]:
        """What the solution includes of the course: beside the program, all that a change's verdict hangs on."""
        folders = [Path(word[2:]) for word in self.compile if word.startswith("-I")]
        inside = [folder for folder in folders if folder.is_relative_to(self.root)]
        return [file.read_bytes() for folder in inside for file in sorted(folder.glob("*.h"))]

    def judge(self, changes: dict[int, Change], judged: Callable[[], None] = lambda: None) -> dict[Change, Verdict]:
        """The verdicts on changes, by number; `judged` is called after each."""
        texts = {number: change.applied(self.text) for number, change in changes.items()}
        files = {number: self.cache / f"{fingerprint(self.inputs, text)}.json" for number, text in texts.items()}
        fresh = {number: text for number, text in texts.items() if not files[number].is_file()}
        linked = self.compiled_together(fresh) if self.can_be_joined else {}
        verdicts = {}
        for number, change in changes.items():
            if number in fresh:
                verdicts[change] = self.tried(number, texts[number], linked.get(number))
                self.remember(files[number], number, verdicts[change])
            else:
                verdicts[change] = Verdict(*json.loads(files[number].read_text()))
            judged()
        return verdicts

    def remember(self, file: Path, number: int, verdict: Verdict) -> None:
        # What ran out of time may have had a busy machine for a reason.
        if verdict.what != "timeout":
            self.cache.mkdir(parents=True, exist_ok=True)
            fresh = file.with_suffix(f".{number}.new")
            fresh.write_text(json.dumps([verdict.what, verdict.said]))
            fresh.rename(file)

    def compiled_together(self, texts: dict[int, str]) -> dict[int, list[str]]:
        """How to link each of the texts that can be compiled with others; a text that is not in it has to be alone."""
        places = {number: self.folder(number) / self.solution.name for number in texts}
        while len(texts) > 1:
            folder = self.folder(min(texts))
            source, product = folder / "together.cu", folder / "together.o"
            source.write_text(together.joined(texts, places, self.functions))
            status, output = self.programs.run(
                self.compiling(source, product), self.directory, None, os.environ | {"TMPDIR": str(folder)}
            )
            if status == 0:
                defined = self.symbols(product)
                ways = {number: together.redirections(number, self.functions, defined) for number in texts}
                return {number: self.linking(product) + way for number, way in ways.items() if way is not None}
            alone = together.blamed(output, places) or set(texts)
            texts = {number: text for number, text in texts.items() if number not in alone}
        return {}

    def tried(self, number: int, text: str, link: list[str] | None) -> Verdict:
        """`link`: how to link it, where it is compiled already."""
        folder = self.folder(number)
        source, product, program = folder / self.solution.name, folder / "kernel.o", folder / "program"
        source.write_text(text)
        environment = os.environ | {"TMPDIR": str(folder)}
        if link is None:
            status, output = self.programs.run(self.compiling(source, product), self.directory, None, environment)
            if status:
                found = re.search(r"(?:\(\d+\)|:\d+:\d+): error:? (.*)", output)
                if found is None:  # a full disk, say
                    raise Impossible(output)
                return Verdict("invalid", found[1])
            link = self.linking(product)
        status, output = self.programs.run([*link, "-o", str(program)], self.build, None, environment)
        if status:
            raise Impossible(output)
        status, output = self.programs.run([str(program)], self.root, limit_seconds, environment)
        if status is None:
            verdict = Verdict("timeout", f"did not end within {limit_seconds} s of processors")
        elif status == 0:
            verdict = Verdict("survived")
        elif status == 1 and output.strip():
            verdict = Verdict("rejected", output.strip().splitlines()[0].rstrip())
        else:
            verdict = Verdict("crashed", f"ended with signal {-status}" if status < 0 else f"ended with {status}")
        program.unlink()  # some megabytes
        return verdict

    def folder(self, number: int) -> Path:
        folder = self.work / str(number)
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def symbols(self, product: Path) -> list[together.Symbol]:
        nm = ["nm", "--defined-only", "--extern-only", "--no-sort", str(product)]
        (failed, plain), (failed_too, readable) = (
            self.programs.run(words, self.build) for words in (nm, [*nm, "--demangle"])
        )
        if failed or failed_too:
            raise Impossible(plain + readable)
        return together.symbols(plain, readable)

    def linking(self, product: Path) -> list[str]:
        """The command that links a kernel with the test, but for the program's name."""
        at = self.link.index("-o")
        return [str(product) if word == self.object else word for word in self.link[:at] + self.link[at + 2 :]]

    def compiling(self, source: Path, product: Path) -> list[str]:
        command = [str(source) if same_file(word, self.directory, self.solution) else word for word in self.compile]
        command[command.index("-o") + 1] = str(product)
        return command


def fingerprint(*parts: object) -> str:
    digest = hashlib.sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else repr(part).encode()
        digest.update(len(data).to_bytes(8, "little") + data)
    return digest.hexdigest()


def without_dependencies(command: list[str]) -> list[str]:
    """The command without the notes that it takes for Ninja."""
    result, words = [], iter(command)
    for word in words:
        if word in ("-MT", "-MF"):
            next(words)
        elif word not in ("-MD", "-MMD"):
            result.append(word)
    return result


def same_file(word: str, directory: Path, file: Path) -> bool:
    return word.endswith(file.name) and (directory / word).resolve() == file.resolve()
