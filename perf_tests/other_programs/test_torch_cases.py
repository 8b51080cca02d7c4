# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests with PyTorch, on its CPU, and of the kernel in Triton where there is one, interpreted. 77: no PyTorch."""

import importlib.util
import os
import pathlib
import sys
import unittest

os.environ["TRITON_INTERPRET"] = "1"  # read when triton is imported
try:
    import torch
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "report"))

import pytorch_perf  # noqa: E402
import torch_cases  # noqa: E402
import triton_perf  # noqa: E402
from measurement import Measurement  # noqa: E402
from shapes import ACTIVATIONS, Shape, Spec  # noqa: E402
from tolerance import WrongResult  # noqa: E402
from torch_clocks import WallClock  # noqa: E402
from torch_library import Way  # noqa: E402

SHAPE = Shape("odd", 37, 53, 29)
OPS = ("NN", "NT", "TN", "TT")
UNCOMPILED = tuple(way for way in pytorch_perf.FORWARD if way.make is not pytorch_perf.compiled)


def spec_of(type="f32", ops="NN", epilogue="bias", activation="relu"):
    return Spec(SHAPE, type, ops, epilogue, activation, "native")


def errors_of(spec, ways):
    """The error that the check found, by side."""
    measured = Measurement(torch_cases.case_of(torch, "cpu", spec, ways, 0), WallClock(lambda: None))
    failed = {side.name: side.failure for side in measured.case.sides if side.failure}
    assert not failed, failed
    return {timed.side.name: timed.error for timed in measured.timed}


class Cases(unittest.TestCase):
    def test_every_activation_type_and_operation_is_right(self):
        for type in ("f64", "f32", "f16", "bf16"):
            for ops in OPS:
                for activation in ACTIVATIONS:
                    with self.subTest(type=type, ops=ops, activation=activation):
                        errors = errors_of(spec_of(type, ops, activation=activation), UNCOMPILED)
                        self.assertEqual(list(errors), ["pytorch_eager", "pytorch_addmm"])

    def test_a_product_alone(self):
        for ops in OPS:
            self.assertEqual(len(errors_of(spec_of(ops=ops, epilogue="none", activation="identity"), UNCOMPILED)), 2)

    def test_gradients(self):
        for type in ("f64", "f32", "bf16"):
            for ops in OPS:
                for activation in ACTIVATIONS:
                    with self.subTest(type=type, ops=ops, activation=activation):
                        spec = spec_of(type, ops, "backward", activation)
                        self.assertEqual(len(errors_of(spec, pytorch_perf.BACKWARD[:1])), 1)

    def failure_of(self, spec, make):
        case = torch_cases.case_of(torch, "cpu", spec, [Way("bad", "", make)], 0)
        return Measurement(case, WallClock(lambda: None)).case.sides[0].failure

    def test_a_result_that_is_off_is_found(self):
        def spoiled(torch, spec):
            def run(x, y, bias, C):
                result = pytorch_perf.eager(torch, spec)(x, y, bias, C)
                result[-1, 5] += 1e-3
                return result

            return run

        self.assertRegex(
            self.failure_of(spec_of(), spoiled), r"WrongResult: wrong result: C\(36, 5\) is .*, off by 0.001"
        )

    def test_what_is_not_written_is_found(self):
        def forgetful(torch, spec):
            def run(x, y, bias, C):
                C[:, :-1] = pytorch_perf.eager(torch, spec)(x, y, bias, None)[:, :-1]
                return C

            return run

        self.assertIn("C(0, 52) is nan", self.failure_of(spec_of(), forgetful))

    def test_another_type_or_shape_is_found(self):
        def make(torch, spec):
            return lambda x, y, bias, C: pytorch_perf.eager(torch, spec)(x, y, bias, C).double()

        self.assertIn("it is torch.float64 of (37, 53)", self.failure_of(spec_of(), make))

    def test_a_wrong_gradient_is_found(self):
        case = torch_cases.case_of(torch, "cpu", spec_of(epilogue="backward"), pytorch_perf.BACKWARD[:1], 0)
        case.sides[0].calls[0]()
        dA, dB, dbias = case.results["pytorch_eager"][0]
        case.check(case.sides[0])
        for number, what in enumerate((r"op\(dA\)", r"op\(dB\)", "dbias")):
            spoiled = [dA, dB, dbias]
            spoiled[number] = spoiled[number] * 1.01
            case.results["pytorch_eager"][0] = spoiled
            with self.assertRaisesRegex(WrongResult, what):
                case.check(case.sides[0])


@unittest.skipUnless(importlib.util.find_spec("triton"), "there is no triton")
class Triton(unittest.TestCase):
    def test_the_kernel_is_right(self):
        # Its interpreter does not multiply bfloat16.
        cases = [("f16", ops, "identity") for ops in OPS]
        cases += [("f32", "NT", activation) for activation in ACTIVATIONS]
        for type, ops, activation in cases:
            with self.subTest(type=type, ops=ops, activation=activation):
                case = torch_cases.case_of(
                    torch, "cpu", spec_of(type, ops, activation=activation), triton_perf.FORWARD, 0
                )
                case.reset(case.sides[0])
                case.sides[0].calls[0]()
                case.check(case.sides[0])

    def test_double_is_absent(self):
        case = torch_cases.case_of(torch, "cpu", spec_of("f64"), triton_perf.FORWARD, 0)
        self.assertEqual(case.sides[0].absent, "the kernel has no sums in double")


if __name__ == "__main__":
    unittest.main()
