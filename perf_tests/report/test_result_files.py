# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of result_files.py: what is wrong with a file is said, with the name of the file."""

import copy
import json
import unittest

import made_up
import result_files


class ResultFilesTest(made_up.FilesTest):
    def error(self, contents):
        path = self.write("a.json", contents)
        with self.assertRaises(result_files.ResultError) as caught:
            result_files.load_checked(path)
        self.assertIn(path, str(caught.exception))
        return str(caught.exception)

    def changed(self, change):
        results = copy.deepcopy(made_up.results([made_up.row(8, peers={"cublas": 1e-3}), made_up.row(9)]))
        change(results)
        return self.error(results)

    def test_a_good_file_is_read(self):
        results = made_up.results([made_up.row(8, peers={"cublas": 1e-3}), made_up.row(9, error="it is wrong")])
        results["rows"][0]["sides"]["cublaslt"] = {"absent": "no such type"}
        results["rows"][0]["roof_percent"] = None
        del results["rows"][1]["sides"], results["rows"][1]["flops"]  # as of a row that went wrong
        self.assertEqual(result_files.load_checked(self.write("a.json", results)), results)

    def test_damaged_files(self):
        whole = json.dumps(made_up.results([made_up.row(8)]))
        self.assertIn("line 1", self.error(whole[: len(whole) // 2]))
        self.assertIn("line 1", self.error(""))
        self.assertIn("NaN is no figure", self.error(whole.replace("0.001", "NaN", 1)))
        self.assertIn("is no file that a program wrote", self.error("[]"))
        self.assertIn("is no file that a program wrote", self.error('{"rows": []}'))
        with self.assertRaisesRegex(result_files.ResultError, "absent.json: No such file"):
            result_files.load_checked(self.folder / "absent.json")
        (self.folder / "bytes.json").write_bytes(b"\xff\xfe")
        with self.assertRaisesRegex(result_files.ResultError, "bytes.json: "):
            result_files.load_checked(self.folder / "bytes.json")

    def test_runs_that_did_not_end(self):
        self.assertIn("not a complete run: it was interrupted, or still runs, after 2 rows",
                      self.error(made_up.results([made_up.row(8), made_up.row(9)], complete=False)))  # fmt: skip

    def test_fields_that_are_missing_or_wrong(self):
        self.assertIn('its context has no "timer"', self.changed(lambda file: file["context"].pop("timer")))
        self.assertIn('"device" of its context is 3', self.changed(lambda file: file["context"].update(device=3)))
        self.assertIn('"sgemm" is no known program', self.changed(lambda file: file["context"].update(program="sgemm")))
        self.assertIn('"rows" of the file is {}', self.changed(lambda file: file.update(rows={})))
        self.assertIn('row 2 has no "m"', self.changed(lambda file: file["rows"][1].pop("m")))
        self.assertIn('"m" of row 2 is true', self.changed(lambda file: file["rows"][1].update(m=True)))
        self.assertIn('"flops" of row 1 is 0, not above 0', self.changed(lambda file: file["rows"][0].update(flops=0)))
        self.assertIn(
            "row 1 has no figures of Tegula", self.changed(lambda file: file["rows"][0]["sides"].pop("tegula"))
        )
        self.assertIn('"epilogue" of row 1 is "sum"', self.changed(lambda file: file["rows"][0].update(epilogue="sum")))
        self.assertIn(
            '"cublas" of its peers is 13', self.changed(lambda file: file["context"].update(peers={"cublas": 13}))
        )
        peaks = self.changed(lambda file: file["context"].update(peak_gflops={"f32": None}))
        self.assertIn('"f32" of its peaks is null', peaks)
        self.assertIn('"end" of its context is no object', self.changed(lambda file: file["context"].update(end="hot")))
        self.assertIn("row 1 is no object", self.changed(lambda file: file.update(rows=[1])))

    def test_files_of_ranks(self):
        results = made_up.of_ranks([1.0, 1.1])
        results["ranks"][1].update(failure="killed by signal 9", context=None)
        path = self.write("a.json", results)
        self.assertEqual(result_files.load_checked(path), results)
        self.assertEqual(result_files.rank_text(results["ranks"][1]), "rank 1, 0000:1b:00.0")
        self.assertEqual(result_files.rank_text({**results["ranks"][1], "pci": ""}), "rank 1, node1")

        def error(change):
            changed = copy.deepcopy(results)
            change(changed)
            return self.error(changed)

        self.assertIn('rank 0 has no "pci"', error(lambda file: file["ranks"][0].pop("pci")))
        self.assertIn('"rank" of rank 1 is 5', error(lambda file: file["ranks"][1].update(rank=5)))
        self.assertIn('row 3 has no "rank"', error(lambda file: file["rows"][2].pop("rank")))
        self.assertIn('"rank" of row 1 is 2', error(lambda file: file["rows"][0].update(rank=2)))
        self.assertIn('"phase" of row 1 is "apart"', error(lambda file: file["rows"][0].update(phase="apart")))
        self.assertIn('"ranks" of the file is {}', error(lambda file: file.update(ranks={})))
        lost = error(lambda file: file["ranks"][0]["card"].update(time_over_median_card={"alone": 0}))
        self.assertIn('"alone" of the card of rank 0 is 0, not above 0', lost)

    def test_figures_that_are_missing_or_wrong(self):
        def of_side(name, **fields):
            return self.changed(lambda file: file["rows"][0]["sides"][name].update(fields))

        self.assertIn('"seconds" of tegula in row 1 is null', of_side("tegula", seconds=None))
        self.assertIn('"seconds_75" of tegula in row 1 is -1, not above 0', of_side("tegula", seconds_75=-1))
        self.assertIn('"ratio" of cublas in row 1 is "1"', of_side("cublas", ratio="1"))
        without = self.changed(lambda file: file["rows"][0]["sides"]["cublas"].pop("ratio_25"))
        self.assertIn('cublas in row 1 has no "ratio_25"', without)


if __name__ == "__main__":
    unittest.main()
