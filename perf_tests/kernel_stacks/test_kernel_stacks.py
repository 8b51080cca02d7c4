# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of kernel_stacks.py: what it reads, what it takes for a difference, what it skips, and its file. A script stands
for cuobjdump."""

import contextlib
import io
import pathlib
import tempfile
import unittest
import unittest.mock

import kernel_stacks as script

BUILD = "nvcc 13.0, sm_90"
TEXT = """
member lib/libtegula.a:Tegula_Plan.cpp.o:

member lib/libtegula.a:Tegula_MmaDouble.cu.o:

Resource usage:
 Common:
  GLOBAL:0
 Function first:
  REG:96 STACK:88 SHARED:1024 LOCAL:0 CONSTANT[0]:904 TEXTURE:0 SURFACE:0 SAMPLER:0
 Function second:
  REG:255 STACK:0 SHARED:1024 LOCAL:0 CONSTANT[0]:904 TEXTURE:0 SURFACE:0 SAMPLER:0
member lib/libtegula.a:Tegula_SimtLines.cu.o:
 Function third:
  REG:128 STACK:8 SHARED:0 LOCAL:0 CONSTANT[0]:904 TEXTURE:0 SURFACE:0 SAMPLER:0
"""
FOUND = {"Tegula_MmaDouble.cu": (2, 88), "Tegula_SimtLines.cu": (1, 8)}


class Stacks(unittest.TestCase):
    def test_are_summed_by_object_file(self):
        self.assertEqual(script.stacks_in(TEXT), FOUND)

    def test_are_of_archives(self):
        with self.assertRaisesRegex(script.StackError, "is this an archive?"):
            script.stacks_in(TEXT.replace("member", "file"))


class Differences(unittest.TestCase):
    def of(self, before, now):
        return list(script.differences({"a.cu": before} if before else {}, {"a.cu": now} if now else {}))

    def test_are_changes_in_either_direction(self):
        self.assertEqual(self.of((2, 88), (2, 88)), [])
        self.assertEqual(self.of((2, 0), (2, 88)), ["a.cu: 2 kernels with 0 bytes -> 2 kernels with 88 bytes: MORE"])
        self.assertEqual(self.of((2, 88), (2, 0)), ["a.cu: 2 kernels with 88 bytes -> 2 kernels with 0 bytes"])

    def test_are_files_that_one_of_both_misses(self):
        self.assertEqual(self.of(None, (1, 8)), ["a.cu: 1 kernels with 8 bytes, and the file does not have it"])
        self.assertEqual(self.of((1, 8), None), ["a.cu: is in the file, and has no kernels any more"])


class Program(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.file = self.folder / "stacks.csv"
        script.write(self.file, {(BUILD, name): stacks for name, stacks in FOUND.items()})
        self.cuobjdump = self.printing(TEXT)

    def printing(self, text):
        """A program that prints this."""
        (self.folder / "text").write_text(text, encoding="utf-8")
        program = self.folder / "cuobjdump"
        program.write_text(f"#!/bin/sh\ncat {self.folder}/text\n", encoding="utf-8")
        program.chmod(0o755)
        return program

    def run_with(self, *more, build=BUILD):
        words = ["kernel_stacks.py", "--library", "libtegula.a", "--build", build, "--file", str(self.file)]
        words += ["--cuobjdump", str(self.cuobjdump), *more]
        with unittest.mock.patch("sys.argv", words), contextlib.redirect_stdout(io.StringIO()) as out:
            return script.main(), out.getvalue()

    def test_finds_what_is_so(self):
        self.assertEqual(self.run_with(), (0, "2 object files as in stacks.csv\n"))

    def test_finds_more(self):
        self.printing(TEXT.replace("STACK:0", "STACK:40"))
        code, out = self.run_with()
        self.assertEqual(code, 1)
        self.assertIn("Tegula_MmaDouble.cu: 2 kernels with 88 bytes -> 2 kernels with 128 bytes: MORE", out)

    def test_skips_other_builds_and_machines_without_the_program(self):
        self.assertEqual(self.run_with(build="nvcc 12.9, sm_80")[0], script.SKIPPED)
        self.cuobjdump = self.folder / "none"
        self.assertEqual(self.run_with()[0], script.SKIPPED)

    def test_writes_a_build_and_leaves_the_others(self):
        self.printing(TEXT.replace("STACK:8 ", "STACK:16 "))
        self.assertEqual(self.run_with("--write", build="other")[0], 0)
        self.assertEqual(self.run_with(build="other")[0], 0)
        known = script.read(self.file)
        self.assertEqual(known["other", "Tegula_SimtLines.cu"], (1, 16))
        self.assertEqual(known[BUILD, "Tegula_SimtLines.cu"], (1, 8))

    def test_tells_that_there_is_no_kernel(self):
        self.printing("")
        with self.assertRaisesRegex(script.StackError, "no kernel"):
            self.run_with()

    def test_refuses_another_file(self):
        self.file.write_text("a,b\n", encoding="utf-8")
        with self.assertRaisesRegex(script.StackError, "the heading build,object,kernels,bytes is missing"):
            self.run_with()


if __name__ == "__main__":
    unittest.main()
