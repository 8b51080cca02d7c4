# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A library for tests, of lists of numbers, whose clock stands still but for what its ways say that they take."""

import dataclasses
import random
import typing

from measurement import Side
from tolerance import WrongResult, sampled_rows, tolerance_of

SETS = 2


@dataclasses.dataclass
class FakeWay:
    """A way to compute: seconds of a call, and what it makes of a right result."""

    seconds: float
    changed: typing.Callable = lambda C: C
    absent: str = ""


class FakeClock:
    def __init__(self):
        self.now, self.slept = 0.0, 0.0

    def sleep(self, seconds):
        self.slept += seconds

    def batch(self, calls, call):
        def seconds():
            start = self.now
            for _ in range(calls):
                call()
            return [(self.now - start) / calls]

        return seconds


def layer(A, B):
    """relu(A B)"""
    return [[max(0.0, sum(a * b for a, b in zip(row, column))) for column in zip(*B)] for row in A]


class FakeCase:
    def __init__(self, spec, ways, clock):
        m, n, k = spec.shape.m, spec.shape.n, spec.shape.k
        drawn = random.Random(spec.seed)
        self.spec, self.clock = spec, clock
        self.A, self.B = ([[drawn.uniform(-1, 1) for _ in range(c)] for _ in range(r)] for r, c in ((m, k), (k, n)))
        self.results = {name: [None] * SETS for name in ways}
        self.sides = [self.side(name, way) for name, way in ways.items()]

    def side(self, name, way):
        if way.absent:
            return Side(name, "", absent=way.absent)
        return Side(name, "lists", [self.call(name, way, number) for number in range(SETS)])

    def call(self, name, way, number):
        def run():
            self.results[name][number] = way.changed(layer(self.A, self.B))
            self.clock.now += way.seconds

        return run

    def reset(self, side):
        self.results[side.name] = [None] * SETS

    def wait(self):
        """Lists are there at once."""

    def check(self, side):
        rows = sampled_rows(self.spec.shape.m, self.spec.seed)
        expected = layer([self.A[row] for row in rows], self.B)
        allowed = tolerance_of("f64", "native", self.spec.shape.k).allowed(1.0, 1.0, 1.0)
        for result in self.results[side.name]:
            for row, values in zip(rows, expected):
                if not all(abs(found - value) <= allowed for found, value in zip(result[row], values)):
                    raise WrongResult(f"wrong result: row {row} of C")
        return 1e-16


class FakeLibrary:
    build, described = "Python lists", "Lists 1.0"

    def __init__(self, **ways):
        self.all_ways, self.its_clock = ways, FakeClock()

    def ways(self, call):
        return self.all_ways

    def case(self, spec, peers):
        if spec.shape.m > 1000:
            raise MemoryError("too large for lists")
        return FakeCase(spec, {name: self.all_ways[name] for name in peers}, self.its_clock)

    def clock(self, timer):
        return self.its_clock

    def bandwidth_gbs(self):
        return 1.0

    def facts(self):
        return {"execution_space": "CPU", "concurrency": 1, "device": "AMD EPYC"}

    def moment(self, when):
        return {}
