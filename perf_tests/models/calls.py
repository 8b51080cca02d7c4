# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls of gemm with measured times, as tegula_times writes them (../measurement/Tegula_PerfTimes.hpp), and what a
kernel sees of them (modelled() in kernels/cuda/Tegula_TileModel.cpp)."""

import dataclasses
import functools
import re

BYTES = {"bf16": 2, "f16": 2, "f32": 4, "f64": 8}
# enum Fetched
LINES, DEPTH, DEPTH_ONE_BY_ONE, LINES_ONE_BY_ONE, LINES_IN_WORDS, DEPTH_IN_WORDS = range(6)
RUNS, UNALIGNED = 0, 2  # enum Stored, without a C that is read
ALIGNED, WORD = 16, 4  # bytes
PAIR = 8
PLAIN_ACTIVATIONS = ("identity", "relu", "leaky_relu")
EXPONENTIAL_ACTIVATIONS = ("tanh", "sigmoid", "silu", "gelu_tanh", "gelu_erf")


def ceil_div(a, b):
    return -(-a // b)


@dataclasses.dataclass
class Way:
    family: str
    tile: tuple
    split: int
    seconds: float
    is_rough: bool
    waves: int = 0  # of tiles that are not cut


@dataclasses.dataclass(frozen=True)
class Operand:
    """lines x depth elements."""

    lines: int
    depth: int
    line_stride: int
    depth_stride: int
    element_bytes: int

    @functools.cached_property
    def fetched(self):
        """Whether it is copied in runs of 16 bytes, and in which direction (kernels/cuda/Tegula_TmaMatrix.hpp)."""

        def are_aligned(stride, count, run):
            return count == 1 or stride * self.element_bytes % ALIGNED == 0

        if self.depth_stride == 1 or self.depth == 1:
            if are_aligned(self.line_stride, self.lines, self.depth):
                return DEPTH
        if self.line_stride == 1 or self.lines == 1:
            if are_aligned(self.depth_stride, self.depth, self.lines):
                return LINES
        return DEPTH_ONE_BY_ONE if self.depth_stride == 1 else LINES_ONE_BY_ONE

    @property
    def is_aligned(self):
        return self.fetched in (LINES, DEPTH)

    @property
    def is_in_words(self):
        """Whether neighbours in memory lie in words (kernels/cuda/async/Tegula_AsyncOperand.hpp)."""
        fast, slow = sorted((self.line_stride, self.depth_stride))
        return self.is_aligned or (fast == 1 and slow * self.element_bytes % WORD == 0)

    def copied_bytes(self, along_depth, line_bytes):
        """Of a copy whose lines, or depths, begin at multiples of so many bytes."""
        slow, fast = (self.lines, self.depth) if along_depth else (self.depth, self.lines)
        return slow * ceil_div(fast * self.element_bytes, line_bytes) * line_bytes


@dataclasses.dataclass
class Call:
    type: str
    ops: str
    m: int
    n: int
    k: int
    compute: str = "native"
    beta: float = 0
    has_bias: bool = False
    activation: str = "identity"
    stores_Z: bool = False
    result: str = ""  # type of C, Z and the bias, if it is not that of the operands
    leading: dict = dataclasses.field(default_factory=dict)
    is_held: bool = False
    ways: list = dataclasses.field(default_factory=list)

    @property
    def element_bytes(self):
        return BYTES[self.type]

    @property
    def types(self):
        return f"{self.type}>{self.result}" if self.result else self.type

    @property
    def result_element_bytes(self):
        return BYTES[self.result or self.type]

    @property
    def is_widened(self):
        return self.result_element_bytes > self.element_bytes

    @functools.cached_property
    def left(self):
        lda = self.leading.get("a", self.k if self.ops[0] == "N" else self.m)
        strides = (lda, 1) if self.ops[0] == "N" else (1, lda)
        return Operand(self.m, self.k, *strides, self.element_bytes)

    @functools.cached_property
    def right(self):
        ldb = self.leading.get("b", self.n if self.ops[1] == "N" else self.k)
        strides = (1, ldb) if self.ops[1] == "N" else (ldb, 1)
        return Operand(self.n, self.k, *strides, self.element_bytes)

    @property
    def ldc(self):
        return self.leading.get("c", self.n)

    @property
    def has_vectors(self):
        """Whether rows of the result begin at multiples of 16 bytes."""
        return self.ldc * self.result_element_bytes % ALIGNED == 0

    def stored(self, stores_ragged_runs=True):
        """How the result is stored, as if C were not read."""
        size = self.result_element_bytes
        if self.element_bytes > 2:
            return RUNS if self.has_vectors else UNALIGNED
        if self.is_widened and stores_ragged_runs:  # by threads, in pairs
            return RUNS if self.ldc * size % PAIR == 0 else UNALIGNED
        result = Operand(self.m, self.n, self.ldc, 1, size)
        run = self.n if result.fetched == DEPTH else self.m
        return RUNS if result.is_aligned and (stores_ragged_runs or run * size % ALIGNED == 0) else UNALIGNED

    @property
    def operand_bytes(self):
        return self.element_bytes * self.k * (self.m + self.n)

    @property
    def result_bytes(self):
        matrices = 1 + (self.beta != 0) + self.stores_Z
        return self.result_element_bytes * self.m * self.n * matrices

    @functools.cached_property
    def best(self):
        """Seconds of the fastest way."""
        return min(way.seconds for way in self.ways)


def ways_of(groups):
    for group in groups:
        family, *words = group.split()
        tile = None
        for word in words:
            if ":" not in word:
                tile = tuple(map(int, word.split("x")))
                continue
            cut, microseconds = word.split(":")
            waves, _, split = cut.rpartition("+")  # "1+6"
            seconds = float(microseconds.rstrip("~")) / 1e6
            yield Way(family, tile, int(split), seconds, word.endswith("~"), int(waves or 0))


def call_of(line):
    head, *groups = line.split(" | ")
    _, kind, ops, m, n, k, *words = head.split()
    kind, _, result = kind.partition(">")  # "bf16>f32": results in float
    call = Call(kind, ops, int(m), int(n), int(k), result=result, ways=list(ways_of(groups)))
    call.is_held = words[-1] == "held"
    for word in words[:-1]:
        name, _, value = word.partition("=")
        if name in ("lda", "ldb", "ldc"):
            call.leading[name[-1]] = int(value)
        elif name == "beta":
            call.beta = float(value)
        elif name == "compute":
            call.compute = value
        elif name == "bias":
            call.has_bias = True
        elif name == "Z":
            call.stores_Z = True
        elif name in PLAIN_ACTIVATIONS + EXPONENTIAL_ACTIVATIONS:
            call.activation = name
        else:
            raise ValueError(f'"{word}" is not known in "{head}"')
    return call


def read(files):
    """All calls, and the multiprocessors of the device that they were measured on."""
    calls, multiprocessors = [], set()
    for file in files:
        with open(file, encoding="utf-8") as lines:
            for line in lines:
                if line.startswith("#"):
                    multiprocessors.update(map(int, re.findall(r"\((\d+) multiprocessors", line)))
                elif line.strip():
                    calls.append(call_of(line))
    if len(multiprocessors) != 1:
        raise ValueError(f"times are to be of one device, not of {sorted(multiprocessors)} multiprocessors")
    return calls, multiprocessors.pop()
