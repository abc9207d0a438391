"""Pages say what files and programs say, and a page that cannot is not built: on a small course of this test's own."""

import html
import json
import logging
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.exceptions import Abort, PluginError

os.environ.pop("WARPWRIGHT_BUILD", None)  # the small course has a build folder of its own

repository = Path(__file__).resolve().parent.parent.parent

stub = """\
// toy.one: a kernel.
// fails now: contract: it adds

namespace {

// Adds.
__global__ void add(int* out) {
  // TODO: add one.
  *out = 0;
  // END
}

}  // namespace
"""
solution = stub.replace("  // TODO: add one.\n  *out = 0;", '  // SOLUTION: it adds one < two & "more".\n  *out += 1;')
hints = """\
# toy.one: add one

## Idea

Add.

## Where to look

At `out`.

## Pseudocode

    out = out + 1

## Afterwards

It adds.
"""
page = """\
# Toys: a first one

What is a toy?

It counts {{ profile("solution.toy.one", n=1000).metric("branches") }} branches, not `{{ 1 + 1 }}`.

[The kernel](../../solutions/01-toys/one.cu#add)

See [the test](tests/one.cpp), the [exercise](exercises/one.cu) and [the start](../../docs/index.md#start).
"""
metrics = '/// Branches.\ninline constexpr std::string_view branches = "ptx__branches.sum";\n'
profile = {
    "device": "toy GPU",
    "launches": [{"kernel": "add", "grid": [4, 1, 1], "block": [32, 2, 1], "metrics": {"ptx__branches.sum": 1234567}}],
}
context = {
    "device": "toy GPU",
    "driver": "1",
    "toolkit": "13.0",
    "clock": "1 MHz",
    "date": "2025-01-02T03:04:05",
    "commit": "abc",
    "command": "./lab bench toy",
}
runs = [
    {"name": f"toy.{name}/{n}/manual_time", "run_type": "iteration", "GB/s": rate}
    for name, n, rate in [("one", 64, 1.25), ("one", 4096, 2000), ("two", 64, 3), ("two", 4096, 2500)]
]


def text_of(markup: str) -> str:
    return html.unescape(re.sub(r"<[^>]+>", "", markup))


class Pages(unittest.TestCase):
    def setUp(self):
        self.root = Path(tempfile.mkdtemp(prefix="warpwright-site-"))
        self.addCleanup(shutil.rmtree, self.root)
        config = (repository / "mkdocs.yml").read_text()
        self.write(
            "mkdocs.yml",
            re.sub(r"\nnav:\n.*?(?=\n\w)", "\nnav:\n  - Start: index.md\n  - Chapters: []", config, flags=re.S),
        )
        for folder in ("hooks", "assets"):
            shutil.copytree(
                repository / "docs" / folder, self.root / "docs" / folder, ignore=shutil.ignore_patterns("__*")
            )
        self.write("docs/index.md", "# Start\n")
        self.write("docs/chapters/index.md", "# Chapters\n\n``` chapters\n```\n")
        self.write("chapters/01-toys/README.md", page)
        self.write("chapters/01-toys/hints/one.md", hints)
        self.write("chapters/01-toys/tests/one.cpp", "TEST(Contract, ItAdds) {}\n")
        self.write("exercises/01-toys/one.cu", stub)
        self.write("solutions/01-toys/one.cu", solution)
        (self.root / "chapters/01-toys/exercises").symlink_to("../../exercises/01-toys")
        self.write("simulator/observe/metrics.h", metrics)
        exercise = {
            "name": "toy.one",
            "short": "one",
            "title": "add one",
            "file": "exercises/01-toys/one.cu",
            "solution": "solutions/01-toys/one.cu",
            "hints": "chapters/01-toys/hints/one.md",
            "test": "chapters/01-toys/tests/one.cpp",
        }
        chapter = {"name": "toy", "folder": "chapters/01-toys", "title": "Toys", "exercises": [exercise]}
        self.write("build/sim/course.json", json.dumps({"chapters": [chapter]}))
        self.program("bench.solution.toy.one", json.dumps(profile))
        self.program("toy.one", "toy.one  contract: it adds\n  expected 1 < 2", status=1)
        subprocess.run(
            "git init -q && git add -A && git -c user.name=t -c user.email=t@t commit -qm t",
            shell=True,
            cwd=self.root,
            check=True,
        )

    def write(self, path: str, text: str) -> None:
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)

    def program(self, name: str, output: str, status: int = 0) -> None:
        self.write(f"build/sim/bin/{name}", f"#!/bin/sh\ncat <<'END'\n{output}\nEND\nexit {status}\n")
        (self.root / "build/sim/bin" / name).chmod(0o755)

    def add(self, text: str) -> int:
        """Adds text to the chapter's page; returns the line that it begins at."""
        path = self.root / "chapters/01-toys/README.md"
        before = path.read_text()
        path.write_text(f"{before}\n{text}\n")
        return before.count("\n") + 2

    def built(self) -> str:
        """The chapter's page, built."""
        config = load_config(str(self.root / "mkdocs.yml"), strict=True)
        build(config)
        return (self.root / "site/chapters/01-toys/index.html").read_text()

    def assert_not_built(self, line: int, words: str) -> None:
        """The build fails, naming this line of the chapter's page, with these words."""
        with self.assertLogs("mkdocs", logging.WARNING) as logs, self.assertRaises((Abort, PluginError)):
            self.built()
        told = "\n".join(logs.output)
        self.assertIn(f"chapters/01-toys/README.md:{line}: ", told)
        self.assertIn(words, told)

    def listing(self, markup: str) -> str:
        code = re.search(r'<td class="code"><div>(.*?)</div></td>', markup, re.S)
        return text_of(code[1]).strip("\n")

    def test_a_listing_is_the_files_own_lines(self):
        expected = solution[solution.index("// Adds.") : solution.index("}\n\n}") + 1]
        self.assertEqual(self.listing(self.built()), expected)

    def test_a_changed_region_changes_the_page_with_no_other_edit(self):
        self.built()
        self.write("solutions/01-toys/one.cu", solution.replace("+= 1", "+= 41 - 40"))
        self.assertIn("*out += 41 - 40;", self.listing(self.built()))

    def test_a_listings_title_leads_to_its_line_in_the_whole_file(self):
        markup = self.built()
        self.assertIn('href="../../source/solutions/01-toys/one.cu/#__codelineno-0-6"', markup)
        whole = (self.root / "site/source/solutions/01-toys/one.cu/index.html").read_text()
        self.assertIn('id="__codelineno-0-6"', whole)
        self.assertEqual(self.listing(whole), solution.strip("\n"))

    def test_links_to_files_lead_to_their_pages(self):
        markup = self.built()
        self.assertIn('href="../../source/chapters/01-toys/tests/one.cpp/"', markup)
        self.assertIn('href="../../source/exercises/01-toys/one.cu/"', markup)
        self.assertIn('href="../..#start"', markup.replace("../../#", "../..#"))

    def test_a_missing_region_fails_the_build(self):
        self.assert_not_built(self.add("[x](../../solutions/01-toys/one.cu#subtract)"), "there is no subtract")

    def test_a_missing_file_fails_the_build(self):
        self.assert_not_built(self.add("See [x](../../solutions/01-toys/two.cu)."), "is not there")

    def test_a_missing_heading_fails_the_build(self):
        self.add("See [x](../../docs/index.md#nowhere).")
        with self.assertLogs("mkdocs") as logs, self.assertRaises(Abort):
            self.built()
        self.assertIn("nowhere", "\n".join(logs.output))

    def test_a_diagram_with_a_mistake_fails_the_build(self):
        self.assert_not_built(self.add("``` mermaid\nflowchart TD\n  a[ --> b\n```"), "Mermaid cannot draw")

    def test_a_good_diagram_loads_the_sites_own_mermaid(self):
        self.add('``` mermaid\nflowchart TD\n  a{{"six corners"}} --> b\n```')
        self.assertIn('<script src="../../assets/mermaid.min.js">', self.built())
        self.assertTrue((self.root / "site/assets/mermaid.min.js").is_file())

    def test_a_number_is_the_programs_and_not_what_it_was(self):
        self.assertIn("It counts 1,234,567 branches, not <code>{{ 1 + 1 }}</code>", self.built())
        self.program("bench.solution.toy.one", json.dumps(profile).replace("1234567", "7654"))
        self.assertIn("It counts 7,654 branches", self.built())

    def test_expressions_calculate(self):
        self.add(
            '{{ profile("solution.toy.one").metric("ptx__branches.sum") / profile("solution.toy.one").blocks }} a block'
            ' of {{ profile("solution.toy.one").threads }}'
        )
        self.assertIn("308,642 a block of 64", self.built())

    def test_a_number_that_cannot_be_had_fails_the_build(self):
        self.assert_not_built(
            self.add('{{ profile("solution.toy.one").metric("conflicts") }}'), "has no metric conflicts"
        )

    def test_a_program_that_is_not_built_fails_the_build(self):
        self.assert_not_built(self.add('{{ profile("toy.one").metric("branches") }}'), "is not built")

    def test_a_program_that_fails_fails_the_build(self):
        self.program("bench.toy.one", "wrong", status=1)
        self.assert_not_built(self.add('{{ profile("toy.one").metric("branches") }}'), "ended with status 1")

    def test_an_expression_that_is_none_fails_the_build(self):
        self.assert_not_built(self.add("{{ profil(1) }}"), "undefined")
        self.assert_not_built(self.add('{{ profile("solution.toy.one") }}'), "is no number")

    def test_tiny_numbers_are_given_by_a_power_of_ten(self):
        self.add("{{ 1 / 81000 }} and {{ 1 / 81 }}")
        self.assertIn("1.23 · 10⁻⁵ and 0.0123", text_of(self.built()))

    def test_counts_by_block_and_by_one_another(self):
        self.add('{{ profile("solution.toy.one").by_block("branches") }} by block')
        self.add('{{ profile("solution.toy.one").ratio("branches", "branches") }} for each')
        shown = text_of(self.built())
        self.assertIn("308,642 by block", shown)
        self.assertIn("1 for each", shown)

    def test_an_expression_may_go_on_in_the_next_line(self):
        self.add('It is {{\nprofile("solution.toy.one").blocks\n}} blocks.')
        self.assertIn("It is 4 blocks.", text_of(self.built()))

    def test_an_expression_that_does_not_end_fails_the_build(self):
        self.assert_not_built(self.add("It is {{ 1 + 1.\n\nSo }} it is."), "this expression does not end")

    def test_a_table_of_counters_names_the_command_that_counts_again(self):
        self.add("``` counters\nof: [solution.toy.one]\nn: 1000\ncount: {parted: branches}\nper: block\n```")
        markup = self.built()
        self.assertIn("<td>308,642</td>", markup)
        self.assertIn("<code>./lab profile toy.one --solution --n 1000</code>", markup)

    def test_a_tables_unknown_entry_fails_the_build(self):
        self.assert_not_built(
            self.add("``` counters\nof: [solution.toy.one]\ncount: [branches]\nsize: 3\n```"), "no size"
        )

    def test_recorded_runs_are_shown_with_their_conditions(self):
        self.write("chapters/01-toys/results/toy.json", json.dumps({"context": context, "benchmarks": runs}))
        self.add("``` results\nfile: results/toy.json\nof: [toy.one, toy.two]\nshow: GB/s\n```\n")
        self.add("``` plot\nfile: results/toy.json\nof: [toy.one, toy.two]\n```\n")
        self.add('{{ recorded("results/toy.json").value("toy.two", n=4096) }} GB/s')
        markup = self.built()
        self.assertIn("<td>1.25</td><td>3</td>", markup)
        self.assertIn("2,500 GB/s", markup)
        self.assertIn("Measured on 2025-01-02: toy GPU (driver 1, CUDA 13.0", markup)
        self.assertEqual(set(re.findall(r"series serie-(\d+)", markup)), {"0", "1"})
        self.assertEqual(markup, self.built(), "the same site twice is not the same bytes")

    def test_recorded_runs_of_one_size_are_rows_and_bars_under_names_of_their_own(self):
        lanes = [
            {"name": f"toy.ways/{way} lanes/64/iterations:5", "run_type": "iteration", "GB/s": rate, "bytes": 64 * rate}
            for way, rate in [("few", 7), ("all", 9)]
        ]
        self.write("chapters/01-toys/results/toy.json", json.dumps({"context": context, "benchmarks": lanes}))
        of = "of: {few: toy.ways/few lanes, all of them: toy.ways/all lanes}\nn: 64\n"
        self.add(f"``` results\nfile: results/toy.json\n{of}show: [GB/s, bytes]\n```\n")
        self.add(f"``` results\nfile: results/toy.json\n{of}show: bytes\nper: element\n```\n")
        self.add(f"``` plot\nfile: results/toy.json\n{of}show: {{moved: bytes}}\n```\n")
        self.add(
            '{{ recorded("results/toy.json").ratio("toy.ways/all lanes", "toy.ways/few lanes", n=64) * 7 }} sevenths'
        )
        markup = self.built()
        self.assertIn('<th scope="row">all of them</th><td>9</td><td>576</td>', markup)
        self.assertIn("<td>7</td><td>9</td>", markup)
        self.assertIn("moved, n = 64. Measured on", markup)
        self.assertIn("9 sevenths", markup)
        self.assertEqual(markup.count('class="rect reactive'), 2)

    def test_a_recorded_run_without_its_conditions_is_not_quoted(self):
        bare = {key: value for key, value in context.items() if key != "clock"}
        self.write("chapters/01-toys/results/toy.json", json.dumps({"context": bare, "benchmarks": runs}))
        line = self.add("``` results\nfile: results/toy.json\nof: [toy.one]\nshow: GB/s\n```")
        self.assert_not_built(line, "does not say its clock")

    def test_a_run_that_is_not_recorded_fails_the_build_or_leaves_a_gap_that_says_so(self):
        block = "``` {}\nfile: results/toy.json\nof: [toy.one]\nshow: GB/s\n{}```\n"
        for kind in ("results", "plot"):
            self.add(block.format(kind, "until_recorded: ./measure --now\n"))
        markup = self.built()
        self.assertEqual(markup.count("Not recorded yet: results/toy.json is not there"), 2)
        self.assertIn("<code>./measure --now</code>", markup)
        self.assert_not_built(self.add(block.format("results", "")), "there is no recorded run")

    def test_an_exercise_is_made_from_its_own_files(self):
        self.add("``` exercise\ntoy.one\n```")
        shown = text_of(self.built())
        for words in (
            "Exercise toy.one: add one",
            "*out = 0;",
            "contract: it adds\n  expected 1 < 2",
            "Hint: where to look",
            "At out.",
            "out = out + 1",
            'one < two & "more"',
            "It adds.",
        ):
            self.assertIn(words, shown)

    def test_an_edited_exercise_shows_no_message(self):
        self.add("``` exercise\ntoy.one\n```")
        self.write("exercises/01-toys/one.cu", solution)
        self.program("toy.one", "passed")
        self.assertNotIn("It fails now", self.built())

    def test_a_stub_that_passes_fails_the_build(self):
        self.program("toy.one", "passed")
        self.assert_not_built(self.add("``` exercise\ntoy.one\n```"), "should fail")

    def test_an_unknown_exercise_fails_the_build(self):
        self.assert_not_built(self.add("``` exercise\ntoy.ten\n```"), "there is no exercise toy.ten")

    def test_a_block_that_does_not_end_fails_the_build(self):
        self.assert_not_built(self.add("``` mermaid\nflowchart TD"), "does not end")

    def test_a_new_chapter_needs_no_list(self):
        self.write("chapters/02-more/README.md", "# More: and more\n\nWhat else?\n")
        self.built()
        start = (self.root / "site/index.html").read_text()
        self.assertIn("02 More", text_of(start))
        self.assertIn("What else?", text_of((self.root / "site/chapters/index.html").read_text()))


if __name__ == "__main__":
    unittest.main()
