#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures PyTorch on Tegula's rows and writes a file that tegula_report and tegula_compare read.

  pytorch_eager     F.linear, then the activation; backward autograd's gradients of that
  pytorch_addmm     torch.addmm into memory that is there, then the activation in place
  pytorch_compiled  the first one through torch.compile, for these extents

Without a layer (--epilogue none) they are matmul, mm into memory that is there, and matmul compiled.

What is timed and how is the same as in tegula_gemm_perf and tegula_backward_perf, as far as another process can be the
same: operands, sets of them, batches, rounds, modes, checks against sums in double before anything is timed. Sums of
half and bhalf are formed in float. It needs torch.

  pytorch_perf.py --rows gemm.json --json pytorch.json
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "report"))

from program import main  # noqa: E402
from torch_cases import LEAKY_SLOPE  # noqa: E402
from torch_library import TorchLibrary, Way  # noqa: E402

# For F.linear's result, and for a matrix that may be overwritten.
ACTIVATIONS = {
    "identity": lambda torch, z: z,
    "relu": lambda torch, z: torch.nn.functional.relu(z),
    "leaky_relu": lambda torch, z: torch.nn.functional.leaky_relu(z, LEAKY_SLOPE),
    "tanh": lambda torch, z: torch.tanh(z),
    "sigmoid": lambda torch, z: torch.sigmoid(z),
    "silu": lambda torch, z: torch.nn.functional.silu(z),
    "gelu_tanh": lambda torch, z: torch.nn.functional.gelu(z, approximate="tanh"),
    "gelu_erf": lambda torch, z: torch.nn.functional.gelu(z),
}
IN_PLACE = {
    "identity": lambda torch, z: z,
    "relu": lambda torch, z: torch.relu_(z),
    "leaky_relu": lambda torch, z: torch.nn.functional.leaky_relu_(z, LEAKY_SLOPE),
    "tanh": lambda torch, z: torch.tanh_(z),
    "sigmoid": lambda torch, z: torch.sigmoid_(z),
    "silu": lambda torch, z: torch.nn.functional.silu(z, inplace=True),
    "gelu_tanh": lambda torch, z: torch.ops.aten.gelu.out(z, approximate="tanh", out=z),
    "gelu_erf": lambda torch, z: torch.ops.aten.gelu.out(z, out=z),
}


def eager(torch, spec):
    if spec.epilogue == "none":
        return lambda x, y, bias, C: x @ y
    activation = ACTIVATIONS[spec.activation]
    return lambda x, y, bias, C: activation(torch, torch.nn.functional.linear(x, y.t(), bias))


def addmm(torch, spec):
    if spec.epilogue == "none":
        return lambda x, y, bias, C: torch.mm(x, y, out=C)
    activation = IN_PLACE[spec.activation]
    return lambda x, y, bias, C: activation(torch, torch.addmm(bias, x, y, out=C))


def compiled(torch, spec):
    """Anew for each row: a function that has met many shapes would run uncompiled, without a word."""
    torch._dynamo.reset()
    layer = torch.compile(eager(torch, spec), fullgraph=True, dynamic=False)
    return lambda x, y, bias, C: layer(x, y, bias, None)


FORWARD = (
    Way("pytorch_eager", "F.linear, activation", eager),
    Way("pytorch_addmm", "addmm(out), activation in place", addmm),
    Way("pytorch_compiled", "torch.compile of F.linear, activation", compiled),
)
BACKWARD = (
    Way("pytorch_eager", "autograd.grad of F.linear, activation", eager),
    Way("pytorch_compiled", "autograd.grad of torch.compile of F.linear, activation", compiled),
)


def make_library(options):
    import torch  # here, so that --help needs none
    import torch._functorch.config

    torch._functorch.config.donated_buffer = False  # gradients are taken again and again from what is saved once
    return TorchLibrary(torch, f"PyTorch {torch.__version__}", {"gemm": FORWARD, "gemm_backward": BACKWARD}, options)


NAMES = {"gemm": "pytorch_gemm", "gemm_backward": "pytorch_backward"}

if __name__ == "__main__":
    sys.exit(main("pytorch_perf.py", NAMES, __doc__, make_library))
