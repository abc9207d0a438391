"""A small kernel yields exactly these changes, and an entry explains exactly the change that it shows."""

import sys
import tempfile
import unittest
from pathlib import Path

try:
    import tree_sitter_cuda  # noqa: F401
except ImportError:
    print("skipped: the parser is not installed yet: ./lab check --texts")
    sys.exit(0)

import explained
from changes import Unreadable, changes
from mutants import evenly, groups


def made(text: str) -> list[str]:
    return [f"{change.kind}: {change.old} -> {change.new}" for change in changes(text)]


def in_kernel(body: str) -> list[str]:
    return made(f"__global__ void k(float* a, int n) {{ {body} }}")


class Changes(unittest.TestCase):
    maxDiff = None

    def test_a_whole_kernel_yields_exactly_these(self):
        kernel = "__global__ void k(int* a, int n) {\n  if (n < 3) a[threadIdx.x] = -n;\n  __syncthreads();\n}\n"
        self.assertEqual(
            made(kernel),
            [
                "statement: (n < 3) -> (true)",
                "statement: (n < 3) -> (false)",
                "comparison: < -> <=",
                "comparison: < -> >",
                "constant: 3 -> 4",
                "constant: 3 -> 2",
                "statement: a[threadIdx.x] = -n; -> ;",
                "index: threadIdx -> blockIdx",
                "index: x -> y",
                "operator: -n -> n",
                "barrier: __syncthreads(); -> ;",
            ],
        )

    def test_a_warp_call_loses_lanes_of_its_mask_and_half_its_width(self):
        self.assertEqual(
            [change for change in in_kernel("v = __shfl_down_sync(m, v, 1);") if "mask" in change or "width" in change],
            [
                "mask: m -> (m) & ~1u",
                "mask: m -> (m) & 0x7fffffffu",
                "mask: m -> (m) & 0xffffu",
                "width: 1 -> 1, 16",
            ],
        )
        self.assertIn("width: w -> (w) / 2", in_kernel("v = __shfl_sync(m, v, 0, w);"))
        self.assertIn("barrier: __syncwarp(); -> ;", in_kernel("__syncwarp();"))

    def test_operands_are_swapped_where_order_matters(self):
        self.assertEqual(in_kernel("int i = a - b;"), ["operands: a - b -> b - a", "operator: - -> +"])
        self.assertEqual(in_kernel("int i = a + b;"), ["operator: + -> -"])
        self.assertIn("operands: a - b - c -> c - (a - b)", in_kernel("int i = a - b - c;"))
        self.assertIn("operands: p : q -> q : p", in_kernel("int i = c ? p : q;"))
        self.assertEqual(in_kernel("int i = f(p, q);"), ["operands: p, q -> q, p"])
        self.assertEqual(in_kernel("float m = fminf(p, q);"), ["function: fminf -> fmaxf"])

    def test_numbers_move_by_one_and_keep_their_way_of_writing(self):
        numbers = {"0": ["1", "-1"], "7u": ["8u", "6u"], "0x10": ["0x11", "0xf"], "0.5f": ["1.5f", "-0.5f"]}
        for number, others in numbers.items():
            self.assertEqual(in_kernel(f"auto i = {number};"), [f"constant: {number} -> {other}" for other in others])

    def test_assignments_and_updates_change_their_operator(self):
        self.assertEqual(
            in_kernel("for (;; s *= 2) ++i;"),
            ["operator: *= -> /=", "operator: *= -> =", "constant: 2 -> 3", "constant: 2 -> 1", "statement: ++i; -> ;"]
            + ["operator: ++ -> --"],
        )

    def test_a_launch_and_its_host_are_changed_too(self):
        text = "void f(int* a) {\n  k<<<2, n>>>(a);\n}\n"
        self.assertEqual(
            made(text),
            ["statement: k<<<2, n>>>(a); -> ;", "operands: 2, n -> n, 2", "constant: 2 -> 3", "constant: 2 -> 1"],
        )

    def test_comments_parameters_and_includes_stay(self):
        self.assertEqual(made('#include "a-1.h"\n// 1 < 2\nvoid f(int a = 3);\n'), [])

    def test_a_change_adds_and_removes_no_line(self):
        text = "void f() {\n  g(1,\n    2);\n}\n"
        for change in changes(text):
            self.assertEqual(change.applied(text).count("\n"), text.count("\n"), change)

    def test_text_that_is_not_understood_is_refused_with_its_line(self):
        with self.assertRaisesRegex(Unreadable, "^line 2 "):
            changes("int a;\nint ) b;\n")


text = "void f(int i) {\n  i += 2;\n  g();\n  i += 2;\n  h();\n}\n"


class Entries(unittest.TestCase):
    def read(self, *entries: str) -> tuple[dict, dict]:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "a.md"
            file.write_text("# Title\n\n" + "\n".join(entries))
            return explained.matched(explained.read(file), text, changes(text))

    def test_an_entry_explains_the_change_that_it_shows(self):
        of_change, faults = self.read("```diff\n-g();\n+;\n```\n\nNobody\nlooks.\n")
        self.assertEqual(faults, {})
        [(change, entry)] = of_change.items()
        self.assertEqual((change.line, change.old, entry.reason), (3, "g();", "Nobody looks."))

    def test_context_tells_equal_lines_apart(self):
        _, faults = self.read("```diff\n-i += 2;\n+i += 3;\n```\nWhy.\n")
        self.assertEqual(faults, {3: "fits the changes of lines 2, 4: add a line of context, with a space before it"})
        of_change, faults = self.read("```diff\n-  i += 2;\n+  i += 3;\n   h();\n```\nWhy.\n")
        self.assertEqual(([change.line for change in of_change], faults), ([4], {}))

    def test_entries_that_explain_nothing_are_faults(self):
        _, faults = self.read("```diff\n-i += 2;\n+i += 9;\n```\nWhy.\n", "```diff\n-g();\n+;\n```\n")
        self.assertIn("is no change that is made", faults[3])
        self.assertIn("gives no reason", faults[9])
        once = "```diff\n-g();\n+;\n```\nWhy.\n"
        self.assertIn("says again what line 3 says", self.read(once, once)[1][9])


class Sample(unittest.TestCase):
    def test_is_spread_evenly_and_always_the_same(self):
        self.assertEqual(evenly(list(range(10)), 4), [0, 2, 5, 7])
        self.assertEqual(evenly([1, 2], 4), [1, 2])
        self.assertEqual(evenly([1, 2, 3], None), [1, 2, 3])

    def test_is_parted_into_groups_with_something_to_do_for_all_jobs(self):
        self.assertEqual(groups([1, 2, 3, 4, 5], 2), [[1, 2, 3], [4, 5]])
        self.assertEqual([len(group) for group in groups(list(range(40)), 2)], [16, 16, 8])
        self.assertEqual(groups([1, 2], 8), [[1], [2]])
        self.assertEqual(groups([], 2), [])


if __name__ == "__main__":
    unittest.main()
