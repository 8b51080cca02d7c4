# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operands on a device of PyTorch, sides that compute with them, and the check of results against sums in double.

They are those of Tegula_GemmCase.hpp and Tegula_BackwardCase.hpp: uniform in (-1, 1), the same in every set, B scaled
so that sums are of order 1. A side's results are of its own in each set, and NaN before a check where it is given them.
"""

import math

from measurement import Side, operand_sets
from tolerance import WrongResult, sampled_rows, tolerance_of

LEAKY_SLOPE = 0.01

# Formulas of core/Tegula_Activation.hpp, for the reference: not those of the library that is checked.
FORMULAS = {
    "identity": lambda torch, z: z,
    "relu": lambda torch, z: torch.where(z > 0, z, torch.zeros_like(z)),
    "leaky_relu": lambda torch, z: torch.where(z > 0, z, LEAKY_SLOPE * z),
    "tanh": lambda torch, z: torch.tanh(z),
    "sigmoid": lambda torch, z: 1 / (1 + torch.exp(-z)),
    "silu": lambda torch, z: z / (1 + torch.exp(-z)),
    "gelu_tanh": lambda torch, z: 0.5 * z * (1 + torch.tanh(math.sqrt(2 / math.pi) * (z + 0.044715 * z**3))),
    "gelu_erf": lambda torch, z: 0.5 * z * (1 + torch.erf(z * math.sqrt(0.5))),
}
# By the sign of the output, which rounding may have changed in z.
KINKED = {"relu": 0.0, "leaky_relu": LEAKY_SLOPE}


def operands(matrices, letters):
    """op(A) and op(B), as views."""
    return [matrix if letter == "N" else matrix.t() for matrix, letter in zip(matrices, letters)]


def checked(torch, what, rows, result, reference, tolerance):
    """The worst error of rows as a part of the scale. reference: value, scale and square of each element."""
    value, scale, square = reference
    error = (result - value).abs()
    allowed = tolerance.allowed(value, scale, square)
    wrong = torch.nonzero(~(error <= allowed))
    if len(wrong):
        i, j = wrong[0].tolist()
        raise WrongResult(
            f"wrong result: {what}({rows[i]}, {j}) is {result[i, j]:g}, the reference {value[i, j]:g}, "
            f"off by {error[i, j]:g} where {allowed[i, j]:g} is allowed"
        )
    return (error / scale.clamp_min(1e-300)).max().item()


def products(x, y):
    """Value, scale and square of every element of a product in double."""
    return x @ y, x.abs() @ y.abs(), (x * x) @ (y * y)


class Case:
    """What both passes share. A way has name, path, absent(spec) and make(torch, spec): see torch_library.py."""

    def __init__(self, torch, device, spec, ways, cache_bytes):
        self.torch, self.device, self.spec = torch, device, spec
        self.type = {"f64": torch.float64, "f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16}[
            spec.type
        ]
        torch.set_float32_matmul_precision("high" if spec.compute == "tf32" else "highest")
        self.sets = operand_sets(spec.bytes, cache_bytes)
        self.generator = torch.Generator(device).manual_seed(spec.seed)
        self.build()
        self.results = {way.name: [None] * self.sets for way in ways}
        self.outputs = {}  # memory for results, of sides that are given some
        self.sides = [self.side(way) for way in ways]

    def uniform(self, *extents, amplitude=1.0):
        """The same values in each set."""
        unit = self.torch.rand(*extents, generator=self.generator, device=self.device, dtype=self.torch.float32)
        values = ((2 * unit - 1) * amplitude).to(self.type)
        return [values.clone() for _ in range(self.sets)]

    def side(self, way):
        absent = way.absent(self.spec)
        if absent:
            return Side(way.name, "", absent=absent)
        try:
            return Side(way.name, way.path, self.calls(way))
        except Exception as error:  # the other sides go on
            return Side(way.name, "", failure=f"{type(error).__name__}: {error}"[:500])

    def reset(self, side):
        """Forgets results, and makes memory that a side writes to NaN."""
        results = self.results[side.name]
        results[:] = [None] * len(results)
        for output in self.outputs.get(side.name, ()):
            output.fill_(math.nan)

    def wait(self):
        if self.device == "cuda":
            self.torch.cuda.synchronize()

    def stored_extents(self):
        """Of A and B."""
        shape = self.spec.shape
        a = (shape.m, shape.k) if self.spec.ops[0] == "N" else (shape.k, shape.m)
        b = (shape.k, shape.n) if self.spec.ops[1] == "N" else (shape.n, shape.k)
        return a, b

    def tolerance(self, terms):
        return tolerance_of(self.spec.type, self.spec.compute, terms)


class ForwardCase(Case):
    """C = act(op(A) op(B) + bias), or op(A) op(B)."""

    def build(self):
        a, b = self.stored_extents()
        self.A, self.B = self.uniform(*a), self.uniform(*b, amplitude=3 / math.sqrt(self.spec.shape.k))
        # One for all sets, as our programs have it.
        self.bias = self.uniform(self.spec.shape.n)[0] if self.spec.epilogue == "bias" else None

    def calls(self, way):
        run, results = way.make(self.torch, self.spec), self.results[way.name]
        extents = (self.spec.shape.m, self.spec.shape.n)
        outputs = [self.torch.empty(extents, device=self.device, dtype=self.type) for _ in range(self.sets)]
        self.outputs[way.name] = outputs

        def call_of(number):
            x, y = operands((self.A[number], self.B[number]), self.spec.ops)

            def call():
                results[number] = run(x, y, self.bias, outputs[number])

            return call

        return [call_of(number) for number in range(self.sets)]

    def reference(self, rows):
        """Of sampled rows, with bias and activation."""
        x, y = (matrix.double() for matrix in operands((self.A[0], self.B[0]), self.spec.ops))
        value, scale, square = products(x[rows], y)
        if self.bias is None:
            return value, scale, square
        bias = self.bias.double()
        value = FORMULAS[self.spec.activation](self.torch, value + bias)
        return value, scale + bias.abs(), square + bias * bias

    def check(self, side):
        shape = self.spec.shape
        rows = sampled_rows(shape.m, self.spec.seed)
        reference, tolerance = self.reference(rows), self.tolerance(shape.k)
        worst = 0.0
        for result in self.results[side.name]:
            if result.shape != (shape.m, shape.n) or result.dtype != self.type:
                raise WrongResult(f"wrong result: it is {result.dtype} of {tuple(result.shape)}")
            worst = max(worst, checked(self.torch, "C", rows, result[rows].double(), reference, tolerance))
        return worst


class BackwardCase(Case):
    """dA, dB and dbias of C = act(op(A) op(B) + bias) by autograd, which keeps what the forward pass saved."""

    def build(self):
        a, b = self.stored_extents()
        amplitude = 3 / math.sqrt(self.spec.shape.k)
        self.A, self.B, self.bias = (
            self.uniform(*a),
            self.uniform(*b, amplitude=amplitude),
            self.uniform(self.spec.shape.n),
        )
        self.dC = self.uniform(self.spec.shape.m, self.spec.shape.n)
        self.C = {}

    def calls(self, way):
        run, results = way.make(self.torch, self.spec), self.results[way.name]
        forward = self.C[way.name] = []

        def call_of(number):
            leaves = [values[number].detach().requires_grad_() for values in (self.A, self.B, self.bias)]
            C = run(*operands(leaves[:2], self.spec.ops), leaves[2], None)
            forward.append(C.detach())

            def call():
                results[number] = self.torch.autograd.grad(C, leaves, self.dC[number], retain_graph=True)

            return call

        return [call_of(number) for number in range(self.sets)]

    def dZ(self, C):
        """In double, from the forward result of the library where a sign in it decides."""
        torch, activation = self.torch, self.spec.activation
        dC = self.dC[0].double()
        if activation in KINKED:
            return torch.where(C > 0, dC, KINKED[activation] * dC)
        x, y = (matrix.double() for matrix in operands((self.A[0], self.B[0]), self.spec.ops))
        z = (x @ y + self.bias[0].double()).requires_grad_()
        FORMULAS[activation](torch, z).backward(dC)
        return z.grad

    def check(self, side):
        shape, torch = self.spec.shape, self.torch
        dZ = self.dZ(self.C[side.name][0])
        x, y = (matrix.double() for matrix in operands((self.A[0], self.B[0]), self.spec.ops))
        rows_A, rows_B = sampled_rows(shape.m, self.spec.seed), sampled_rows(shape.k, self.spec.seed)
        references = (
            ("op(dA)", rows_A, shape.n, products(dZ[rows_A], y.t())),
            ("op(dB)", rows_B, shape.m, products(x.t()[rows_B], dZ)),
            ("dbias", [0], shape.m, products(torch.ones(1, shape.m, device=self.device, dtype=torch.float64), dZ)),
        )
        worst = 0.0
        for dA, dB, dbias in self.results[side.name]:
            found = (*operands((dA, dB), self.spec.ops), dbias[None, :])
            for (what, rows, terms, reference), result in zip(references, found):
                tolerance = self.tolerance(terms)
                worst = max(worst, checked(torch, what, rows, result[rows].double(), reference, tolerance))
        return worst


def case_of(torch, device, spec, ways, cache_bytes):
    kind = BackwardCase if spec.epilogue == "backward" else ForwardCase
    return kind(torch, device, spec, ways, cache_bytes)
