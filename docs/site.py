#!/usr/bin/env python3
"""Builds, serves and tests the site: python3 docs/site.py build|serve|test (`./lab docs` calls it).

What pages are made with is pinned in docs/requirements.txt and installed into .lab/site, for this repository alone;
after that no network is needed. The pages' numbers come from programs of the build folder (build/sim, or
WARPWRIGHT_BUILD), which are built as pages need them. A build that fails leaves the last good site as it was.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import os
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

root = Path(__file__).resolve().parent.parent
state = root / ".lab" / "site"


class Problem(Exception):
    """Something that stops the work: what happened, and what mends it."""

    def __init__(self, what: str, mend: str):
        super().__init__(what)
        self.mend = mend


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


@contextlib.contextmanager
def progress(what: str):
    """Tells of work that takes longer than two seconds, and how long it took."""
    begin = time.monotonic()
    done = threading.Event()

    def tell() -> None:
        while not done.wait(10 if time.monotonic() - begin > 2 else 2):
            say(f"  site  {what}  {time.monotonic() - begin:.0f} s so far")

    teller = threading.Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield
    finally:
        done.set()
        teller.join()
        if time.monotonic() - begin > 2:
            say(f"  site  {what}  {time.monotonic() - begin:.1f} s")


def packages(requirements: Path, name: str) -> Path:
    """The folder that holds these pinned packages; installs them into it first where that is still to be done."""
    folder = state / name
    wanted = hashlib.sha256(requirements.read_bytes() + repr(sys.version_info[:3]).encode()).hexdigest()
    stamp = folder / "complete"
    if stamp.is_file() and stamp.read_text() == wanted:
        return folder
    shown = requirements.relative_to(root)
    if subprocess.run([sys.executable, "-m", "pip", "--version"], capture_output=True).returncode:
        raise Problem(
            f"packages: {sys.executable} has no pip to install {shown} with", "sudo apt-get install python3-pip"
        )
    fresh = state / (name + ".new")
    shutil.rmtree(fresh, ignore_errors=True)
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--no-deps"]
    command += [
        "--require-hashes",
        "--only-binary",
        ":all:",
        "--no-compile",
        "--no-input",
        "--root-user-action",
        "ignore",
    ]
    command += ["--no-warn-script-location", "--target", str(fresh), "-r", str(requirements)]
    # Settings that contradict --target; the rest of pip's configuration (index, certificates, cache) stays.
    contrary = ("PIP_USER", "PIP_TARGET", "PIP_PREFIX", "PIP_ROOT", "PIP_REQUIRE_VIRTUALENV")
    environment = {name: value for name, value in os.environ.items() if name not in contrary}
    with progress(f"installing {shown}"):
        pip = subprocess.run(command, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if pip.returncode:
        lines = [line for line in pip.stdout.splitlines() if line.strip()]
        shutil.rmtree(fresh, ignore_errors=True)
        raise Problem(
            f"packages: pip could not install {shown}: {lines[-1] if lines else 'it said nothing'}",
            "see that this machine reaches its package index, and that the disk is not full; then run this again",
        )
    (fresh / "complete").write_text(wanted)
    shutil.rmtree(folder, ignore_errors=True)
    fresh.rename(folder)
    return folder


def site_packages() -> Path:
    return packages(root / "docs" / "requirements.txt", "packages")


def mkdocs(arguments: list[str]) -> int:
    """Runs MkDocs, and passes on what it says beyond how it gets along."""
    environment = os.environ | {
        "PYTHONPATH": str(site_packages()),
        "PYTHONNOUSERSITE": "1",
        "PYTHONPYCACHEPREFIX": str(state / "bytecode"),
        "NO_MKDOCS_2_WARNING": "1",
    }
    command = [sys.executable, "-m", "mkdocs", *arguments, "--config-file", str(root / "mkdocs.yml")]
    with subprocess.Popen(
        command, cwd=root, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as process:
        for line in process.stdout:
            level, dash, message = line.rstrip("\n").partition(" -  ")
            if dash and level.strip() in ("WARNING", "ERROR"):
                say(message)
            elif not (dash and level.strip() in ("INFO", "DEBUG")) and line.strip() and not line.startswith("Aborted"):
                say(line.rstrip("\n"))
    return process.returncode


def build(out: Path) -> None:
    """Makes the site aside, and puts it where the last one was only when it is whole."""
    if out.exists() and not (out / "sitemap.xml").is_file() and any(out.iterdir()):
        raise Problem(f"{out} holds something that is no site", "name an empty or a new folder: --out DIR")
    site_packages()
    begin = time.monotonic()
    fresh = state / "site.new"
    shutil.rmtree(fresh, ignore_errors=True)
    try:
        with progress("building the pages, and the programs that they quote"):
            failed = mkdocs(["build", "--strict", "--site-dir", str(fresh)])
        if failed:
            kept = f"; {shown(out)} is still the last good site" if out.is_dir() else ""
            raise Problem("the pages were not built" + kept, "mend what is named above, and run this again")
        shutil.rmtree(out, ignore_errors=True)
        out.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(fresh, out)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    pages = sum(1 for _ in out.rglob("index.html"))
    print(f"{shown(out)}: {pages} pages in {time.monotonic() - begin:.1f} s. To read them: ./lab docs serve")


def shown(path: Path) -> str:
    return str(path.relative_to(root)) if path.is_relative_to(root) else str(path)


def serve(port: int) -> None:
    say(f"The site is at http://127.0.0.1:{port}/ once it is built; it follows what you save. Ctrl-C ends it.")
    # Not strict: while somebody writes, a page with a mistake shows the mistake.
    failed = mkdocs(["serve", "--no-strict", "--dev-addr", f"127.0.0.1:{port}"])
    if failed:
        raise Problem("the server stopped", f"if port {port} is taken: ./lab docs serve --port {port + 1}")


def test(part: str, pictures: Path | None) -> int:
    """Tries the hooks on a small course of their own, every page of a fresh build in a browser, or both (`all`)."""
    folders = [site_packages()]
    environment = os.environ | {"PYTHONPYCACHEPREFIX": str(state / "bytecode"), "NO_MKDOCS_2_WARNING": "1"}
    programs = ["regions_test.py", "mistakes_test.py", "pages_test.py"] if part != "browser" else []
    if part != "hooks":
        browser = chromium()
        if browser is None:
            print(
                "skipped: to try the pages in a browser, Chromium is needed: sudo apt-get install chromium", flush=True
            )
        else:
            folders.append(packages(root / "docs" / "tests" / "requirements.txt", "browser"))
            build(state / "tested")
            environment |= {"WARPWRIGHT_SITE": str(state / "tested"), "WARPWRIGHT_BROWSER": browser}
            programs.append("browser_test.py")
    if pictures:
        pictures.mkdir(parents=True, exist_ok=True)
        environment["WARPWRIGHT_PICTURES"] = str(pictures.resolve())
    environment["PYTHONPATH"] = os.pathsep.join(map(str, folders))
    failed = 0
    for program in programs:
        command = [sys.executable, root / "docs" / "tests" / program]
        failed += subprocess.run(command, cwd=root, env=environment).returncode != 0
    return 1 if failed else 0


def chromium() -> str | None:
    """The browser's program. Continuous integration (CI=true) has to have it, and installs Debian's where it can."""
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    found = next((path for name in names if (path := shutil.which(name))), None)
    if found or os.environ.get("CI") != "true":
        return found
    if os.geteuid() == 0 and shutil.which("apt-get"):
        with progress("installing Chromium"):
            apt = ["apt-get", "-y", "-q", "-o", "DPkg::Lock::Timeout=300"]
            quiet = {"env": os.environ | {"DEBIAN_FRONTEND": "noninteractive"}, "capture_output": True}
            subprocess.run([*apt, "update"], **quiet)
            subprocess.run([*apt, "install", "--no-install-recommends", "chromium"], **quiet)
    found = shutil.which("chromium")
    if not found:
        raise Problem("the browser test needs Chromium, and CI=true", "sudo apt-get install chromium")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(prog="docs/site.py", description="The site around the course.")
    commands = parser.add_subparsers(dest="command", required=True)
    of_build = commands.add_parser("build", help="build the site, strictly")
    of_build.add_argument("--out", type=Path, default=root / "site", help="where to (default: site)")
    of_serve = commands.add_parser("serve", help="build it, show it in a browser, follow what is saved")
    of_serve.add_argument("--port", type=int, default=8000)
    of_test = commands.add_parser("test", help="try the hooks, and every page in headless Chromium")
    of_test.add_argument("part", nargs="?", choices=["hooks", "browser", "all"], default="all")
    of_test.add_argument("--pictures", type=Path, metavar="DIR", help="also keep a picture of every page there")
    arguments = parser.parse_args()
    try:
        state.mkdir(parents=True, exist_ok=True)
        if arguments.command == "build":
            build(arguments.out.resolve())
        elif arguments.command == "serve":
            serve(arguments.port)
        else:
            return test(arguments.part, arguments.pictures)
        return 0
    except Problem as problem:
        say(f"{problem}\n  next: {problem.mend}")
    except OSError as error:
        say(f"site: {error}\n  next: see whether the disk is full (df -h .) and whose the folder is (ls -ld)")
    except KeyboardInterrupt:
        say("\nInterrupted; nothing half-made is kept.")
        return 130
    return 1


if __name__ == "__main__":
    sys.exit(main())
