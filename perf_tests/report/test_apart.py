# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of what was measured in another process: which rows of Tegula's it stands beside, and how exactly."""

import re
import shutil
import unittest

import apart
import made_up
import result_files
import runs
import tegula_report
from made_up import results, row


class ApartTest(made_up.FilesTest):
    def joined(self, *files):
        paths = [self.write(f"{number}.json", contents) for number, contents in enumerate(files)]
        return apart.joined(runs.read(paths))

    def ratios(self, *files):
        return [
            (ratio.row["m"], ratio.peer, round(ratio.value, 6))
            for run in self.joined(*files)[0]
            for ratio in run.ratios
        ]


class Joined(ApartTest):
    def test_the_same_call_has_a_ratio_of_medians(self):
        ours = results([row(8, 1.0, spread=0.1), row(9, 1.0)])
        theirs = made_up.apart([row(8, peers={"pytorch_eager": 3.0, "triton": 1.5})])
        self.assertEqual(
            self.ratios(ours, theirs), [(8, "PyTorch (another process)", 3.0), (8, "Triton (another process)", 1.5)]
        )
        found = self.joined(ours, theirs)[0][0].rows[0]["sides"]["triton"]
        self.assertAlmostEqual(found["ratio_25"], 1.5 * 0.99 / 1.1)
        self.assertAlmostEqual(found["ratio_75"], 1.5 * 1.01 / 0.9)

    def test_another_call_machine_timer_or_mode_has_none(self):
        theirs = {"peers": {"triton": 1.0}}
        for different in ({"ops": "NT"}, {"type": "f64"}, {"activation": "tanh"}, {"mode": "rested"}, {"m": 9}):
            self.assertEqual(self.ratios(results([row(8)]), made_up.apart([{**row(8, **theirs), **different}])), [])
        for context in ({"timer": "graph"}, {"device": "NVIDIA H100"}, {"program": "pytorch_backward"}):
            self.assertEqual(self.ratios(results([row(8)]), made_up.apart([row(8, **theirs)], **context)), [])
        self.assertEqual(len(self.ratios(results([row(8)]), made_up.apart([row(8, **theirs)]))), 1)

    def test_what_was_asked_for_by_hand_has_none(self):
        theirs = made_up.apart([row(8, peers={"triton": 1.0})])
        self.assertEqual(self.ratios(results([row(8)], family="portable"), theirs), [])

    def test_a_failure_stands_beside_our_row_and_has_no_ratio(self):
        theirs = made_up.apart([row(8, peers={"triton": 1.0})])
        theirs["rows"][0]["sides"]["triton"] = {"failed": "WrongResult: wrong result: C(0, 0) is nan"}
        own, _ = self.joined(results([row(8)]), theirs)
        self.assertEqual([side for _, side, _ in runs.failures_of(own)], ["Triton"])
        self.assertEqual(own[0].ratios, [])

    def test_of_two_files_with_a_row_the_first_stands(self):
        theirs = [made_up.apart([row(8, peers={"triton": time})]) for time in (2e-3, 4e-3)]
        self.assertEqual(self.ratios(results([row(8)]), *theirs), [(8, "Triton (another process)", 2.0)])


class Files(made_up.FilesTest):
    def error(self, contents):
        with self.assertRaises(result_files.ResultError) as caught:
            result_files.load_checked(self.write("a.json", contents))
        return str(caught.exception)

    def test_such_files_have_no_tegula(self):
        theirs = made_up.apart([row(8, peers={"triton": 1.0})])
        theirs["rows"][0]["sides"]["tegula"] = made_up.side(1.0)
        self.assertIn("row 1 of another process than Tegula's has figures of Tegula", self.error(theirs))
        theirs["context"].pop("process")
        self.assertIn('triton in row 1 has no "ratio"', self.error(theirs))


class Figures(unittest.TestCase):
    def test_have_one_decimal_at_most(self):
        for value, text in ((0.04, "below 0.1"), (0.97, "1.0"), (0.849, "0.8"), (9.94, "9.9"), (12.4, "12")):
            self.assertEqual(result_files.coarse(value), text)
        sure = {"ratio": 1.234, "ratio_25": 1.23, "ratio_75": 1.24}
        self.assertEqual((result_files.ratio(sure), result_files.ratio({**sure, "apart": True})), ("1.23", "1.2"))


@unittest.skipIf(shutil.which("gnuplot") is None, "there is no gnuplot")
class Page(ApartTest):
    def page(self, *files):
        paths = [self.write(f"{number}.json", contents) for number, contents in enumerate(files)]
        output = self.folder / "report"
        code, _, errors = self.call(tegula_report.main, *paths, "--output", output)
        return (output / "index.html").read_text(encoding="utf-8") if code == 0 else errors

    def test_no_ratio_of_two_processes_has_two_decimals(self):
        theirs = made_up.apart([row(8, peers={"triton": 2.469e-3}), row(9, peers={"triton": 1.554e-3})])
        text = self.page(results([row(8, 2e-3, peers={"cublas": 4e-3}), row(9, 2e-3), row(10)]), theirs)
        self.assertIn("geometric means of 2.00 beside cuBLAS, over 1 rows", text)
        self.assertIn(
            "means are 1.0 beside Triton (another process), to one decimal: such ratios are of two runs", text
        )
        self.assertIn("<td class=t>Triton (another process)<td>2<td class=l>1.0<td class=l>0.8", text)
        self.assertNotIn("Triton", text[text.index("<h3>Worst rows") : text.index("<h2", text.index("<h3>Best rows"))])
        self.assertIn("2 rows, 2 of them beside rows of Tegula's", text)
        self.assertIn("Triton (another process): 1.0 (2 rows)", text)
        self.assertIn("is shown to one decimal at most", text)
        self.assertIsNone(re.search(r"1\.2[34]|0\.7[78]", re.sub(r"<svg.*?</svg>", "", text, flags=re.DOTALL)))

    def test_rows_that_stand_beside_none_are_there_without_a_ratio(self):
        theirs = made_up.apart([row(80, peers={"triton": 1.25e-3})])
        text = self.page(results([row(8)]), theirs)
        self.assertIn("1 rows, 0 of them beside rows of Tegula's", text)
        self.assertRegex(text, r"<td class=t>80 cube.*<td class=t>Triton<td>1.25 ms<td>0.00<td>\n")

    def test_without_tegula_there_is_no_report(self):
        theirs = made_up.apart([row(8, peers={"triton": 1.0})])
        self.assertIn("there are no rows of Tegula's in these files", self.page(theirs))


if __name__ == "__main__":
    unittest.main()
