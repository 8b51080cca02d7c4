# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lists of shapes, read as Tegula_PerfShapes.cpp reads them, and what is computed of each."""

import dataclasses
import pathlib

SHAPES = pathlib.Path(__file__).resolve().parents[1] / "shapes"
HEADING = "name,m,n,k,source"
BYTES = {"f64": 8, "f32": 4, "f16": 2, "bf16": 2}
COMPUTES = ("native", "tf32")
ACTIVATIONS = ("identity", "relu", "leaky_relu", "tanh", "sigmoid", "silu", "gelu_tanh", "gelu_erf")


class UsageError(Exception):
    """What is wrong with a command line, or with a file that it names."""


@dataclasses.dataclass(frozen=True)
class Shape:
    """C is m x n, summed over k."""

    name: str
    m: int
    n: int
    k: int


@dataclasses.dataclass(frozen=True)
class Spec:
    """A row: what is computed, on row-major matrices. The epilogue is none, bias (and activation) or backward."""

    shape: Shape
    type: str
    ops: str
    epilogue: str
    activation: str
    compute: str
    seed: int = 1

    @property
    def flops(self):
        product = 2.0 * self.shape.m * self.shape.n * self.shape.k
        return 2 * product if self.epilogue == "backward" else product

    @property
    def bytes(self):
        """Each operand read once and each result written once."""
        m, n, k = self.shape.m, self.shape.n, self.shape.k
        if self.epilogue == "backward":
            elements = 2 * m * k + 2 * k * n + (1 if self.activation == "identity" else 2) * m * n + n
        else:
            elements = m * k + k * n + m * n + (n if self.epilogue == "bias" else 0)
        return elements * BYTES[self.type]

    @property
    def fields(self):
        """Of a row of a file with results."""
        names = {"shape": self.shape.name, "m": self.shape.m, "n": self.shape.n, "k": self.shape.k}
        layer = {"epilogue": self.epilogue, "activation": self.activation, "alpha": 1, "beta": 0}
        return {**names, "type": self.type, "layouts": "RRR", "ops": self.ops, **layer, "compute": self.compute}


def shape_of(line, where):
    fields = line.split(",", 4)
    if len(fields) < 5:
        raise UsageError(f"{where}: five fields are expected: {HEADING}")
    name, *extents, source = fields
    if not name or not source:
        raise UsageError(f"{where}: the {'source' if name else 'name'} is empty")
    for what, text in zip("mnk", extents):
        if not text.isascii() or not text.isdigit() or int(text) < 1:
            raise UsageError(f'{where}: {what} is "{text}", not a positive integer')
    return Shape(name, *map(int, extents))


def read_shapes(name):
    """The shapes of a file, or of the list of that name that comes with Tegula."""
    given = pathlib.Path(name)
    path = SHAPES / given if given.name == name and not given.exists() else given
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise UsageError(f"{name}: {error.strerror}") from error
    numbered = [(number, line) for number, line in enumerate(lines, 1) if line and not line.startswith("#")]
    if not numbered or numbered[0][1] != HEADING:
        raise UsageError(f'{name}: the heading "{HEADING}" is expected')
    shapes = {}
    for number, line in numbered[1:]:
        shape = shape_of(line, f"{name}:{number}")
        if shape.name in shapes:
            raise UsageError(f'{name}:{number}: a second shape is named "{shape.name}"')
        shapes[shape.name] = shape
    if not shapes:
        raise UsageError(f"{name}: there is no shape in this file")
    return list(shapes.values())


def spec_of(row, seed):
    """What a row of a file of Tegula's computes; None where other programs do not compute the same."""
    is_usual = row["layouts"] == "RRR" and (row["alpha"], row["beta"]) == (1, 0) and row["compute"] in COMPUTES
    if not is_usual or row["type"] not in BYTES:
        return None
    shape = Shape(row["shape"], row["m"], row["n"], row["k"])
    return Spec(shape, row["type"], row["ops"], row["epilogue"], row["activation"], row["compute"], seed)
