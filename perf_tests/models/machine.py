# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The record of a card, out of kernels/cuda/Tegula_CudaRates.cpp."""

import dataclasses
import math
import re


@dataclasses.dataclass(frozen=True)
class Machine:
    multiprocessors: int
    clock: float  # and so on, as struct CudaRates
    wgmma_half: float
    wgmma_tf32: float
    mma_half: float
    mma_double: float
    fma_float: float
    fma_double: float
    memory: float
    cache: float
    kernel: float


def machine(source, name, multiprocessors):
    """Of the C++ text of the records."""
    constants = {name: float(value) for name, value in re.findall(r"(\w+) = ([\d.e+-]+)[,;]", source)}
    card = re.search(rf'card\((\w+), "{name}", \w+, \d+, ([^)]*)\)', source)
    if not card:
        raise ValueError(f'there is no record with the name "{name}"')
    units = re.search(rf"Architecture {card.group(1)}\{{\d+, \d+, ([^}}]*)\}}", source)

    def numbers(text):
        return [math.prod(constants[f] if f in constants else float(f) for f in n.split(" * ")) for n in text.split(", ")]

    clock, memory, cache = numbers(card.group(2))
    return Machine(multiprocessors, clock, *numbers(units.group(1)), memory, cache, constants["launch"])
