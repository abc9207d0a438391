"""The table of mistakes says of a card what was recorded there."""

import json
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "hooks"))

import mistakes

tools = dict.fromkeys(mistakes.tools, 0)
right = {"ended": "cudaSuccess", "wrong": 0, "runs": 20} | tools
context = {
    "date": "2026-12-01T00:00:00+00:00",
    "device": "a card",
    "driver": "1",
    "toolkit": "13.0",
    "sanitizer": "2",
    "commit": "0123456789abcdef",
    "command": "record",
}


class Mistakes(unittest.TestCase):
    def table(self, mistake, mended=None, expect="race at [line]"):
        """The table of one case, `one`, of which that was recorded."""
        with tempfile.TemporaryDirectory() as folder:
            cases = Path(folder) / mistakes.folder
            (cases / "on_gpu").mkdir(parents=True)
            (cases / "one.cu").write_text(f"// It is wrong.\n// expect: {expect}\n#include <x>\n")
            recorded = {"one": {"mistake": right | mistake, "mended": right | (mended or {})}} if mistake else {}
            (cases / "on_gpu" / "h200.json").write_text(json.dumps({"context": context, "cases": recorded}))
            return mistakes.block(Path(folder))

    def test_a_case_that_was_not_recorded_was_not_tried(self):
        self.assertIn("| not tried |", self.table({}))

    def test_a_wrong_result_and_who_found_the_mistake(self):
        self.assertIn("| wrong; memcheck finds it |", self.table({"wrong": 20, "memcheck": 3}))
        both = {"wrong": 2, "memcheck": 3, "racecheck": 1}
        self.assertIn("| wrong in 2 of 20 runs; memcheck and racecheck find it |", self.table(both))

    def test_luck_is_called_luck_but_what_is_only_slow_is_right(self):
        self.assertIn("| right by luck; not found |", self.table({"wrong": 0}))
        self.assertIn("| right; nothing to find |", self.table({"wrong": 0}, expect="cost 32 for 4 at [line]"))

    def test_a_launch_that_ends_early_is_named_by_its_error(self):
        failed = {"ended": "cudaErrorIllegalAddress", "wrong": 1, "runs": 1}
        self.assertIn("| fails: `cudaErrorIllegalAddress`; not found |", self.table(failed))

    def test_a_tool_that_accuses_the_mended_form_has_not_found_the_mistake(self):
        accused = {"initcheck": 32}
        self.assertIn(
            "| wrong; initcheck tells as much of the mended form |", self.table({"wrong": 20} | accused, accused)
        )

    def test_the_conditions_stand_below(self):
        self.assertIn("a card (driver 1, CUDA 13.0, compute-sanitizer 2, commit 0123456789)", self.table({"wrong": 0}))


if __name__ == "__main__":
    unittest.main()
