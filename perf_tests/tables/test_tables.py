# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of tables.py, with results that are made up."""

import json
import pathlib
import tempfile
import unittest

import tables

CONTEXT = {
    "program": "tegula_gemm_perf",
    "date": "2026-11-22T17:40:12Z",
    "version": "0.1.0",
    "commit": "abc1234",
    "command_line": "tegula_gemm_perf --types float",
    "kokkos": "5.0.2",
    "execution_space": "Cuda",
    "concurrency": 270336,
    "device": "NVIDIA H200 (132 multiprocessors)",
    "driver": "580",
    "power_limit_w": "700",
    "cuda_runtime": "13.0",
    "peers": {"cublas": "cuBLAS 13.1.0"},
    "timer": "events",
}


def row(m, element, peer=None, mode="rested", **fields):
    tegula = {"seconds": 2e-6, "gflops": 51234.0, "gbs": 4321.0}
    layer = {"epilogue": "bias", "activation": "relu", "alpha": 1, "beta": 0, "compute": "native"}
    common = {"layouts": "RRR", "ops": "NN", "error": None, "roof_percent": 82.6, "copy_percent": 5.1}
    sides = {"tegula": tegula, **({"cublas": peer} if peer else {})}
    return {"m": m, "n": m, "k": m, "type": element, "mode": mode, "sides": sides, **layer, **common, **fields}


def peer(ratio, spread=0.01):
    return {"seconds": 1e-6, "gflops": 9.876, "gbs": 1.0, "ratio": ratio, "ratio_25": ratio, "ratio_75": ratio + spread}


COLUMNS = [
    {"title": "Tegula", "show": "tegula tflops"},
    {"title": "ratio", "show": "cublas ratio"},
    {"title": "roof", "show": "roof"},
]


class TablesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.results = self.root / "perf_tests" / "results" / "h200"
        self.results.mkdir(parents=True)
        self.document = self.root / "README.md"
        self.document.write_text("Before.\n<!-- table: t -->\nold\n<!-- end -->\nBehind.\n")

    def write(self, name, rows, **more):
        (self.results / name).write_text(json.dumps({"complete": True, "context": CONTEXT, "rows": rows, **more}))

    def update(self, table, check=False):
        common = {"document": "README.md", "name": "t", "kind": "cases", "files": ["h200/*.json"]}
        return tables.Documents(self.root, [{**common, **table}]).update(check)

    def lines(self):
        return self.document.read_text().splitlines()

    def test_cases_are_lines_and_columns_choose_rows(self):
        float_rows = [row(512, "f32", peer(1.234)), row(4096, "f32", peer(0.5, spread=0.03), ops="NT", layouts="LRR")]
        self.write("a.json", float_rows + [row(512, "f32", peer(7), mode="sustained")])
        self.write("b.json", [row(512, "f64", peer(12.34))])
        self.assertEqual(self.update({"by": ["elements", "case"], "where": {"mode": "rested"}, "columns": COLUMNS}), [])
        self.assertEqual(
            self.lines(),
            [
                "Before.",
                "<!-- table: t -->",
                "| elements | m x n x k | Tegula | ratio | roof |",
                "|---|---|--:|--:|--:|",
                "| double | 512 cube | 51.2 | 12.34 | 83 % |",
                "| float | 512 cube | 51.2 | 1.23 | 83 % |",
                "| float | 4096 cube, NT, LRR | 51.2 | 0.5 | 83 % |",
                "",
                "NVIDIA H200, Kokkos 5.0.2, Tegula at abc1234: [a](perf_tests/results/h200/a.json), "
                "[b](perf_tests/results/h200/b.json).",
                "<!-- end -->",
                "Behind.",
            ],
        )

    def test_columns_choose_files_and_what_is_missing_is_empty(self):
        self.write("own.json", [row(512, "f32", peer(14))])
        sides = {"failed": "no memory"}, {"absent": "no such type"}
        self.write("library.json", [row(m, "f32", side) for m, side in zip((512, 8192), sides)])
        columns = [{"title": name, "file": name, "show": "cublas ratio"} for name in ("own", "library")]
        files = {"own": "h200/own.json", "library": "h200/library.json"}
        self.assertEqual(self.update({"by": ["case"], "columns": columns, "files": files}), [])
        self.assertIn("| 512 cube | 14.00 | failed |", self.lines())
        self.assertIn("| 8192 cube |  |  |", self.lines())

    def test_a_row_that_went_wrong_says_so(self):
        self.write("a.json", [row(512, "f32", error="it is wrong")])
        self.assertEqual(self.update({"by": ["case"], "columns": COLUMNS[:1]}), [])
        self.assertIn("| 512 cube | failed |", self.lines())

    def test_a_distribution_counts_the_rows_that_the_peer_wins(self):
        entry = {"type": "f32", "mode": "rested", "peer": "cublas", "count": 3, "geometric_mean": 0.987}
        entry.update({"percentile_10": 0.5, "percentile_50": 1.2, "worst": 0.25})
        empty = {"type": "f32", "mode": "rested", "peer": "onednn", "count": 0, "geometric_mean": None}
        rows = [row(m, "f32", peer(value)) for m, value in ((1, 0.25), (2, 0.99), (3, 1.01))]
        self.write("a.json", rows + [row(1, "f64", peer(0.1))], distributions=[entry, {**entry, "type": "f64"}, empty])
        self.assertEqual(self.update({"kind": "distribution"}), [])
        line = "| NVIDIA H200 | gemm | float | rested | cuBLAS and passes | 3 | 0.99 | 0.50 | 1.20 | 0.25 | 2 |"
        self.assertIn(line, self.lines())
        self.assertEqual(self.update({"kind": "distribution by peer"}), [])
        self.assertIn("| machine | call | elements | cuBLAS and passes |", self.lines())
        line = "| NVIDIA H200 | gemm | float | 0.99 (0.50, 1.20, 0.25) |"
        self.assertEqual(self.lines()[4:6], [line.replace("float", "double"), line])
        self.write("a.json", [row(1, "f32", peer(0.5), compute="tf32")], distributions=[entry])
        self.assertEqual(self.update({"kind": "distribution by peer"}), [])
        self.assertIn(line.replace("float", "float, tf32"), self.lines())
        self.write("a.json", [row(1, "f32", peer(2), epilogue="none")], distributions=[entry])
        self.assertEqual(self.update({"kind": "distribution by peer"}), [])
        self.assertIn("| machine | call | elements | cuBLAS |", self.lines())  # nobody made a pass

    def test_ranks_are_tabulated_by_phase(self):
        def spread(phase, median, **fields):
            figures = {"gflops_least": 0.5 * median, "gflops_median": median, "gflops_most": 2 * median}
            call = {"shape": "a", "m": 8, "n": 8, "k": 8, "type": "f32", "mode": "sustained", "side": "tegula"}
            return {**call, **figures, "phase": phase, "ranks": 4, **fields}

        spreads = [spread("alone", 2000), spread("together", 1900), spread("together", 1, side="cublas")]
        spreads += [spread("alone", 3000, type="f64"), spread("together", 3030, type="f64")]
        self.write("a.json", [row(8, "f32")], spreads=spreads)
        self.assertEqual(self.update({"kind": "ranks"}), [])
        line = "| NVIDIA H200 | 4 | float | 8 cube | 2.00 (1.00 to 4.00) | 1.90 (0.95 to 3.80) | -5.0 % |"
        self.assertIn(line, self.lines())
        self.assertTrue(any("double" in line and line.endswith("| +1.0 % |") for line in self.lines()))
        self.write("a.json", [row(8, "f32")], spreads=spreads[:1])
        self.assertIn("both alone and together", self.update({"kind": "ranks"})[0])

    def test_fields_in_words(self):
        rows = [
            row(8, "f32", compute="tf32"),
            row(8, "bf16", epilogue="none", activation="identity", beta=1),
            row(8, "f32 (half)", epilogue="backward"),
        ]
        self.write("a.json", rows)
        self.assertEqual(self.update({"by": ["machine", "elements", "layer"], "columns": COLUMNS[:1]}), [])
        self.assertIn("| NVIDIA H200 | float, tf32 | bias, relu | 51.2 |", self.lines())
        self.assertIn("| NVIDIA H200 | bhalf_t | plain, beta 1 | 51.2 |", self.lines())
        self.assertIn("| NVIDIA H200 | f32 (half) | relu | 51.2 |", self.lines())
        host = {"device": "AMD EPYC", "concurrency": 2}
        self.assertEqual(tables.machine_of(host), "AMD EPYC, 2 threads")
        self.assertEqual(tables.machine_of({**host, "concurrency": 1}), "AMD EPYC, 1 thread")

    def test_check_changes_nothing_and_shows_the_difference(self):
        self.write("a.json", [row(512, "f32")])
        table = {"by": ["case"], "columns": COLUMNS[:1]}
        before = self.document.read_text()
        errors = "\n".join(self.update(table, check=True))
        self.assertEqual(self.document.read_text(), before)
        self.assertIn("-old", errors)
        self.assertIn("+| 512 cube | 51.2 |", errors)
        self.assertEqual(self.update(table), [])
        self.assertEqual(self.update(table, check=True), [])

    def test_what_keeps_a_table_from_being_written_is_an_error(self):
        table = {"by": ["case"], "columns": COLUMNS}
        self.assertIn("there is no perf_tests/results/h200/*.json", self.update(table)[0])
        self.write("a.json", [row(512, "f32"), row(512, "f32")])
        self.assertIn("2 rows", self.update(table)[0])
        self.write("a.json", [row(512, "f32")], complete=False)
        self.assertIn("is not a complete run", self.update(table)[0])
        self.write("a.json", [row(512, "f32")])
        self.assertIn('no field "colour"', self.update({**table, "where": {"colour": "red"}})[0])
        self.assertIn("there are no rows", self.update({**table, "where": {"type": "f16"}})[0])
        self.assertIn('no place for the table "u"', self.update({**table, "name": "u"})[0])
        self.assertIn('has no table "t"', self.update({**table, "name": "u"})[1])
        self.assertIn("-old", "\n".join(self.update(table, check=True)))  # nothing was written meanwhile
        self.document.write_text("<!-- table: t -->\nno end\n")
        self.assertIn('no place for the table "t"', self.update(table)[0])

    def test_results_that_no_table_shows_are_an_error(self):
        self.write("a.json", [row(512, "f32")])
        self.write("forgotten.json", [row(512, "f32")])
        errors = self.update({"by": ["case"], "columns": COLUMNS, "files": ["h200/a.json"]})
        self.assertEqual(errors, ["perf_tests/results/h200/forgotten.json is in no table"])

    def test_files_say_where_they_come_from(self):
        self.write("a.json", [row(512, "f32")])
        # Such a table shows where results are, not what is in them.
        self.assertEqual(self.update({"kind": "files"}), ["perf_tests/results/h200/a.json is in no table"])
        self.assertIn(
            "| [a](perf_tests/results/h200/a.json) | 2026-11-22 | 0.1.0, abc1234 | NVIDIA H200 (132 "
            "multiprocessors); driver 580, power limit 700 W | 5.0.2, Cuda | cuBLAS 13.1.0 | "
            "`tegula_gemm_perf --types float` |",
            self.lines(),
        )


if __name__ == "__main__":
    unittest.main()
