"""Parts of source files are found by their names."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "hooks"))

import regions
from problem import Problem

source = """\
// What this file is about.
#pragma once
#define BRACES {   // a brace that opens nothing

#include <x.h>

namespace reduce {

/// How many groups; the words ( and { in a comment mean nothing.
constexpr unsigned groups_of(unsigned size, unsigned n) { return (n + size - 1) / size; }

constexpr unsigned block_threads = 256;

template <class T, int N>
struct Tile {
  T values[N] = {};
};

enum class Side { left, right };

// Launches.
void v1(const float* in, float* out);

namespace {

template <unsigned block>
__global__ void __launch_bounds__(block) sum_tiles(const float* in, unsigned n) {
  if (n > 0) {
    const char* text = "}";
    (void)text;
  }
  // TODO: write it.
  (void)in;
  // END
}

const int table[] = {1, 2,
                     3};

}  // namespace

int twice(int x) { return 2 * x; }
int twice(float x) { return static_cast<int>(2 * x); }

}  // namespace reduce

void reduce::v1(const float* in, float* out) {
  sum_tiles<256><<<1, 256>>>(in, [=] { return 1u; }());
  // region call
  (void)out;
  // endregion
}

TEST_F(Contract, ReadsOnce) { EXPECT_EQ(1, 1); }
TEST_F(Safely, ReadsOnce) {
  EXPECT_EQ(2, 2);
}
"""


def part(name: str) -> str:
    first, last = regions.find(source, name, is_cpp=True)
    return "\n".join(source.split("\n")[first - 1 : last])


class Regions(unittest.TestCase):
    def test_a_function_comes_with_the_comment_above_it(self):
        self.assertTrue(part("groups_of").startswith("/// How many groups"))
        self.assertTrue(part("groups_of").endswith("/ size; }"))

    def test_a_kernel_is_found_through_its_template_and_launch_bounds(self):
        self.assertTrue(part("sum_tiles").startswith("template <unsigned block>\n__global__"))
        self.assertTrue(part("sum_tiles").endswith("  // END\n}"))

    def test_types_and_values_end_with_their_semicolon(self):
        self.assertEqual(part("Tile"), "template <class T, int N>\nstruct Tile {\n  T values[N] = {};\n};")
        self.assertEqual(part("block_threads"), "constexpr unsigned block_threads = 256;")
        self.assertEqual(part("Side"), "enum class Side { left, right };")
        self.assertEqual(part("table"), "const int table[] = {1, 2,\n                     3};")

    def test_a_definition_goes_before_a_declaration(self):
        self.assertTrue(part("v1").startswith("void reduce::v1("))
        self.assertEqual(part("v1"), part("reduce::v1"))

    def test_a_tests_name_holds_its_suite(self):
        self.assertEqual(part("Contract.ReadsOnce"), "TEST_F(Contract, ReadsOnce) { EXPECT_EQ(1, 1); }")
        self.assertEqual(part("Safely.ReadsOnce"), "TEST_F(Safely, ReadsOnce) {\n  EXPECT_EQ(2, 2);\n}")

    def test_marked_regions(self):
        self.assertEqual(part("TODO"), "  // TODO: write it.\n  (void)in;")
        self.assertEqual(part("call"), "  (void)out;")
        first, last = regions.find("a: 1\n# region one\nb: 2\n# endregion\n", "one", is_cpp=False)
        self.assertEqual((first, last), (3, 3))

    def test_the_definition_around_a_marked_region(self):
        self.assertEqual(regions.around_marked(source), [regions.find(source, "sum_tiles", is_cpp=True)])

    def test_an_unknown_name_is_told_with_those_that_are_there(self):
        with self.assertRaises(Problem) as caught:
            part("sum_tile")
        self.assertIn("sum_tiles", caught.exception.mend)

    def test_a_name_that_means_two_things_is_no_name(self):
        for name in ("twice", "ReadsOnce"):
            with self.assertRaisesRegex(Problem, "more than once"):
                part(name)

    def test_a_region_that_does_not_end_is_told(self):
        with self.assertRaisesRegex(Problem, "does not end"):
            regions.find("// TODO: x\nint a;\n", "TODO", is_cpp=True)


if __name__ == "__main__":
    unittest.main()
