# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of tegula_report as a whole, which need gnuplot: of results that are made up, and of the committed ones."""

import html.parser
import json
import pathlib
import re
import shutil
import unittest
import xml.etree.ElementTree

import made_up
import tegula_report
import tuning_files
import tuning_plots
from made_up import host_way, results, row, tuned, tuned_backward, tuned_call, tuning, way

RESULTS = pathlib.Path(__file__).resolve().parents[1] / "results"
MOST_BYTES = 3_000_000
PNG = b"\x89PNG\r\n\x1a\n"


def setUpModule():
    if shutil.which("gnuplot") is None:
        raise unittest.SkipTest("there is no gnuplot")


class Page(html.parser.HTMLParser):
    """What a page refers to."""

    def __init__(self, text):
        super().__init__()
        self.ids, self.links, self.tags, self.open_figures = [], [], [], 0
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        for name, value in attributes:
            if name == "id":
                self.ids.append(value)
            if name in ("href", "xlink:href", "src"):
                self.links.append(value)
            self.links += re.findall(r"url\(([^)]*)\)", value or "")


class ReportTest(made_up.FilesTest):
    def setUp(self):
        super().setUp()
        self.output = self.folder / "report"

    def report(self, *arguments):
        return self.call(tegula_report.main, *arguments, "--output", self.output)

    def page(self, *files, arguments=()):
        """The page of files with these contents."""
        paths = [self.write(f"{number}.json", contents) for number, contents in enumerate(files)]
        code, _, errors = self.report(*paths, *arguments)
        self.assertEqual((code, errors), (0, ""))
        return (self.output / "index.html").read_text(encoding="utf-8")

    def plots(self):
        return sorted(path.stem for path in (self.output / "plots").glob("*.svg"))

    def assert_needs_no_other_file(self, text):
        page = Page(text)
        self.assertEqual(len(page.ids), len(set(page.ids)), "ids are there twice")
        for link in page.links:
            if link.startswith("#"):
                self.assertIn(link[1:], page.ids)
            else:
                self.assertRegex(link, r"^plots/[a-z0-9_]+\.(svg|png)$")
                self.assertTrue((self.output / link).exists(), link)
        self.assertFalse({"script", "link", "img", "iframe", "object"} & set(page.tags))
        self.assertNotRegex(text, r"@import|https?://(?!www\.w3\.org/(2000/svg|1999/xlink))")

    def points(self, text, plot):
        """Marks in the plot's SVG in the page."""
        title = text.index(f'href="plots/{plot}.svg"')
        return text[text.rindex("<svg", 0, title) : title].count("<use href")

    def test_the_page_of_two_rows(self):
        rows = [row(64, 1e-5, peers={"cublas": 2e-5, "cublaslt": 0.5e-5}), row(128, 1e-4, peers={"cublas": 1.5e-4})]
        text = self.page(results(rows))
        self.assert_needs_no_other_file(text)
        self.assertIn(
            "geometric means of 1.73 beside cuBLAS and 0.50 beside cuBLASLt, over 2 rows on NVIDIA H200.", text
        )
        self.assertIn(
            "Of all 3 ratios, Tegula is faster by more than 5 % in 67 %, slower by more than that in 33 %", text
        )
        self.assertIn("worst rows are 0.5 beside cuBLASLt (gemm float, 64 cube, bias, relu, NVIDIA H200)", text)
        self.assertIn("the best is 2 beside cuBLAS (gemm float, 64 cube, bias, relu)", text)
        self.assertIn("<td class=t>cuBLASLt<td>1<td class=l>0.50<td class=l>0.50", text)  # losses are marked
        self.assertIn("<td class=t>cuBLAS<td>2<td>1.73<td>1.50", text)
        self.assertRegex(text, r"<td>50 %<td>5 %<td>2.0<td class=l>0.50")
        self.assertIn("tegula_gemm_perf --types float", text)
        self.assertIn("driver<dd>580", text)
        self.assertEqual(self.plots(), ["overview", "ratio_nvidia_h200_gemm_float", "roofline_nvidia_h200_gemm"])
        for name in self.plots():
            self.assertEqual((self.output / "plots" / f"{name}.png").read_bytes()[:8], PNG)

    def test_what_is_as_fast_is_neither_faster_nor_slower(self):
        seconds = {8: 1.2, 9: 1.04, 10: 0.96, 11: 0.7}
        text = self.page(results([row(m, 1.0, peers={"cublas": time}) for m, time in seconds.items()]))
        self.assertIn("faster by more than 5 % in 25 %, slower by more than that in 25 %", text)
        self.assertIn("and as fast as the peer in the other 50 %", text)

    def test_no_point_is_left_out(self):
        rows = [row(40 + power, 1e-5, peers={"cublas": 1e-5 * 1.2**power}) for power in range(-20, 20)]
        text = self.page(results(rows))
        in_legend, in_definitions = 1, self.points(self.page(results(rows[:1])), "ratio_nvidia_h200_gemm_float") - 2
        found = self.points(text, "ratio_nvidia_h200_gemm_float") - in_legend - in_definitions
        self.assertEqual(found, 40)
        roofline = "roofline_nvidia_h200_gemm"
        one, all_rows = (self.points(self.page(results(some)), roofline) for some in (rows[:1], rows))
        self.assertEqual(all_rows - one, 39)

    def test_a_plot_for_each_call_machine_and_element_type(self):
        float_rows = [row(64, peers={"cublas": 1e-3})]
        kinds = ({"type": "f64"}, {"compute": "tf32"}, {"type": "bf16>f32"})
        others = [row(64, **kind, peers={"cublas": 1e-3}) for kind in kinds]
        backward = [row(64, epilogue="backward", peers={"cublas": 1e-3})]
        text = self.page(
            results(float_rows),
            results(others, device="NVIDIA H100 80GB HBM3 (132 multiprocessors)"),
            results(backward, program="tegula_backward_perf"),
        )
        self.assertEqual(
            [name for name in self.plots() if name.startswith("ratio")],
            [
                "ratio_nvidia_h100_80gb_hbm3_gemm_bhalf_t_to_float",
                "ratio_nvidia_h100_80gb_hbm3_gemm_double",
                "ratio_nvidia_h100_80gb_hbm3_gemm_float_tf32",
                "ratio_nvidia_h200_gemm_backward_float",
                "ratio_nvidia_h200_gemm_float",
            ],
        )
        self.assertIn("Backward against size", text)

    def test_what_was_asked_for_by_hand_is_no_verdict(self):
        asked = results([row(64, peers={"cublas": 1e-6})], family="mma")
        text = self.page(results([row(64, peers={"cublas": 2e-3})]), asked)
        self.assertIn("geometric means of 2.00 beside cuBLAS, over 1 rows", text)
        self.assertIn("listed, family mma", text)  # though it is in the tables

    def test_runs_of_the_same_rows_show_their_spread(self):
        runs = [results([row(m, seconds) for m in (8, 16)]) for seconds in (1.0, 1.01, 1.3)]
        text = self.page(*runs, results([row(32)]))
        self.assertIn("The slowest in the median is 2: 1.30 times the least time.", text)
        self.assertIn("spread", self.plots())
        script = (self.output / "plots" / "spread.svg").read_text()
        for name in ("0", "1", "2"):
            self.assertIn(f">{name}</tspan>", script)
        self.assertNotIn(">3</tspan>", script)  # its row is in no other file
        self.page(runs[0], results([row(32)]))
        self.assertNotIn("spread", self.plots())

    def test_ranks_of_a_file_show_their_spread_and_their_cards(self):
        node = made_up.of_ranks([1.0, 1.0, 1.25])
        node["ranks"][2]["card"]["is_slow"] = True
        node["ranks"][1]["failure"] = "killed by signal 9"
        text = self.page(node)
        self.assertIn("1 files, measured", text)
        self.assertRegex(text, "The slowest in the median is 0, rank 2, 0000:2b:00.0: 1.25 times the least time.")
        self.assertRegex(text, "alone sustained 1.000, together sustained 1.010.*-3.0 %.*killed by signal 9")
        self.assertRegex(text, "0000:2b:00.0.*slow")
        script = (self.output / "plots" / "spread.svg").read_text()
        for words in ("gemm, 2 rows, alone", "gemm, 2 rows, together", "rank 0, 0000:0b:00.0", "rank 2, 0000:2b:00.0"):
            self.assertIn(words, script)

    def test_rows_that_failed_are_named(self):
        failed = row(64)
        failed["sides"]["cublas"] = {"failed": "it has <no> memory"}
        text = self.page(results([failed, row(128, error="it is wrong"), row(256, peers={"cublas": 1.0})]))
        self.assertIn("it has &lt;no&gt; memory", text)
        self.assertIn("it is wrong", text)

    def test_rows_without_peers_are_a_report_too(self):
        text = self.page(results([row(64)], peers={}, peak_gflops={}))
        self.assertIn("No peer was measured", text)
        self.assertEqual(self.plots(), ["roofline_nvidia_h200_gemm"])

    def test_names_are_shown_as_they_are(self):
        command = f"`touch {self.folder}/run`"
        hostile = f"a_b^c {{d}} @e & <f> \"g\" 'h' $(i) {command} %k \n system('touch {self.folder}/run')"
        text = self.page(
            results(
                [row(64, shape=hostile, peers={"cublas": 1.0})],
                **dict.fromkeys(("device", "command_line"), hostile),
                peak_gflops={"f32 [a];": 1.0},
            )
        )
        self.assert_needs_no_other_file(text)
        self.assertIn("a_b^c {d} @e &amp; &lt;f&gt;", text)
        svg = (self.output / "plots" / "overview.svg").read_text()
        self.assertIn(
            "a_b^c {d} @e + <f> 'g' 'h' $(i) 'touch", "".join(xml.etree.ElementTree.fromstring(svg).itertext())
        )
        self.assertFalse((self.folder / "run").exists(), "a name was run as a command")

    def test_predictions(self):
        head = "type,compute,ops,m,n,k,set,family,tile,split_k,microseconds,predicted\n"
        ways = "f32,native,NN,8,8,8,fit,simt,8x8x8,1,10,11\nf32,native,NN,8,8,8,fit,simt,9x9x9,1,20,80\n"
        path = self.write("ways.csv", head + ways)
        self.page(results([row(64)]), arguments=("--ways", path))
        svg = (self.output / "plots" / "predicted_ways_float.svg").read_text()
        self.assertIn("up to 1.5 times the best of their call: 1 ways, 100 % within 1.5", svg)
        self.assertIn("all others: 1 ways, 0 % within 1.5", svg)
        good = self.write("good.json", results([row(64)]))
        for lines, message in (
            ("colour\n" + ways, "is no file that tegula_regret wrote"),
            (head, "has no ways"),
            (head + ways + "f32,native\n", "ways.csv:4: 2 values, not 12"),
            (head + ways.replace(",10,", ",x,"), "could not convert"),
            (head + ways.replace(",10,", ",0,"), "ways.csv:2: a time is not above 0"),
            (head + ways.replace(",80", ",nan"), "ways.csv:3: a time is not above 0"),
        ):
            code, _, errors = self.report(good, "--ways", self.write("ways.csv", lines))
            self.assertEqual(code, 2)
            self.assertIn(message, errors)

    def tuning_page(self, *files, runs=(results([row(64)]),)):
        paths = [self.write(f"tuning{number}.json", contents) for number, contents in enumerate(files)]
        return self.page(*runs, arguments=("--tuning", *paths))

    def legend(self, plot):
        svg = xml.etree.ElementTree.parse(self.output / "plots" / f"{plot}.svg")
        return "".join(svg.getroot().itertext())

    def test_what_tuning_gains(self):
        small = way("8x8x8")
        text = self.tuning_page(
            tuning(
                tuned(tuned_call(8), 2.0, 4e-6, small, predicted=9e-6),
                tuned(tuned_call(16), predicted=3e-5),
                tuned(tuned_call(24), predicted=0),
                tuned(tuned_backward(32), 1.21, 1e-5, small),
                tuned(tuned_backward(40)),
            )
        )
        self.assert_needs_no_other_file(text)
        self.assertIn(
            "5 calls were tuned on NVIDIA H200. The planner's own way stayed in 60 % of them; the largest gain is "
            "2.00: gemm float, 8 x 64 x 64, bias, relu.",
            text,
        )
        first = (
            "<tr><td>2.00<td class=\"t w\">gemm float, 8 x 64 x 64, bias, relu<td class=\"t w\">simt 64x64x32/1"
            "<td>8 us<td class=\"t w\">simt 8x8x8/1<td>4 us<td>40"
        )
        second = "<tr><td>1.21<td class=\"t w\">gemm_backward float, 32 x 64 x 64, relu"
        largest = text[text.index("Largest gains") : text.index("<h3>All calls")]
        self.assertIn(f'NVIDIA H200 (Cuda, 132 multiprocessors, 140 GiB)\n{first}\n{second}', largest)
        self.assertEqual(largest.count("<tr><td>"), 2)  # where the own way stayed, nothing was gained
        every = text[text.index("<h3>All calls") : text.index("</details>", text.index("<h3>All calls"))]
        self.assertEqual(every.count("<tr><td>"), 5)
        cell = "<td[^>]*>"
        stayed = f"gemm float, 16 x 64 x 64, bias, relu{cell}simt 64x64x32/1<td>10 us{cell}the same<td>10 us"
        self.assertRegex(every, stayed)
        self.assertIn("5 calls, Tegula 0.1.0 at abc1234, CUDA graphs with cold caches, lower quartile", every)
        gains = self.legend("tuning_gain_nvidia_h200")
        self.assertIn("gemm: 1.260 (3 calls, own way stayed in 67 %)", gains)
        self.assertIn("gemm_backward: 1.100 (2 calls, own way stayed in 50 %)", gains)
        predicted = self.legend("tuning_predicted_nvidia_h200")
        self.assertIn("gemm: 2 calls, 50 % within 1.5", predicted)
        self.assertIn("gemm_backward: 2 calls, 100 % within 1.5", predicted)

    def test_tuning_has_its_place(self):
        runs = [results([row(64, seconds, peers={"cublas": 1.0})]) for seconds in (1.0, 1.1)]
        head = "type,compute,ops,m,n,k,set,family,tile,split_k,microseconds,predicted\n"
        ways = self.write("ways.csv", head + "f32,native,NN,8,8,8,fit,simt,8x8x8,1,10,11\n")
        path = self.write("tuning.json", tuning(tuned(tuned_call(8))))
        with_it = self.page(*runs, arguments=("--ways", ways, "--tuning", path))
        titles = re.findall(r"<h2 id=[^>]*>([^<]*)", with_it)
        self.assertEqual(titles[titles.index("Predicted and measured") + 1], "What tuning gains")
        without = self.page(*runs, arguments=("--ways", ways))
        titles.remove("What tuning gains")
        self.assertEqual(re.findall(r"<h2 id=[^>]*>([^<]*)", without), titles)
        body = without[without.index("<body>") :]
        self.assertFalse(re.search("tuning|tuned", body), "though no tuning file is named")
        self.assertEqual([name for name in self.plots() if name.startswith("tuning")], [])

    def test_a_tuned_call_is_a_point(self):
        entries = [tuned(tuned_call(8 + i, 64, 64), 1 + i % 7, tuned_way=way("8x8x8")) for i in range(100)]
        entries += [tuned(tuned_backward(8 + i), 1 + i / 1000, tuned_way=way("8x8x8")) for i in range(100)]
        entries += [tuned(tuned_call(0, 8, 8)), tuned(tuned_call(8), 0.3, tuned_way=way("8x8x8"))]
        few = [entries[0], entries[100]]
        for plot in ("tuning_gain_nvidia_h200", "tuning_predicted_nvidia_h200"):
            all_points, two = (self.points(self.tuning_page(tuning(*some)), plot) for some in (entries[1:], few))
            self.assertEqual(all_points - two, 199, plot)
        xs = self.gnuplot_points(tuning(*entries))
        self.assertIn("1 1", xs)  # nothing is multiplied there

    def gnuplot_points(self, contents):
        entries = tuning_files.read([self.write("tuning.json", contents)])
        plot = next(tuning_plots.tuning_plots(entries, "0.1.0"))
        return [line for lines in plot.data.values() for line in lines]

    def test_forward_and_backward_are_told_apart(self):
        points = self.gnuplot_points(tuning(tuned(tuned_backward(10, 20, 30), 1.5, tuned_way=way("8x8x8"))))
        self.assertEqual(points, ["24000 1.5"])
        points = self.gnuplot_points(tuning(tuned(tuned_call(10, 20, 30), 1.5, tuned_way=way("8x8x8"))))
        self.assertEqual(points, ["12000 1.5"])

    def test_the_largest_gains_are_a_few_of_each_device(self):
        files = []
        for number, device in enumerate((made_up.GPU, made_up.HOST)):
            gains = [tuned(tuned_call(8 + i), 1.5 + i, tuned_way=way("8x8x8"), device=device) for i in range(12)]
            files += ["--tuning", self.write(f"tuning{number}.json", tuning(*gains))]
        text = self.page(results([row(64)]), arguments=files)
        largest = text[text.index("Largest gains") : text.index("<h3>All calls")]
        found = re.findall(r"<tr><td>([0-9.]+)", largest)
        self.assertEqual(found, 2 * [f"{12.5 - i:.2f}" for i in range(10)])

    def test_devices_and_ranks(self):
        ranks = [tuning(tuned(tuned_call(8 + rank), 2.0, tuned_way=way("8x8x8"))) for rank in range(3)]
        own, other = host_way(), host_way("inner")
        on_host = {"model_way": own, "device": made_up.HOST, "method": "in a row"}
        changed = tuned(tuned_call(8), 3.0, tuned_way=other, **on_host)
        host = tuning(changed, tuned(tuned_call(9), tuned_way=own, **on_host))
        text = self.tuning_page(*ranks, host)
        self.assertIn("5 calls were tuned on 2 devices. The planner's own way stayed in 20 % of them", text)
        self.assertIn("gemm: 2.000 (3 calls, own way stayed in 0 %)", self.legend("tuning_gain_nvidia_h200"))
        self.assertIn("gemm: 1.732 (2 calls, own way stayed in 50 %)", self.legend("tuning_gain_amd_epyc_9b14"))
        self.assertIn("OpenMP, avx512, 2 threads", self.legend("tuning_gain_amd_epyc_9b14"))
        self.assertIn("host 512x1024x256/1 by 2 threads inner", text)
        # Of two devices of one name each has its plots.
        smaller = {**made_up.GPU, "multiprocessors": 66}
        self.tuning_page(ranks[0], tuning(tuned(tuned_call(8), device=smaller)))
        self.assertIn("tuning_gain_nvidia_h200_2", self.plots())

    def test_entries_of_other_versions_name_theirs(self):
        changed = {"tuned_way": way("8x8x8")}
        older = tuned(tuned_call(8), 3.0, version="0.0.9", **changed)
        entries = tuning(tuned(tuned_call(8), 2.0, **changed), older)
        text = self.tuning_page(entries)
        gains = self.legend("tuning_gain_nvidia_h200")
        self.assertIn("gemm: 2.000 (1 calls", gains)
        self.assertIn("gemm, Tegula 0.0.9: 3.000 (1 calls", gains)
        self.assertIn("gemm float, 8 x 64 x 64, bias, relu, Tegula 0.0.9<td", text)
        self.assertIn("gemm float, 8 x 64 x 64, bias, relu<td", text)
        self.assertIn("gemm, Tegula 0.0.9: 1 calls, 100 % within 1.5", self.legend("tuning_predicted_nvidia_h200"))
        # Where results are of two versions none is the page's own.
        self.tuning_page(entries, runs=(results([row(64)]), results([row(64)], version="0.0.9")))
        self.assertIn("gemm, Tegula 0.1.0: 2.000 (1 calls", self.legend("tuning_gain_nvidia_h200"))

    def test_tuning_without_gains_or_predictions(self):
        text = self.tuning_page(tuning(tuned(tuned_call(8), predicted=0)))
        self.assertIn("stayed in 100 % of them.", text)
        self.assertNotIn("Largest gains", text)
        self.assertEqual([name for name in self.plots() if name.startswith("tuning")], ["tuning_gain_nvidia_h200"])

    def test_names_in_tuning_files_are_shown_as_they_are(self):
        command = f"`touch {self.folder}/run`"
        hostile = f"a_b <f> & \"g\" {command}"
        texts = dict.fromkeys(("version", "commit", "method"), hostile)
        entry = tuned(tuned_call(8), 2.0, tuned_way=way(family=hostile), **texts)
        text = self.tuning_page(tuning({**entry, "device": {**made_up.GPU, "name": hostile, "space": hostile}}))
        self.assert_needs_no_other_file(text)
        self.assertIn("a_b &lt;f&gt; &amp;", text)
        self.assertNotIn("<f>", text)
        self.assertFalse((self.folder / "run").exists(), "a name was run as a command")

    def test_bad_tuning_files_leave_an_earlier_report_as_it_is(self):
        before = self.page(results([row(64, peers={"cublas": 1.0})]))
        results_file, good = self.folder / "0.json", self.write("good.json", tuning(tuned(tuned_call(8))))
        for contents, message in (
            (json.dumps(tuning(tuned(tuned_call(8))))[:-20], "line 1"),
            (results([row(64)]), "is no file that tegula_tune wrote"),
            (tuning(tuned(tuned_call(8), ways=0)), '"ways" of entry 1 is 0'),
        ):
            bad = self.write("bad.json", contents)
            code, output, errors = self.report(results_file, "--tuning", good, bad)
            self.assertEqual((code, output), (2, ""))
            self.assertRegex(errors, f"^tegula_report: {bad}.*\n$")
            self.assertIn(message, errors)
        self.assertEqual((self.output / "index.html").read_text(encoding="utf-8"), before)
        self.assertEqual([path.name for path in self.folder.glob(".*")], [])

    def test_plots_of_one_name_are_kept_apart(self):
        head = "type,compute,ops,m,n,k,set,family,tile,split_k,microseconds,predicted\n"
        (self.folder / "other").mkdir()
        paths = [
            self.write(name, head + "f32,native,NN,8,8,8,fit,simt,8x8x8,1,10,11\n") for name in ("a.csv", "other/a.csv")
        ]
        self.page(results([row(64)]), arguments=("--ways", paths[0], "--ways", paths[1]))
        self.assertEqual(self.plots()[:2], ["predicted_a_float", "predicted_a_float_2"])

    def test_bad_files_leave_an_earlier_report_as_it_is(self):
        before = self.page(results([row(64, peers={"cublas": 1.0})]))
        good = self.write("good.json", results([row(64)]))
        for name, contents in (
            ("damaged.json", json.dumps(results([row(64)]))[:-9]),
            ("part.json", results([row(64)], complete=False)),
            ("wrong.json", results([{**row(64), "flops": None}])),
        ):
            code, _, errors = self.report(good, self.write(name, contents))
            self.assertEqual(code, 2)
            self.assertIn(f"{name}", errors)
        self.assertEqual(self.report(self.write("empty.json", results([])))[0], 2)
        code, _, errors = self.call(tegula_report.main, good, "--output", pathlib.Path(good) / "below")
        self.assertEqual(code, 2)
        self.assertRegex(errors, f"^tegula_report: {good}[a-z/]*: [A-Za-z ]*\n$")
        self.assertEqual((self.output / "index.html").read_text(encoding="utf-8"), before)
        self.assertEqual([path.name for path in self.folder.glob(".*")], [])

    def test_plots_of_an_earlier_report_go_and_other_files_stay(self):
        self.page(results([row(64, peers={"cublas": 1.0})]))
        (self.output / "notes.txt").write_text("mine")
        (self.output / "plots" / "mine.svg").write_text("mine")
        self.page(results([row(64)]))
        self.assertEqual(self.plots(), ["mine", "roofline_nvidia_h200_gemm"])
        self.assertTrue((self.output / "notes.txt").exists())

    def test_a_file_that_is_named_twice_counts_once(self):
        path = self.write("a.json", results([row(64, peers={"cublas": 1.0})]))
        self.assertIn(": 1 rows of 1 files", self.report(path, path)[1])

    def test_the_report_of_all_committed_results_is_small(self):
        files = sorted(RESULTS.glob("*/*.json"))
        code, output, errors = self.report(*files)
        self.assertEqual((code, errors), (0, ""))
        rows = sum(len(json.loads(path.read_text())["rows"]) for path in files)
        self.assertIn(f"{rows} rows of {len(files)} files", output)
        self.assertLess((self.output / "index.html").stat().st_size, MOST_BYTES)
        self.assert_needs_no_other_file((self.output / "index.html").read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main()
