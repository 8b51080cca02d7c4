# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Predicted beside measured times of the ways to compute calls, from what `tegula_regret --csv` writes."""

import csv
import itertools
import math

from gnuplot import quoted, style
from plots import file_name, framed, heading, ratio_axis
from result_files import ResultError, elements_of

HEAD = "type,compute,ops,m,n,k,set,family,tile,split_k,microseconds,predicted".split(",")
CALL = slice(0, 7)
NEAR = 1.5  # ways that take up to so many times the best are those that the planner must tell apart
GRID = (0.08, 0.016)  # of decades of measured time, and of predicted / measured: what is closer is one spot
TITLES = (f"up to {NEAR} times the best of their call", "all others")


def read_ways(path):
    """By elements: (measured microseconds, predicted / measured, whether the way is nearly the best)."""
    found = {}
    try:
        with open(path, newline="", encoding="utf-8") as lines:
            reader = csv.reader(lines)
            if next(reader, None) != HEAD:
                raise ResultError(f"{path} is no file that tegula_regret wrote with --csv")
            for call, ways in itertools.groupby(reader, lambda line: line[CALL]):
                times = [times_of(way) for way in ways]
                best = min(measured for measured, _ in times)
                rows = found.setdefault(elements_of({"type": call[0], "compute": call[1]}), [])
                rows += [(time, predicted / time, time <= NEAR * best) for time, predicted in times]
    except OSError as error:
        raise ResultError(f"{path}: {error.strerror}") from error
    except ValueError as error:
        raise ResultError(f"{path}:{reader.line_num}: {error}") from error
    if not found:
        raise ResultError(f"{path} has no ways")
    return found


def times_of(way):
    """Measured and predicted microseconds."""
    if len(way) != len(HEAD):
        raise ValueError(f"{len(way)} values, not {len(HEAD)}")
    measured, predicted = map(float, way[10:])
    if not (0 < measured < math.inf and 0 < predicted < math.inf):
        raise ValueError("a time is not above 0")
    return measured, predicted


def cells_of(points):
    """The spots on which points fall."""
    return {(round(math.log10(x) / GRID[0]), round(math.log10(y) / GRID[1])) for x, y in points}


def spots(cells):
    return [f"{10 ** (x * GRID[0]):.4g} {10 ** (y * GRID[1]):.4g}" for x, y in sorted(cells)]


def within(ratios, factor):
    return sum(1 / factor <= ratio <= factor for ratio in ratios) / len(ratios)


def prediction_plot(name, elements, ways):
    near, far = ([(x, y) for x, y, is_near in ways if is_near == which] for which in (True, False))
    near_cells = cells_of(near)
    data = {"near": spots(near_cells), "far": spots(cells_of(far) - near_cells)}  # the former cover the latter
    layers = {
        "far": (far, "pt 7 ps 0.35 lc rgb '#b5b5b5'", TITLES[1]),
        "near": (near, f"{style(0)} ps 0.35", TITLES[0]),
    }
    curves = []
    for layer, (points, look, title) in layers.items():
        share = 100 * within([ratio for _, ratio in points], NEAR) if points else 100
        text = quoted(f"{title}: {len(points)} ways, {share:.0f} % within {NEAR}")
        curves.append(f"{'$' + layer if data[layer] else 'NaN'} with points {look} title {text}")
    script = [
        heading(f"{name}, {elements}"),
        "set logscale x",
        'set format x "10^{%L}"',
        'set xlabel "measured time (microseconds)"',
        *ratio_axis("y", [ratio for _, ratio, _ in ways]),
        "set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb '#333333' lw 1.5 front",
    ]
    caption = "Above the line the model expects too long a time, below too short a one. Ways on one spot are one point."
    ylabel = "predicted time / measured time"
    return framed(
        file_name("predicted", name, elements), f"{elements}: predictions", caption, script, data, curves, ylabel
    )


def prediction_plots(name, path):
    return [prediction_plot(name, elements, ways) for elements, ways in read_ways(path).items()]
