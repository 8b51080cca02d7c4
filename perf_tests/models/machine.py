# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The record of an architecture, out of kernels/cuda/Tegula_CudaRates.cpp."""

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


def machine(source, capability, multiprocessors):
    """Of the C++ text of the records."""
    constants = {name: float(value) for name, value in re.findall(r"(\w+) = ([\d.e+-]+)[,;]", source)}
    record = re.search(rf'CudaRates\{{{capability}, "[^"]*", \w+, ([^}}]*)\}}', source)
    if not record:
        raise ValueError(f"there is no record of compute capability {capability}")

    def value(factor):
        return constants[factor] if factor in constants else float(factor)

    numbers = [math.prod(map(value, number.strip().split(" * "))) for number in record.group(1).split(",")]
    return Machine(multiprocessors, *numbers)
