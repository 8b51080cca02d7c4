# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of what programs of other libraries share: lists of shapes, the method, the file. They need no library: one of
lists of numbers, with a clock of its own, stands for it."""

import contextlib
import io
import json
import pathlib
import sys
import unittest
import unittest.mock

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "report"))

import made_up  # noqa: E402
import measurement  # noqa: E402
import program  # noqa: E402
import pytorch_training  # noqa: E402
import result_files  # noqa: E402
import tegula_compare  # noqa: E402
import torch_clocks  # noqa: E402
from fake_cuda import FakeCuda  # noqa: E402
from fake_library import SETS, FakeCase, FakeClock, FakeLibrary, FakeWay  # noqa: E402
from shapes import SHAPES, Shape, Spec, UsageError, read_shapes, spec_of  # noqa: E402
from tolerance import Tolerance, sampled_rows, tolerance_of  # noqa: E402

NAMES = {"gemm": "pytorch_gemm", "gemm_backward": "pytorch_backward"}
SPEC = Spec(Shape("small", 4, 3, 5), "f32", "NN", "bias", "relu", "native")
HEADING = "name,m,n,k,source\n"


def wrong(C):
    """Off in the last element, as of a kernel that forgets an edge."""
    C[-1][-1] += 1e-3
    return C


def failing(C):
    raise RuntimeError("no memory")


class Shapes(made_up.FilesTest):
    def test_every_list_of_ours_is_read(self):
        for path in SHAPES.glob("*.csv"):
            rows = [line for line in path.read_text(encoding="utf-8").splitlines() if line and line[0] != "#"]
            self.assertEqual(len(read_shapes(path.name)), len(rows) - 1, path)

    def test_a_list_by_its_path(self):
        path = self.write("own.csv", "# why\n\n" + HEADING + "first,4,5,6,here, and there\n")
        self.assertEqual(read_shapes(path), [Shape("first", 4, 5, 6)])

    def test_what_is_wrong_is_said_with_its_place(self):
        for text, message in (
            (HEADING + "fine,4,5,6,x\nbroken,4,x,6,x\n", ':3: n is "x", not a positive integer'),
            (HEADING + "zero,0,5,6,x\n", ':2: m is "0", not a positive integer'),
            (HEADING + "short,4,5,6\n", ":2: five fields are expected"),
            (HEADING + ",4,5,6,x\n", ":2: the name is empty"),
            (HEADING + "a,4,5,6,\n", ":2: the source is empty"),
            (HEADING + "a,4,5,6,x\na,4,5,6,x\n", ':3: a second shape is named "a"'),
            (HEADING, ": there is no shape in this file"),
            ("m,n,k\n", ': the heading "name,m,n,k,source" is expected'),
        ):
            with self.assertRaises(UsageError) as caught:
                read_shapes(self.write("a.csv", text))
            self.assertIn(message, str(caught.exception))
        with self.assertRaisesRegex(UsageError, "absent.csv: No such file"):
            read_shapes("absent.csv")


class Specs(unittest.TestCase):
    def test_flops_and_bytes_are_those_of_our_programs(self):
        """tegula_gemm_perf and tegula_backward_perf wrote these rows."""
        for name in ("h200/gemm_f32.json", "h200/kokkoskernels_own_gemm.json", "h200/random_backward_bf16.json"):
            results = result_files.load_checked(HERE.parent / "results" / name)
            rows = [row for row in results["rows"] if row["error"] is None]
            for row in rows:
                spec = spec_of(row, 1)
                self.assertEqual((spec.flops, spec.bytes), (row["flops"], row["bytes"]), row)
                self.assertEqual({**row, **spec.fields}, row)

    def test_rows_that_others_do_not_compute_alike_are_none(self):
        row = made_up.row(8)
        for different in ({"layouts": "LRR"}, {"beta": 1}, {"compute": "fp32_split"}, {"type": "f32 (half)"}):
            self.assertIsNone(spec_of({**row, **different}, 1), different)


class Method(unittest.TestCase):
    def measured(self, **ways):
        self.clock = FakeClock()
        case = FakeCase(SPEC, ways, self.clock)
        return measurement.Measurement(case, self.clock, lambda: self.clock.now, self.clock.sleep)

    def test_sets_of_operands_pass_three_caches(self):
        self.assertEqual(measurement.operand_sets(1e6, 50e6), 150)
        self.assertEqual(measurement.operand_sets(1e9, 50e6), 1)
        self.assertEqual(measurement.operand_sets(100, 50e6), 256)
        self.assertEqual(measurement.operand_sets(100, 0), 1)

    def test_a_batch_is_a_millisecond_and_takes_every_set(self):
        measured = self.measured(quick=FakeWay(1e-5), slow=FakeWay(0.5))
        quick, slow = measured.timed
        self.assertGreaterEqual(quick.calls * 1e-5, measurement.BATCH_SECONDS)
        self.assertLess(quick.calls * 1e-5, 1.2 * measurement.BATCH_SECONDS)
        self.assertEqual(slow.calls, SETS)

    def test_calls_take_the_next_set_whoever_makes_them(self):
        measured = self.measured(quick=FakeWay(1e-3))
        seen = []
        measured.timed[0].side.calls[:] = [lambda number=number: seen.append(number) for number in range(SETS)]
        measured.next_set = 0
        for _ in range(3):
            measured.timed[0].batch()
        self.assertEqual(seen, [number % SETS for number in range(len(seen))])

    def test_another_side_begins_each_round(self):
        measured = self.measured(a=FakeWay(1.0), b=FakeWay(1.0), c=FakeWay(1.0))
        order = []
        for timed in measured.timed:
            timed.batch = lambda name=timed.side.name: order.append(name) or [1.0]
        for _ in range(3):
            measured.round()
        self.assertEqual("".join(order), "abcbcacab")

    def test_a_repetition_lasts_until_the_first_side_has_had_enough(self):
        measured = self.measured(first=FakeWay(0.01), other=FakeWay(0.02))
        measured.time("", 0.1)
        self.assertEqual([len(timed.seconds) for timed in measured.timed], [5, 5])  # batches of two calls

    def test_or_until_all_have_taken_too_long(self):
        measured = self.measured(first=FakeWay(0.001), other=FakeWay(1.0))
        measured.time("", 0.1)
        self.assertEqual(len(measured.timed[0].seconds), measurement.FEWEST_ROUNDS)

    def test_what_makes_the_load_is_not_kept(self):
        measured = self.measured(first=FakeWay(0.01))
        start = self.clock.now
        measured.prepare("sustained")
        self.assertGreaterEqual(self.clock.now - start, measurement.WORK_SECONDS)
        self.assertEqual((measured.timed[0].seconds, self.clock.slept), ([], 0))
        measured.prepare("rested")
        self.assertEqual(self.clock.slept, measurement.REST_SECONDS)

    def test_figures_are_median_and_quartiles(self):
        measured = self.measured(first=FakeWay(1.0), none=FakeWay(1.0, absent="no such type"))
        measured.timed[0].seconds = [1.0, 2.0, 3.0, 4.0, 5.0]
        figures = measured.figures(6e9, 3e9)
        self.assertEqual([figures["first"][name] for name in ("seconds_25", "seconds", "seconds_75")], [2.0, 3.0, 4.0])
        self.assertEqual((figures["first"]["gflops"], figures["first"]["gbs"]), (2.0, 1.0))
        self.assertEqual(figures["none"], {"absent": "no such type"})

    def test_a_wrong_result_has_no_figures_and_does_not_stop_the_others(self):
        measured = self.measured(wrong=FakeWay(1e-6, wrong), right=FakeWay(1e-3), failing=FakeWay(1e-3, failing))
        measured.time("", 0.01)
        figures = measured.figures(1.0, 1.0)
        self.assertEqual(figures["wrong"], {"failed": "WrongResult: wrong result: row 3 of C"})
        self.assertEqual(figures["failing"], {"failed": "RuntimeError: no memory"})
        self.assertIn("seconds", figures["right"])

    def test_a_side_that_fails_while_it_is_timed_has_none_either(self):
        measured = self.measured(first=FakeWay(1e-3), second=FakeWay(1e-3))
        measured.timed[0].batch = lambda: failing(None)
        measured.time("", 0.01)
        figures = measured.figures(1.0, 1.0)
        self.assertEqual(figures["first"], {"failed": "RuntimeError: no memory"})
        self.assertGreaterEqual(figures["second"]["samples"], 1)


class Clocks(unittest.TestCase):
    def seconds(self, clock, calls):
        """Of a batch of calls that take 1, 2, 3 and so on milliseconds, as they are queued."""
        device, lengths = FakeCuda(), iter(range(1, 100))
        times = clock(device.torch).batch(calls, lambda: device.queue(next(lengths)))
        return [round(time, 9) for time in times()], next(lengths)

    def test_events_time_each_call_but_the_first(self):
        self.assertEqual(self.seconds(torch_clocks.EventClock, 3), ([2e-3, 3e-3, 4e-3], 5))

    def test_a_graph_repeats_what_was_queued_once_and_has_the_mean(self):
        self.assertEqual(self.seconds(torch_clocks.GraphClock, 3), ([2e-3], 4))

    def test_the_wall_clock_has_the_mean_and_waits_at_both_ends(self):
        times, waits = iter((10.0, 16.0)), []
        batch = torch_clocks.WallClock(lambda: waits.append("wait"), lambda: next(times)).batch(
            3, lambda: waits.append("call")
        )
        self.assertEqual((batch(), waits), ([2.0], ["wait", "call", "call", "call", "wait"]))


class TolerancesTest(unittest.TestCase):
    def test_are_those_of_our_programs(self):
        """As Tegula_PerfReference.hpp has them."""
        self.assertEqual(Tolerance(4, 0.0, 1.0).allowed(-3.0, 5.0, 4.0), 1.2 * 16 + 24)
        self.assertEqual(Tolerance(4, 1.0, 0.0).allowed(-3.0, 5.0, 4.0), 1.2 * 28 * 5)
        self.assertEqual(tolerance_of("bf16", "native", 1), Tolerance(1, 2.0**-24, 2.0**-8))
        self.assertEqual(tolerance_of("f32", "tf32", 1), Tolerance(1, 2.0**-24, 2.0**-10))
        self.assertEqual(tolerance_of("f64", "tf32", 1), Tolerance(1, 2.0**-53, 2.0**-53))

    def test_first_and_last_row_are_sampled(self):
        self.assertEqual(sampled_rows(1, 1), [0] * 6)
        rows = sampled_rows(100, 1)
        self.assertEqual((rows[:2], len(rows)), ([0, 99], 6))
        self.assertTrue(all(0 <= row < 100 for row in rows))


class Program(made_up.FilesTest):
    def run_program(self, *arguments, **ways):
        """Exit code, output and errors of a program with a library that has these ways."""
        ways = ways or {"pytorch_eager": FakeWay(1e-3), "pytorch_addmm": FakeWay(5e-4)}
        arguments = ["--min-time", "0.01", "--repetitions", "2", "--device", "cpu", *map(str, arguments)]
        output, errors = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
            code = program.main("fake", NAMES, "", lambda options: FakeLibrary(**ways), arguments)
        return code, output.getvalue(), errors.getvalue()

    def written(self, *arguments, **ways):
        path = self.folder / "out.json"
        code, _, errors = self.run_program(*arguments, "--json", path, **ways)
        self.assertEqual((code, errors), (0, ""))
        return path

    def list_of(self, *lines):
        return self.write("list.csv", HEADING + "".join(f"{line},x\n" for line in lines))

    def test_rows_of_a_list_are_written_as_our_programs_write_them(self):
        path = self.written("--shapes", self.list_of("first,4,5,6", "second,7,8,9"), "--types", "float,double")
        results = result_files.load_checked(path)
        found = [(row["shape"], row["type"], list(row["sides"])) for row in results["rows"]]
        ways = ["pytorch_eager", "pytorch_addmm"]
        self.assertEqual(found, [(name, type, ways) for name in ("first", "second") for type in ("f32", "f64")])
        side = results["rows"][0]["sides"]["pytorch_addmm"]
        self.assertAlmostEqual(side["seconds"], 5e-4)
        self.assertAlmostEqual(side["gflops"], 1e-9 * 2 * 4 * 5 * 6 / 5e-4)
        self.assertNotIn("ratio", side)
        context = results["context"]
        self.assertEqual(
            (context["program"], context["process"], context["timer"]), ("pytorch_gemm", "another", "wall")
        )
        self.assertEqual(context["peers"], dict.fromkeys(ways, "Lists 1.0"))
        self.assertRegex(context["version"], r"^\d+\.\d+\.\d+$")

    def test_rows_of_a_file_of_ours_are_repeated(self):
        rows = [made_up.row(4), made_up.row(5, beta=1), made_up.row(4, mode="rested"), made_up.row(6, ops="NT")]
        ours = made_up.results(rows, timer="wall", modes="")
        results = json.loads(self.written("--rows", self.write("gemm.json", ours)).read_text(encoding="utf-8"))
        self.assertEqual([(row["m"], row["ops"]) for row in results["rows"]], [(4, "NN"), (6, "NT")])

    def test_gradients_are_another_call(self):
        results = result_files.load_checked(
            self.written("--backward", "--m", 4, "--n", 4, "--k", 4, "--types", "float")
        )
        self.assertEqual(results["context"]["program"], "pytorch_backward")
        self.assertEqual(results["rows"][0]["epilogue"], "backward")

    def test_a_wrong_kernel_yields_no_figure_and_an_exit_code(self):
        path = self.folder / "out.json"
        code, output, _ = self.run_program("--m", 4, "--n", 4, "--k", 4, "--types", "float", "--json", path,
                                           pytorch_eager=FakeWay(1e-3), triton=FakeWay(1e-9, wrong))  # fmt: skip
        self.assertEqual(code, 1)
        self.assertIn("triton failed: WrongResult: wrong result", output)
        sides = result_files.load_checked(path)["rows"][0]["sides"]
        self.assertEqual(list(sides["triton"]), ["failed"])
        self.assertIn("seconds", sides["pytorch_eager"])

    def test_a_row_that_fails_leaves_the_others(self):
        path = self.folder / "out.json"
        shapes = self.list_of("large,2000,4,4", "small,4,4,4")
        self.assertEqual(self.run_program("--shapes", shapes, "--types", "float", "--json", path)[0], 1)
        large, small = result_files.load_checked(path)["rows"]
        self.assertEqual((large["error"], small["error"]), ("MemoryError: too large for lists", None))

    def test_a_library_that_is_not_there_is_named(self):
        def make_library(options):
            raise ModuleNotFoundError("No module named 'torch'")

        arguments = ["--device", "cpu", "--m", "4", "--n", "4", "--k", "4"]
        code, _, errors = self.call(
            lambda arguments: program.main("fake", NAMES, "", make_library, arguments), *arguments
        )
        self.assertEqual((code, errors), (2, "fake: No module named 'torch'\n"))

    def test_wrong_usage(self):
        for arguments, message in (
            (("--types", "float,quad"), '--types: "quad" is unknown; there are double, float, half, bhalf'),
            (("--m", 4), "--m, --n and --k are for a single shape"),
            (("--peers", "atlas"), '--peers: "atlas" is unknown; there are pytorch_eager, pytorch_addmm'),
            (("--timer", "graph"), "--timer graph needs --device cuda"),
            (("--gpu-mode", "rested"), "--gpu-mode needs --device cuda"),
            (("--shapes", "absent.csv"), "absent.csv: No such file"),
            (("--rows", "absent.json"), "absent.json: No such file"),
        ):
            code, _, errors = self.run_program(*arguments)
            self.assertEqual(code, 2, arguments)
            self.assertIn(message, errors)

    def test_two_files_of_other_programs_are_compared_by_a_peer(self):
        shape = ("--m", 4, "--n", 4, "--k", 4, "--types", "float")
        old = self.written(*shape).rename(self.folder / "old.json")
        new = self.written(*shape, pytorch_eager=FakeWay(1e-3), pytorch_addmm=FakeWay(9e-4))
        code, output, _ = self.call(tegula_compare.main, old, new)
        self.assertEqual(code, 0)
        self.assertIn("PyTorch: +0.0 % in the geometric mean of 1 rows", output)
        code, output, _ = self.call(tegula_compare.main, old, new, "--side", "pytorch_addmm")
        self.assertEqual(code, 1)
        self.assertIn("PyTorch addmm: +80.0 % in the geometric mean of 1 rows", output)

    def test_a_file_of_ours_is_not_compared_with_one_of_theirs(self):
        theirs = self.written("--m", 4, "--n", 4, "--k", 4, "--types", "float")
        ours = self.write("ours.json", made_up.results([made_up.row(4)], timer="wall"))
        code, _, errors = self.call(tegula_compare.main, ours, theirs)
        self.assertEqual(code, 2)
        self.assertIn("was measured in another process than Tegula", errors)


class FakeSteps:
    """Variants whose steps take 1, 2, ... milliseconds; those of `wrong` fail."""

    def __init__(self, wrong=()):
        self.wrong, self.library, self.made = wrong, FakeLibrary(), []
        self.library.torch, self.library.device = None, "cpu"

    def step(self, torch, problem, device, masters, compiled, gathers):
        variant = next(name for name, made in pytorch_training.VARIANTS.items() if made == (masters, compiled))
        if variant in self.wrong:
            raise RuntimeError("no memory")
        self.made.append((variant, problem.widths, gathers))
        milliseconds = 1 + list(pytorch_training.VARIANTS).index(variant)

        def call():
            self.library.its_clock.now += 1e-3 * milliseconds

        return call


class Training(made_up.FilesTest):
    def run_program(self, *arguments, wrong=()):
        steps = FakeSteps(wrong)
        output, errors = io.StringIO(), io.StringIO()
        patch = unittest.mock.patch.multiple(
            pytorch_training, Step=steps.step, check_first_loss=lambda torch, step, problem: None
        )
        with patch, contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
            code = pytorch_training.main([*map(str, arguments)], lambda options: steps.library)
        return code, output.getvalue(), errors.getvalue(), steps

    def test_each_variant_has_a_line_and_a_place_in_the_file(self):
        path = self.folder / "out.json"
        arguments = ("--device", "cpu", "--hidden", "64,32", "--batch", 100, "--type", "bhalf", "--json", path)
        code, output, errors, steps = self.run_program(*arguments)
        self.assertEqual((code, errors), (0, ""))
        self.assertEqual([made[0] for made in steps.made], list(pytorch_training.VARIANTS))
        self.assertEqual({made[1:] for made in steps.made}, {((784, 64, 32, 10), True)})
        self.assertIn("784-64-32-10, batch 100, bhalf", output)
        self.assertIn("plain              2.0000 ms a step (middle half 2.0000 to 2.0000), 0.01075 TFLOP/s", output)
        results = json.loads(path.read_text(encoding="utf-8"))
        self.assertEqual((results["type"], results["flops"], results["static_inputs"]), ("bf16", 21491200, False))
        self.assertAlmostEqual(results["variants"]["masters_compiled"]["seconds"], 3e-3)
        self.assertEqual(results["variants"]["plain"]["samples"], 13)

    def test_a_variant_that_fails_leaves_the_others(self):
        code, output, _, steps = self.run_program("--static-inputs", wrong=("plain",))
        self.assertEqual(code, 1)
        self.assertIn("plain              failed: RuntimeError: no memory", output)
        self.assertEqual(len(steps.made), 3)
        self.assertFalse(any(gathers for _, _, gathers in steps.made))

    def test_wrong_usage(self):
        for arguments, message in (
            (("--batch", 0), "--hidden, --batch, --inputs, --classes and --steps are positive"),
            (("--hidden", "5,0"), "are positive"),
            (("--variants", "quick"), '--variants: "quick" is unknown; there are masters, plain'),
        ):
            code, _, errors, _ = self.run_program(*arguments)
            self.assertEqual(code, 2, arguments)
            self.assertIn(message, errors)


if __name__ == "__main__":
    unittest.main()
