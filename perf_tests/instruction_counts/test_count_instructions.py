# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of count_instructions.py: what it takes for a difference, what it skips, and its file. A script stands for
valgrind."""

import contextlib
import io
import os
import pathlib
import stat
import tempfile
import unittest

import count_instructions as script

CALL = "gemm f32 NN relu 8 8 8"
BUILD = "Release by GNU 12.2.0"

# Writes a count for each call, as the environment's set has it, and prints as tegula_counted_calls does.
VALGRIND = """#!/bin/sh
for word; do case $word in --callgrind-out-file=*) out=${word#*=} ;; esac; done
%s
test "$TEGULA_INSTRUCTIONS" = avx2 && count=500 || count=1000
echo "totals: $count" > "$out.1"
echo "1 gemm f32 NN relu 8 8 8"
"""


class Differences(unittest.TestCase):
    def of(self, before, now):
        return list(script.differences({("avx2", CALL): before}, {("avx2", CALL): now}, 0.01))

    def test_within_the_tolerance_there_are_none(self):
        self.assertEqual(self.of(1000, 1010), [])
        self.assertEqual(self.of(1000, 990), [])

    def test_beyond_it_there_are_in_both_directions(self):
        self.assertEqual(self.of(1000, 1011), [f"avx2: {CALL}: 1000 -> 1011 instructions, +1.1 %: MORE"])
        self.assertEqual(self.of(1000, 900), [f"avx2: {CALL}: 1000 -> 900 instructions, -10.0 %: less"])

    def test_a_call_that_one_of_both_misses_is_one(self):
        found = script.differences({("avx2", "old"): 5, ("avx2", "both"): 5}, {("avx2", "both"): 5, ("avx2", "new"): 5})
        self.assertEqual([line.split(": ")[1] for line in found], ["new", "old"])

    def test_a_set_that_the_processor_lacks_is_none(self):
        self.assertEqual(
            list(script.differences({("avx2", CALL): 5, ("baseline", CALL): 5}, {("baseline", CALL): 5})), []
        )


class Program(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.counts = self.folder / "counts.csv"
        path = os.environ["PATH"]
        self.addCleanup(os.environ.__setitem__, "PATH", path)
        self.path = path

    def valgrind(self, first=""):
        program = self.folder / "valgrind"
        program.write_text(VALGRIND % first, encoding="utf-8")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        os.environ["PATH"] = f"{self.folder}:{self.path}"

    def call(self, *more, build=BUILD):
        """Exit code and output."""
        output = io.StringIO()
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
            code = script.main(["--program", "program", "--build", build, "--counts", str(self.counts), *more])
        return code, output.getvalue()

    def test_counts_as_written_are_right_and_others_are_not(self):
        self.valgrind()
        self.assertEqual(self.call("--write"), (0, ""))
        self.assertIn(f"{BUILD},{CALL},1000,500\n", self.counts.read_text())
        self.assertEqual(self.call()[0], 0)
        self.counts.write_text(self.counts.read_text().replace("500", "480"))
        code, output = self.call()
        self.assertEqual(code, 1)
        self.assertIn(f"avx2: {CALL}: 480 -> 500 instructions, +4.2 %: MORE", output)
        self.assertIn("--write", output)

    def test_other_builds_are_kept(self):
        self.valgrind()
        self.call("--write")
        self.call("--write", build="another")
        self.assertEqual(len(script.read(self.counts)), 4)

    def test_what_cannot_be_judged_is_skipped_with_a_reason(self):
        self.valgrind()
        self.assertEqual(self.call(build="Debug -fsanitize=address")[0], script.SKIPPED)
        self.call("--write")
        code, output = self.call(build="another")
        self.assertEqual(code, script.SKIPPED)
        self.assertIn(f"no counts of this build, another; there are those of {BUILD}", output)
        os.environ["PATH"] = ""
        self.assertEqual(self.call(), (script.SKIPPED, "skipped: there is no valgrind (Debian: valgrind)\n"))

    def test_a_set_that_the_processor_lacks_keeps_its_counts(self):
        self.valgrind()
        self.call("--write")
        self.valgrind('test "$TEGULA_INSTRUCTIONS" = avx2 && echo avx2, which this processor lacks >&2 && exit 2')
        before = script.read(self.counts)
        self.assertEqual(
            self.call(), (0, "not counted: avx2, which this processor lacks\n1 counts, 0 not as in counts.csv\n")
        )
        self.assertEqual(self.call("--write")[0], 0)
        self.assertEqual(script.read(self.counts), before)

    def test_a_program_that_fails_is_an_error(self):
        self.valgrind("echo broken >&2; exit 3")
        code, output = self.call("--write")
        self.assertEqual(code, 2)
        self.assertIn("exit code 3: broken", output)

    def test_no_count_is_an_error(self):
        self.valgrind('echo "1 gemm f32 NN relu 8 8 8"; echo > "$out.1"; exit 0')
        self.assertEqual(self.call("--write")[0], 2)


if __name__ == "__main__":
    unittest.main()
