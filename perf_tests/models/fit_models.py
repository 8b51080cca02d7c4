#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fits the models by which the planner for CUDA chooses to times that tegula_times measured, and writes their numbers
into the headers in kernels/cuda (../README.md, "How models are fitted").

  perf_tests/models/fit_models.py --times perf_tests/results/h200/times*.txt --kernels kernels/cuda
"""

import argparse
import math
import os
import pathlib

os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"  # Sums depend on the number of threads.

import numpy as np  # noqa: E402

import calls  # noqa: E402
import fitting  # noqa: E402
import headers  # noqa: E402
import model_headers  # noqa: E402
from families import FAMILIES  # noqa: E402
from machine import machine  # noqa: E402


def rounded(numbers):
    """As headers have them."""
    return np.log([float(headers.text_of(number)) for number in np.exp(numbers)])


def regret_line(name, regrets):
    def share(bound):
        return sum(regret <= bound for regret in regrets) / len(regrets)

    mean = math.exp(sum(map(math.log, regrets)) / len(regrets))
    return f"{name:22}{len(regrets):6}{mean:11.4f}{share(1.05):13.3f}{share(1.15):13.3f}{max(regrets):9.2f}"


def print_regrets(measured, numbers):
    """Of the fastest way by predictions, over all ways that were measured."""
    chosen = measured.chosen(measured.predicted(numbers))
    groups = {}
    for call, way in zip(measured.call[chosen], chosen):
        of = measured.calls[call]
        regret = math.exp(measured.log_regret[way])
        kind = of.types if of.compute == "native" else f"{of.types} {of.compute}"
        for name in (f"{kind} {'held' if of.is_held else 'fit'}", "all held" if of.is_held else "all fit"):
            groups.setdefault(name, []).append(regret)
    print(f"{'regret':22}{'calls':>6}{'geo. mean':>11}{'within 1.05':>13}{'within 1.15':>13}{'worst':>9}")
    for name in sorted(groups):
        print(regret_line(name, groups[name]))


def names(text):
    return set(text.split(","))


def keep_others(measured, options):
    """Begins with the numbers of the headers. Those that nobody asked for stay as they are."""
    for family in FAMILIES:
        if family.key not in measured.models:
            continue
        is_asked = options.families is None or family.name in options.families
        asked = (options.only or set(family.kind.groups)) if is_asked else set()
        text = (options.kernels / family.header).read_text(encoding="utf-8")
        measured.models[family.key].start_from(model_headers.numbers_in(text, family), asked)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", nargs="+", required=True, metavar="FILE", help="files that tegula_times wrote")
    parser.add_argument("--kernels", required=True, type=pathlib.Path, help="the folder kernels/cuda")
    parser.add_argument("--machine", default="H200", help="name of the record of the device; default: H200")
    parser.add_argument("--weight", type=float, default=5, help="of the errors of predicted times; default: 5")
    parser.add_argument("--steps", type=int, default=200, help="of the second stage; default: 200")
    parser.add_argument("--families", type=names, help="of which numbers are fitted, all if left out: wgmma,mma")
    parser.add_argument("--only", type=names, help="names of the numbers that are fitted: activated,kept; default: all")
    parser.add_argument("--seconds", type=float, default=math.inf, help="that the second stage may take at most")
    return parser.parse_args()


def main():
    options = arguments()
    measured_calls, multiprocessors = calls.read(options.times)
    rates = (options.kernels / "Tegula_CudaRates.cpp").read_text(encoding="utf-8")
    measured = fitting.Measured(measured_calls, machine(rates, options.machine, multiprocessors))
    print(f"{len(measured_calls)} calls, {len(measured.call)} ways", flush=True)
    if measured.gone:
        print("no longer there:", ", ".join(f"{tile} ({ways})" for tile, ways in sorted(measured.gone.items())))
    if options.families or options.only:
        keep_others(measured, options)
    numbers = {key: fitting.fit_times(measured, key) for key in measured.models}
    print_regrets(measured, numbers)
    numbers = fitting.fit_regret(measured, numbers, options.weight, options.steps, options.seconds)
    numbers = {key: rounded(fitted) for key, fitted in numbers.items()}
    print_regrets(measured, numbers)
    model_headers.write(options.kernels, {key: measured.models[key].by_group(numbers[key]) for key in numbers})


if __name__ == "__main__":
    main()
