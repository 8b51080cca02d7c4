# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of tegula_compare, with results that are made up."""

import json
import subprocess
import sys
import unittest

import made_up
import tegula_compare
from made_up import results, row, side


class CompareTest(made_up.FilesTest):
    def compare(self, old, new, *arguments):
        """Exit code and output of a comparison of files, or of rows."""
        files = [results(each) if isinstance(each, list) else each for each in (old, new)]
        paths = [self.write(name, each) for name, each in zip(("old.json", "new.json"), files)]
        code, output, errors = self.call(tegula_compare.main, *paths, *arguments)
        return code, output + errors

    def verdict(self, old, new, *arguments):
        """Exit code and the verdict on the first row."""
        code, output = self.compare(old, new, *arguments)
        return code, output[output.index("\nverdict") :].splitlines()[2].split("  ")[0]

    def test_what_lies_beyond_the_noise_is_slower_or_faster(self):
        self.assertEqual(self.verdict([row(8, 1.0)], [row(8, 1.05)]), (1, "slower"))
        self.assertEqual(self.verdict([row(8, 1.05)], [row(8, 1.0)]), (0, "faster"))

    def test_what_lies_within_the_quartiles_is_the_same(self):
        self.assertEqual(self.verdict([row(8, 1.0, spread=0.1)], [row(8, 1.15, spread=0.1)]), (0, "same"))
        self.assertEqual(self.verdict([row(8, 1.15, spread=0.1)], [row(8, 1.0, spread=0.1)]), (0, "same"))
        self.assertEqual(self.verdict([row(8, 1.0, spread=0.1)], [row(8, 1.25, spread=0.1)]), (1, "slower"))
        # The quartiles of either run count.
        self.assertEqual(self.verdict([row(8, 1.0, spread=0)], [row(8, 1.15, spread=0.2)]), (0, "same"))
        self.assertEqual(self.verdict([row(8, 1.0, spread=0.2)], [row(8, 1.15, spread=0)]), (0, "same"))

    def test_changes_below_the_threshold_are_none(self):
        self.assertEqual(self.verdict([row(8, 1.0, spread=0)], [row(8, 1.02, spread=0)]), (0, "same"))
        self.assertEqual(
            self.verdict([row(8, 1.0, spread=0)], [row(8, 1.02, spread=0)], "--threshold", 1), (1, "slower")
        )
        self.assertEqual(self.verdict([row(8, 1.0, spread=0)], [row(8, 1.2, spread=0)], "--threshold", 25), (0, "same"))

    def test_few_samples_are_trusted_less(self):
        few = {"spread": 0, "samples": 3}
        self.assertEqual(self.verdict([row(8, 1.0, **few)], [row(8, 1.05, spread=0)]), (0, "same"))
        self.assertEqual(self.verdict([row(8, 1.0, spread=0)], [row(8, 1.05, **few)]), (0, "same"))
        self.assertEqual(self.verdict([row(8, 1.0, **few)], [row(8, 1.07, **few)]), (1, "slower"))

    def test_rows_are_matched_by_all_that_identifies_them(self):
        different = {"m": 9, "n": 9, "k": 9, "type": "f64", "layouts": "LRR", "ops": "NT", "activation": "tanh"}
        different.update({"alpha": 2, "beta": 1, "compute": "tf32", "mode": "rested", "packed": True, "saved": True})
        for field, value in different.items():
            code, output = self.compare([row(7), row(8)], [row(7), {**row(8), field: value}])
            self.assertEqual(code, 0)
            self.assertIn("3 rows: 1 same, 1 only in new, 1 only in old", output, field)
        _, output = self.compare([row(8, shape="one")], [row(8, shape="another name")])
        self.assertIn("1 rows: 1 same", output)

    def test_ranks_are_compared_with_themselves(self):
        old, new = made_up.of_ranks([1.0, 1.2]), made_up.of_ranks([1.0, 1.3])
        code, output = self.compare(old, old)
        self.assertEqual(code, 0)
        self.assertIn("8 rows: 8 same", output)
        self.assertNotIn("WARNING", output)
        code, output = self.compare(old, new, "--changed")
        self.assertEqual(code, 1)
        self.assertIn("8 rows: 4 same, 4 slower", output)
        self.assertIn("sustained, together, rank 1", output)

    def test_other_cards_and_failed_ranks_are_said(self):
        old, new = made_up.of_ranks([1.0, 1.2]), made_up.of_ranks([1.0, 1.2])
        new["ranks"][1].update(pci="0000:cb:00.0", failure="killed by signal 9")
        _, output = self.compare(old, new)
        self.assertIn('WARNING: different cards: "node1, 0000:0b:00.0; node1, 0000:1b:00.0" in old, ', output)
        self.assertIn("WARNING: rank 1, 0000:cb:00.0 failed in new: killed by signal 9", output)

    def test_a_rank_is_no_card_by_itself(self):
        code, output = self.compare([row(8), row(16)], made_up.of_ranks([1.0]))
        self.assertEqual(code, 2)
        self.assertIn("do not have a row in common", output)

    def test_a_shape_that_is_there_twice_is_compared_twice(self):
        _, output = self.compare([row(8, 1.0), row(8, 2.0)], [row(8, 1.0), row(8, 2.0)])
        self.assertIn("2 rows: 2 same", output)

    def test_what_else_differs_is_said(self):
        other = {"device": "NVIDIA H100", "modes": "rested", "driver": "590", "build": "Debug"}
        _, output = self.compare([row(8)], results([row(8)], **other))
        for what in ("machines", "modes", "drivers", "builds"):
            self.assertIn(f"WARNING: different {what}: ", output)
        self.assertNotIn("WARNING: different timers", output)
        self.assertNotIn("WARNING", self.compare([row(8)], results([row(8)], commit="fff", date="2027"))[1])

    def test_times_of_different_timers_are_not_compared(self):
        for field, what in (("timer", "timers"), ("family", "families asked for"), ("tile", "tiles asked for")):
            code, output = self.compare([row(8)], results([row(8)], **{field: "another"}))
            self.assertEqual(code, 2)
            self.assertIn(f"WARNING: different {what}: ", output)
            self.assertIn("do not have a row in common", output)

    def test_what_peers_moved_is_noise(self):
        old, new = [row(8, 1.0, peers={"cublas": 2.0})], [row(8, 1.2, peers={"cublas": 2.4})]
        self.assertEqual(self.verdict(old, new), (0, "same"))
        _, output = self.compare(old, new)
        self.assertIn("cuBLAS +20.0 % (the machine moved)", output)
        self.assertIn("THE MACHINE MOVED: peers changed, too; in 1 rows as much as Tegula", output)
        self.assertEqual(self.verdict(new, old), (0, "same"))
        # Tegula moved by more than that, or the other way.
        self.assertEqual(self.verdict(old, [row(8, 1.3, peers={"cublas": 2.4})]), (1, "slower"))
        self.assertEqual(self.verdict(old, [row(8, 0.7, peers={"cublas": 2.4})]), (0, "faster"))
        self.assertIn("in 0 rows as much", self.compare(old, [row(8, 1.3, peers={"cublas": 2.4})])[1])
        # An erratic peer makes as much noise as a slower one.
        self.assertEqual(self.verdict(old, [row(8, 1.2, peers={"cublas": 1.5})]), (0, "same"))

    def test_peers_that_did_not_move_change_nothing(self):
        old = [row(8, 1.0, peers={"cublas": 2.0})]
        code, output = self.compare(old, [row(8, 1.2, peers={"cublas": 2.0})])
        self.assertEqual(code, 1)
        self.assertIn("+3.0 %  cuBLAS +0.0 %\n", output)
        self.assertNotIn("MOVED", output)
        _, output = self.compare(old, [row(8, 1.01, peers={"cublas": 2.01})])
        self.assertNotIn("machine moved", output)

    def test_one_erratic_peer_of_three_does_not_hide_a_change(self):
        old = [row(8, 1.0, peers={"cublas": 2.0, "cublaslt": 2.0, "onednn": 2.0})]
        new = [row(8, 1.2, peers={"cublas": 2.0, "cublaslt": 9.0, "onednn": 2.0})]
        peers = {name: name for name in ("cublas", "cublaslt", "onednn")}
        self.assertEqual(self.verdict(results(old, peers=peers), results(new, peers=peers)), (1, "slower"))

    def test_another_library_is_no_control(self):
        rows = [row(8, 1.0, peers={"cublas": 2.0})]
        code, output = self.compare(rows, results(rows, peers={"cublas": "cuBLAS 14"}))
        self.assertIn("WARNING: different peers", output)
        self.assertIn("nothing tells a slower Tegula from a slower machine", output)
        self.assertEqual(code, 0)

    def test_ratios_can_be_judged_in_place_of_times(self):
        old, moved = [row(8, 1.0, peers={"cublas": 2.0})], [row(8, 1.2, peers={"cublas": 2.4})]
        self.assertEqual(self.verdict(old, moved, "--beside", "cublas"), (0, "same"))
        slower = [row(8, 1.2, peers={"cublas": 2.0})]
        self.assertEqual(self.verdict(old, slower, "--beside", "cublas"), (1, "slower"))
        self.assertEqual(self.verdict(slower, old, "--beside", "cublas"), (0, "faster"))
        self.assertIn("2.000", self.compare(old, slower, "--beside", "cublas")[1])
        code, output = self.compare(old, slower, "--beside", "cublaslt")
        self.assertEqual(code, 2)
        self.assertIn("do not have a row with a ratio to cublaslt in common", output)

    def test_a_row_that_fails_is_worse_than_slower(self):
        self.assertEqual(self.verdict([row(8)], [row(8, error="it is wrong")]), (1, "failed in new"))
        self.assertEqual(self.verdict([row(8, error="it is wrong")], [row(8)]), (0, "failed in old"))

    def test_a_peer_that_fails_is_left_out(self):
        new = row(8)
        new["sides"]["cublas"] = {"failed": "no memory"}
        self.assertEqual(self.verdict([row(8, peers={"cublas": 1.0})], [new]), (0, "same"))

    def test_bad_input_has_an_exit_code_of_its_own(self):
        good = self.write("good.json", results([row(8)]))
        for name, contents in (("damaged.json", "{"), ("part.json", results([row(8)], complete=False))):
            bad = self.write(name, contents)
            for pair in ((good, bad), (bad, good)):
                code, _, errors = self.call(tegula_compare.main, *pair)
                self.assertEqual(code, 2)
                self.assertIn(name, errors)
        for arguments in (("--threshold", "-1"), ("--threshold", "nan"), ("--beside", "atlas")):
            with self.assertRaises(SystemExit) as caught:
                self.call(tegula_compare.main, good, good, *arguments)
            self.assertEqual(caught.exception.code, 2)

    def test_a_reader_that_leaves_changes_no_exit_code(self):
        rows = [row(m) for m in range(1, 3000)]
        old, new = self.write("old.json", results(rows)), self.write("new.json", results([*rows[1:], row(1, 9.0)]))
        command = [sys.executable, "-B", tegula_compare.__file__, old, new]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            process.stdout.readline()
            process.stdout.close()
            self.assertEqual(process.stderr.read(), b"")
            self.assertEqual(process.wait(), 1)

    def test_only_what_changed(self):
        old, new = [row(8, 1.0), row(9, 1.0)], [row(8, 1.0), row(9, 2.0)]
        self.assertIn("8 cube", self.compare(old, new)[1])
        _, output = self.compare(old, new, "--changed")
        self.assertNotIn("8 cube", output)
        self.assertIn("9 cube", output)
        self.assertIn("2 rows: 1 same, 1 slower", output)

    def test_verdicts_for_programs(self):
        path = self.folder / "verdicts.json"
        self.compare([row(8, 1.0, peers={"cublas": 2.0})], [row(8, 1.5, peers={"cublas": 2.0}), row(9)], "--json", path)
        verdicts = json.loads(path.read_text())
        slower, alone = verdicts["rows"]
        self.assertEqual((slower["verdict"], slower["old"], slower["new"], slower["m"]), ("slower", 1.0, 1.5, 8))
        self.assertEqual((slower["factor"], slower["peers"], slower["moved_with_peers"]), (1.5, {"cublas": 1.0}, False))
        self.assertEqual(alone["verdict"], "only in new")
        self.assertEqual([path.name for path in self.folder.glob(".*")], [])

    def test_a_whole_table(self):
        old = [row(8, 1e-6, peers={"cublas": 2e-6}), row(16, 2e-3)]
        new = [row(8, 1.1e-6, peers={"cublas": 2e-6}), row(32, 3.0)]
        output = self.compare(old, new)[1].splitlines()
        self.assertEqual(
            output[3:],
            [
                "verdict      call  elements  m x n x k  layer       mode        old     new   change   noise  peers",
                "slower       gemm  float     8 cube     bias, relu  sustained  1 us  1.1 us  +10.0 %  +3.0 %  cuBLAS"
                " +0.0 %",
                "only in new  gemm  float     32 cube    bias, relu  sustained",
                "only in old  gemm  float     16 cube    bias, relu  sustained",
                "",
                "3 rows: 1 slower, 1 only in new, 1 only in old",
                "Tegula: +10.0 % in the geometric mean of 1 rows",
                "cuBLAS, as a control: +0.0 % of 1 rows",
            ],
        )

    def test_quartiles_of_ratios_are_turned_around(self):
        # 2.0 has quartiles of 1.2 and 2.1: the time it stands for may be a good deal longer, hardly shorter.
        old = row(8, 1.0, peers={"cublas": 2.0})
        old["sides"]["cublas"] = {**side(2.0, 2.0), "ratio_25": 1.2, "ratio_75": 2.1}
        self.assertEqual(self.verdict([old], [row(8, peers={"cublas": 1.5e-3})], "--beside", "cublas"), (0, "same"))
        self.assertEqual(self.verdict([old], [row(8, peers={"cublas": 2.5e-3})], "--beside", "cublas"), (0, "faster"))


if __name__ == "__main__":
    unittest.main()
