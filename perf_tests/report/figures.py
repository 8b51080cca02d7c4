# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Statistics of ratios and times, as Tegula_PerfStatistics.hpp has them."""

import math


def geometric_mean(values):
    return math.exp(math.fsum(math.log(value) for value in values) / len(values))


def quantile(values, part):
    """The value below which a share `part` of the values lies, interpolated between its two neighbours."""
    ordered = sorted(values)
    place = part * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


def percent(factor):
    """A change in words: 1.034 is "+3.4 %"."""
    return f"{100 * (factor - 1):+.1f} %"


def seconds_text(seconds):
    """A time with a unit that suits it."""
    for scale, unit in ((1e-6, "us"), (1e-3, "ms")):
        if seconds < 1e3 * scale:
            return f"{seconds / scale:.4g} {unit}"
    return f"{seconds:.4g} s"
