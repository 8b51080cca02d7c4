# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How far results may be off, as Tegula_PerfReference.hpp has it; for numbers, or for tensors of numbers."""

import dataclasses
import random

SAMPLES = 6
UNITS = {"f64": 2.0**-53, "f32": 2.0**-24, "f16": 2.0**-11, "bf16": 2.0**-8}  # half the distance behind 1


class WrongResult(Exception):
    """Where a result is not what it should be."""


def sampled_rows(rows, seed):
    """First, last, and a few others, which may be the same."""
    drawn = random.Random(seed)
    return [0, rows - 1, *(drawn.randrange(rows) for _ in range(SAMPLES - 2))]


@dataclasses.dataclass
class Tolerance:
    """Sums of `terms` products are rounded with sum_unit, single products and results with storage_unit."""

    terms: int
    sum_unit: float
    storage_unit: float

    def allowed(self, value, scale, square):
        """By the value, the sum of the absolute values of what was added up, and that of the squares."""
        sums = (20 + 4 * self.terms**0.5) * self.sum_unit
        return 1.2 * (sums * scale + 8 * self.storage_unit * square**0.5) + 8 * self.storage_unit * abs(value)


def tolerance_of(element, compute, terms):
    """Sums of 16 bits are formed in float. TF32 cuts factors off to 10 bits."""
    storage = 2.0**-10 if compute == "tf32" and element == "f32" else UNITS[element]
    return Tolerance(terms, min(UNITS[element], UNITS["f32"]), storage)
