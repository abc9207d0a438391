"""Texts compiled together behave as each would alone, and errors name the text that has them."""

import subprocess
import tempfile
import unittest
from pathlib import Path

import together

header = "#pragma once\nnamespace course { struct Box { int size; }; int size_of(Box box); int one(); }\n"
text = """// Comment.
#include "course.h"
namespace {
int doubled(int size) { return 2 * size; }
}
int course::size_of(Box box) { return doubled(box.size) + course::one(); }"""
test = '#include "course.h"\nint course::one() { return 1; }\nint main() { return course::size_of({3}); }\n'


class Together(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "course.h").write_text(header)
        (self.folder / "test.cpp").write_text(test)
        self.places = {number: self.folder / str(number) / "answer.cu" for number in (0, 7, 8)}

    def ran(self, *words: str) -> subprocess.CompletedProcess:
        return subprocess.run(words, cwd=self.folder, capture_output=True, text=True, check=False)

    def compiled(self, name: str, source: str) -> str:
        (self.folder / f"{name}.cpp").write_text(source)
        return self.ran("g++", "-c", f"{name}.cpp", "-o", f"{name}.o").stderr

    def symbols_of(self, name: str) -> list[together.Symbol]:
        nm = ["nm", "--defined-only", "--extern-only", "--no-sort", f"{name}.o"]
        return together.symbols(self.ran(*nm).stdout, self.ran(*nm, "--demangle").stdout)

    def test_each_program_calls_its_own_text(self):
        texts = {0: text, 7: text.replace("2 *", "3 *"), 8: text.replace("+", "-")}
        self.assertEqual(self.compiled("alone", text), "")
        functions = self.symbols_of("alone")
        self.assertEqual([function.meaning for function in functions], ["course::size_of(course::Box)"])
        self.assertEqual(self.compiled("all", together.joined(texts, self.places, functions)), "")
        results = {}
        for number in texts:
            words = together.redirections(number, functions, self.symbols_of("all"))
            self.assertEqual(self.ran("g++", "test.cpp", "all.o", *words, "-o", "program").stderr, "")
            results[number] = self.ran("./program").returncode
        self.assertEqual(results, {0: 7, 7: 10, 8: 5})

    def test_errors_are_blamed_on_the_text_and_line_that_have_them(self):
        functions = [together.Symbol("_ZN6course7size_ofENS_3BoxE", "course::size_of(course::Box)")]
        texts = {0: text, 7: text.replace("box.size", "box.weight"), 8: text.replace("2 * size;", "2 *;")}
        errors = self.compiled("all", together.joined(texts, self.places, functions))
        self.assertEqual(together.blamed(errors, self.places), {7, 8})
        self.assertIn("7/answer.cu:6:", errors)
        self.assertEqual(together.blamed(f'{self.places[7]}(6): error: no member "weight"\n', self.places), {7})
        self.assertEqual(together.blamed(f"{self.places[7]}(6): warning: nobody reads it\n", self.places), set())

    def test_kernels_and_their_stubs_are_nobody_elses(self):
        plain = "0 T _ZN1_5solveEi\n1 T _Z6__stubPi\n2 T _ZN6course5solveEi\n3 W _ZN6course5otherEi\n"
        readable = "0 T (anonymous namespace)::solve(int)\n1 T __stub(int*)\n2 T course::solve(int)\n"
        readable += "3 W course::other(int)\n"
        self.assertEqual(
            together.symbols(plain, readable), [together.Symbol("_ZN6course5solveEi", "course::solve(int)")]
        )

    def test_a_text_without_the_function_is_left_to_be_compiled_alone(self):
        functions = [together.Symbol("f", "course::f()")]
        defined = [together.Symbol("f7", "change_7::course::f()"), together.Symbol("g8", "change_8::course::g()")]
        self.assertEqual(together.redirections(7, functions, defined), ["-Wl,--defsym=f=f7"])
        self.assertIsNone(together.redirections(8, functions, defined))
        self.assertIsNone(together.redirections(7, [], defined))


if __name__ == "__main__":
    unittest.main()
