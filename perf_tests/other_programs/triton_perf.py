#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures a kernel in Triton on Tegula's rows and writes a file that tegula_report and tegula_compare read.

  triton  op(A) op(B) by one kernel that adds the bias and applies the activation to its sums: tiles in grouped order,
          the best of a list of configurations, found by Triton's autotuner for each row before it is timed

What is timed and how is the same as in tegula_gemm_perf, as far as another process can be the same: see
pytorch_perf.py. It needs torch and triton. With TRITON_INTERPRET=1 and --device cpu the kernel is interpreted, which
tests it and measures nothing.

  triton_perf.py --rows gemm.json --json triton.json
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "report"))

from program import main  # noqa: E402
from torch_library import TorchLibrary, Way  # noqa: E402


def absent(spec):
    return "the kernel has no sums in double" if spec.type == "f64" else ""


def layer(torch, spec):
    import triton_kernel  # here, so that --help needs none

    return lambda x, y, bias, C: triton_kernel.layer(x, y, bias, C, spec.activation, spec.compute == "tf32")


FORWARD = (Way("triton", "one kernel, autotuned", layer, absent),)


def make_library(options):
    import torch
    import triton

    described = f"Triton {triton.__version__}, PyTorch {torch.__version__}"
    return TorchLibrary(torch, described, {"gemm": FORWARD}, options)


if __name__ == "__main__":
    sys.exit(main("triton_perf.py", {"gemm": "triton_gemm"}, __doc__, make_library))
