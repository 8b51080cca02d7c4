# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of fit_models.py. Arguments: the programs tegula_times and tegula_regret. 77: no NumPy or SciPy."""

import argparse
import copy
import csv
import io
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

try:
    import numpy as np
    import scipy.optimize  # noqa: F401
except ImportError as error:
    print(f"skipped: {error} (Debian: python3-numpy, python3-scipy)")
    sys.exit(77)

import calls
import families
import fit_models
import fitting
import headers
import machine
import model_headers
from model import Model

KERNELS = pathlib.Path(__file__).resolve().parents[2] / "kernels/cuda"
PROGRAMS = []
H200 = machine.machine((KERNELS / "Tegula_CudaRates.cpp").read_text(encoding="utf-8"), "H200", 132)


def drawn(sides, count, *options):
    """Lines of calls with all ways to compute them, each of which takes a microsecond."""
    listed = subprocess.run(
        [PROGRAMS[0], "--list", "--sides", sides, "--calls", str(count), *options],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    lines = [line for line in listed.splitlines() if line.startswith("gemm")]
    return [re.sub(r"x(\d+)/([\d+]+)", r"x\1 \2:1", line) for line in lines]


def cut_of(way):
    return f"{way.waves}+{way.split}" if way.waves else str(way.split)


def text_of(family):
    return (KERNELS / family.header).read_text(encoding="utf-8")


def model_of_header(family, ways):
    """The family's model, and its numbers in the header."""
    model = Model(family, ways, H200)
    return model, model.from_groups(model_headers.numbers_in(text_of(family), family))


def compared(lines):
    """Of each family that such lines have: what the planner predicts for its ways, and what the models here do."""
    with tempfile.TemporaryDirectory() as folder:
        times, table = pathlib.Path(folder) / "times.txt", pathlib.Path(folder) / "table.csv"
        times.write_text("\n".join(lines), encoding="utf-8")
        subprocess.run([PROGRAMS[1], times, "--csv", table, "--worst", "0"], check=True, capture_output=True)
        rows = list(csv.DictReader(io.StringIO(table.read_text(encoding="utf-8"))))
    ways = [(call, way) for call in map(calls.call_of, lines) for way in call.ways]
    listed = [(way.family, "x".join(map(str, way.tile)), cut_of(way)) for _, way in ways]
    if [(row["family"], row["tile"], row["split_k"]) for row in rows] != listed:
        raise ValueError("tegula_regret tells of other ways")
    found = {}
    for family in families.FAMILIES:
        numbers = [i for i, (call, way) in enumerate(ways) if (way.family, call.element_bytes) == family.key]
        if numbers:
            model, fitted = model_of_header(family, [ways[i] for i in numbers])
            expected = np.array([float(rows[i]["predicted"]) for i in numbers]) * 1e-6
            found[family.key] = expected, np.exp(model.log_seconds(fitted))
    return found


class Predictions(unittest.TestCase):
    def expect_the_same(self, lines, keys):
        found = compared(lines)
        for key in keys:
            expected, predicted = found[key]
            self.assertGreater(len(expected), 20, key)
            self.assertLess(np.abs(predicted / expected - 1).max(), 1e-4, key)  # six digits are written

    def test_are_those_of_the_planner(self):
        lines = drawn("any", 100) + drawn("large", 20) + drawn("long", 20)
        self.expect_the_same(lines, [family.key for family in families.FAMILIES])

    def test_of_results_in_float_are_those_of_the_planner(self):
        lines = drawn("any", 100, "--result", "f32") + drawn("narrow", 20, "--result", "float")
        lines += drawn("any", 20, "--result", "f32", "--activation", "silu", "--saved", "--beta")
        self.assertEqual({line.split()[1] for line in lines}, {"bf16>f32"})
        others = {"outer_mma", "stream"}  # which take no such results
        keys = [family.key for family in families.FAMILIES if family.type == "bf16" and family.name not in others]
        self.expect_the_same(lines, keys)

    def test_of_epilogues_are_those_of_the_planner(self):
        lines = [
            line
            for asked in (["gelu_tanh"], ["silu", "--saved"], ["leaky_relu", "--saved", "--beta"])
            for line in drawn("any", 50, "--activation", *asked)
        ]
        keys = [family.key for family in families.FAMILIES if "activated" in family.kind.groups]
        self.expect_the_same(lines, keys)


class Machine(unittest.TestCase):
    SOURCE = """constexpr double launch = 2e-6, reached = 0.5, fast = 5.0e12;
    constexpr Architecture ga100{80, 166912, 0, 0, 1024, 64, 64, 32};
    card(ga100, "A100", sheet, 108, 1.41e9, reached * 2.0e12, fast),
    card(ga100, "A100 40GB", sheet, 108, 1.41e9, reached * 1.5e12, 0.5 * fast),"""

    def test_is_read(self):
        a100 = machine.machine(self.SOURCE, "A100 40GB", 100)
        self.assertEqual((a100.multiprocessors, a100.clock, a100.wgmma_half, a100.mma_half), (100, 1.41e9, 0, 1024))
        self.assertEqual((a100.fma_double, a100.memory, a100.cache, a100.kernel), (32, 0.75e12, 2.5e12, 2e-6))
        self.assertEqual(machine.machine(self.SOURCE, "A100", 108).memory, 1e12)

    def test_that_has_no_record_is_refused(self):
        with self.assertRaisesRegex(ValueError, 'no record with the name "H200"'):
            machine.machine(self.SOURCE, "H200", 132)


class Headers(unittest.TestCase):
    def test_get_the_numbers_and_keep_all_else(self):
        def without_numbers(text):
            return re.sub(r"(?<![\w.])[-+.\de]*\d[-+.\de]*|\s", "", text)

        for family in families.FAMILIES:
            text = text_of(family)
            groups = model_headers.numbers_in(text, family)
            other = {name: [2 * float(headers.text_of(number)) for number in groups[name]] for name in groups}
            changed = model_headers.with_numbers(text, family, other)
            self.assertEqual(without_numbers(changed), without_numbers(text), family.key)
            self.assertNotEqual(changed, text)
            for name, numbers in model_headers.numbers_in(changed, family).items():
                np.testing.assert_allclose(numbers, other[name], rtol=0.006, err_msg=f"{family.key} {name}")

    def test_without_a_constant_are_refused(self):
        with self.assertRaisesRegex(ValueError, "some_rates is there 0 times"):
            headers.with_rows("inline constexpr std::array other_rates{TileRates{1, 2}};", "some_rates", [[1, 2]])

    def test_have_three_digits(self):
        texts = [headers.text_of(number) for number in (8312.0, 0.12345, 5.891e-7, 1)]
        self.assertEqual(texts, ["8310", "0.123", "5.89e-07", "1"])


class Times(unittest.TestCase):
    def test_are_read(self):
        ways = " | simt 64x128x16 1:4 2:5~ | tf32 9x8x7 3:2 2+4:7"
        call = calls.call_of("gemm f32 TN 8 9 10 lda=12 beta=1 bias relu compute=tf32 held" + ways)
        self.assertEqual((call.type, call.m, call.n, call.k, call.beta, call.compute), ("f32", 8, 9, 10, 1, "tf32"))
        self.assertEqual((call.leading, call.is_held, call.best), ({"a": 12}, True, 2e-6))
        self.assertEqual(call.ways[1], calls.Way("simt", (64, 128, 16), 2, 5e-6, True))
        self.assertEqual(call.ways[2], calls.Way("tf32", (9, 8, 7), 3, 2e-6, False))
        self.assertEqual(call.ways[3], calls.Way("tf32", (9, 8, 7), 4, 7e-6, False, 2))

    def test_have_an_epilogue(self):
        call = calls.call_of("gemm bf16 NN 8 16 24 bias gelu_erf Z fit | wgmma 64x64x64 1:4")
        self.assertEqual((call.activation, call.has_bias, call.stores_Z), ("gelu_erf", True, True))
        self.assertEqual(call.result_bytes, 2 * 2 * 8 * 16)

    def test_have_results_in_float(self):
        call = calls.call_of("gemm bf16>f32 NN 8 12 24 beta=1 fit | wgmma 64x64x64 1:4")
        self.assertEqual((call.types, call.element_bytes, call.is_widened), ("bf16>f32", 2, True))
        self.assertEqual((call.operand_bytes, call.result_bytes), (2 * 24 * (8 + 12), 2 * 4 * 8 * 12))
        stored = [(calls.Call("bf16", "NN", 8, n, 24, result="f32").stored(by_threads)) for n in (12, 10, 7)
                  for by_threads in (True, False)]  # fmt: skip
        self.assertEqual(stored, [calls.RUNS] * 3 + [calls.UNALIGNED] * 3)

    def test_with_an_unknown_word_are_refused(self):
        with self.assertRaisesRegex(ValueError, '"gamma=1" is not known'):
            calls.call_of("gemm f32 NN 8 9 10 gamma=1 fit | simt 64x128x16 1:4")


def measured_as_predicted(count):
    """Calls whose times are what the headers predict, in turns to fit to and held."""
    found = [calls.call_of(line) for line in drawn("any", count)]
    for family in families.FAMILIES:
        ways = [(c, w) for c in found for w in c.ways if (w.family, c.element_bytes) == family.key]
        if not ways:
            continue
        model, numbers = model_of_header(family, ways)
        for (_, way), seconds in zip(ways, np.exp(model.log_seconds(numbers))):
            way.seconds = seconds
    return found


def finished_calls(number, *options):
    """Calls of wgmma, as long as the headers predict if this number were twice what it is."""
    found = [calls.call_of(line) for line in drawn("large", 12, "--types", "bf16", *options)]
    family = families.FAMILIES[0]
    for call in found:
        call.ways = [way for way in call.ways if way.family == family.name]
        model, numbers = model_of_header(family, [(call, way) for way in call.ways])
        numbers[model.groups[number]] += np.log(2)
        for way, seconds in zip(call.ways, np.exp(model.log_seconds(numbers))):
            way.seconds = seconds
    return found


class FitOfSomeNumbers(unittest.TestCase):
    def test_finds_them_and_keeps_the_others(self):
        self.expect_found("activated", finished_calls("activated", "--activation", "gelu_tanh"))
        self.expect_found("widened", finished_calls("widened", "--result", "float"))

    def expect_found(self, number, measured_calls):
        family, text = families.FAMILIES[0], text_of(families.FAMILIES[0])
        measured = fitting.Measured(measured_calls, H200)
        self.assertEqual(list(measured.models), [family.key])
        model, before = measured.models[family.key], model_headers.numbers_in(text, family)
        model.start_from(before, {number})
        numbers = {family.key: fitting.fit_times(measured, family.key)}
        numbers = fitting.fit_regret(measured, numbers, 0.4, 3, 1e9)
        after = model.by_group(numbers[family.key])
        self.assertAlmostEqual(after[number][0] / before[number][0], 2, delta=0.1, msg=number)
        for name in before.keys() - {number}:
            np.testing.assert_allclose(after[name], before[name], rtol=1e-9, err_msg=name)

    def test_are_those_that_are_asked_for(self):
        def fitted(asked_families, asked_names):
            measured = fitting.Measured(measured_as_predicted(8), H200)
            asked = argparse.Namespace(families=asked_families, only=asked_names, kernels=KERNELS)
            fit_models.keep_others(measured, asked)
            return {
                (key[0], name)
                for key, model in measured.models.items()
                for name, place in model.groups.items()
                if not model.is_fixed[place].all()
            }

        self.assertEqual(fitted({"wgmma"}, {"kept", "beside"}), {("wgmma", "kept"), ("wgmma", "beside")})
        self.assertEqual(fitted(None, {"activated"}) & {("simt", "kept"), ("mma", "activated")}, {("mma", "activated")})
        of_wgmma = fitted({"wgmma"}, None)
        self.assertEqual({family for family, _ in of_wgmma}, {"wgmma"})
        self.assertLessEqual({("wgmma", "alone"), ("wgmma", "cache"), ("wgmma", "stored")}, of_wgmma)


class Gone(unittest.TestCase):
    def test_tiles_are_left_out_and_counted(self):
        call = calls.call_of("gemm f32 NN 8 9 10 fit | simt 64x128x16 1:4 2:5 9x8x7 1:2 | stream 16x128x16 1:3")
        self.assertEqual(fitting.without_gone([call]), {"simt 9x8x7": 1})
        self.assertEqual([way.tile for way in call.ways], [(64, 128, 16), (64, 128, 16), (16, 128, 16)])
        self.assertEqual(call.best, 3e-6)

    def test_families_are_refused(self):
        with self.assertRaisesRegex(ValueError, "tall has no model for f32"):
            fitting.without_gone([calls.call_of("gemm f32 NN 8 9 10 fit | tall 64x128x16 1:4")])


class Fit(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.measured = fitting.Measured(measured_as_predicted(40), H200)
        cls.initial = {key: model.initial for key, model in cls.measured.models.items()}

    def test_finds_times_that_a_model_predicts(self):
        rows = self.measured.rows["simt", 4]
        model = self.measured.models["simt", 4]
        near = self.measured.log_regret[rows] < np.log(1.5)
        numbers = fitting.fit_times(self.measured, ("simt", 4))
        first, found = (
            np.std((model.log_seconds(of) - self.measured.log_seconds[rows])[near]) for of in (model.initial, numbers)
        )
        self.assertLess(found, 0.05)
        self.assertLess(found, first / 5)

    def test_slopes_are_those_of_the_objective(self):
        objective = fitting.Regret(self.measured, 0.4)
        predicted = self.measured.predicted(self.initial)
        slopes, step = objective(predicted)[1], 1e-5
        for row in range(0, len(predicted), len(predicted) // 50):
            away = step * (np.arange(len(predicted)) == row)
            slope = (objective(predicted + away)[0] - objective(predicted - away)[0]) / (2 * step)
            self.assertAlmostEqual(slope, slopes[row], delta=1e-4 * np.abs(slopes).max(), msg=row)

    def test_steps_lower_the_regret_and_repeat(self):
        first, second = (fitting.fit_regret(self.measured, self.initial, 0.4, 20, 1e9) for _ in range(2))
        objective = fitting.Regret(self.measured, 0.4)
        before, after = (objective(self.measured.predicted(numbers))[0] for numbers in (self.initial, first))
        self.assertLess(after, 0.8 * before)
        for key, numbers in first.items():
            np.testing.assert_array_equal(numbers, second[key])

    def test_held_calls_change_nothing(self):
        others = copy.deepcopy(self.measured.calls)
        for way in (way for call in others if call.is_held for way in call.ways):
            way.seconds *= 1 + way.split
        changed = fitting.Measured(others, H200)
        key = ("simt", 4)
        np.testing.assert_array_equal(fitting.fit_times(changed, key), fitting.fit_times(self.measured, key))
        ours, theirs = (fitting.fit_regret(of, self.initial, 0.4, 3, 1e9) for of in (self.measured, changed))
        np.testing.assert_allclose(theirs[key], ours[key])


if __name__ == "__main__":
    PROGRAMS[:] = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1])
