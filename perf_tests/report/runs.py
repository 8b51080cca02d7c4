# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the files hold, as the report needs it: rows with all their fields, and a ratio for every row and peer."""

import dataclasses
import functools
import os
import re
import typing

import result_files
from figures import geometric_mean, quantile
from result_files import RATIO_FIELDS


@dataclasses.dataclass
class Run:
    """A file with results, or what a rank measured of it in a phase."""

    name: str  # short, and another one for each file
    context: dict
    rows: list
    rank: typing.Optional[dict] = None  # of a file of several devices: who measured the rows, as the file has it,
    phase: str = ""  # and how the ranks shared a node
    file: str = ""  # the short name of the file

    @property
    def machine(self):
        return result_files.machine_of(self.context)

    @property
    def card(self):
        """The file and the rank, where it has several, for plots of one phase."""
        return result_files.listed(self.file, result_files.rank_text(self.rank)) if self.rank else self.name

    @property
    def call(self):
        return result_files.PROGRAMS[self.context["program"]]

    @functools.cached_property
    def ratios(self):
        labels = {name: peer_label(name, what) for name, what in self.context["peers"].items()}
        return [
            Ratio(row, labels.get(name, name), *(side[field] for field in RATIO_FIELDS), side.get("apart", False))
            for row in self.rows
            for name, side in row.get("sides", {}).items()
            if name != "tegula" and "ratio" in side
        ]


@dataclasses.dataclass
class Ratio:
    """Time of a peer / time of Tegula in a row."""

    row: dict
    peer: str
    value: float
    low: float
    high: float
    apart: bool = False  # measured in another process


def short_names(paths):
    """The ends of the paths that tell them apart: "h200/gemm_f32"."""
    bare = [os.path.splitext(os.path.normpath(path))[0] for path in paths]
    common = os.path.commonpath([os.path.dirname(path) or "." for path in map(os.path.abspath, bare)])
    return [os.path.relpath(path, common) for path in bare]


def draw_of(context):
    """Where the shapes come from: what is asked for by hand is not what the planner chooses."""
    asked = [f"{field} {context[field]}" for field in ("family", "tile") if context[field]]
    return result_files.listed("random" if context["random_shapes"] else "listed", *asked)


def runs_of_ranks(name, results, rows):
    """A run for each rank and phase of a file, with the context of its own device."""
    for (rank, phase), some in grouped(rows, lambda row: (row["rank"], row["phase"])).items():
        who = results["ranks"][rank]
        title = result_files.listed(name, result_files.rank_text(who), phase)
        context = who.get("context") or results["context"]
        where = {"file": title, "machine": result_files.machine_of(context)}
        yield Run(title, context, [{**row, **where} for row in some], who, phase, name)


def read(paths):
    """The runs of the files, each file once; first those on the machine with the most rows."""
    paths = list({os.path.realpath(path): path for path in paths}.values())
    runs = []
    for path, name in zip(paths, short_names(paths)):
        results = result_files.load_checked(path)
        context = results["context"]
        common = {"file": name, "draw": draw_of(context), "call": result_files.PROGRAMS[context["program"]]}
        rows = [{**common, **row} for row in result_files.rows_of(results)]
        runs += runs_of_ranks(name, results, rows) if "ranks" in results else [Run(name, context, rows)]
    rows_on = {run.machine: sum(len(each.rows) for each in runs if each.machine == run.machine) for run in runs}
    calls = list(result_files.PROGRAMS.values())
    return sorted(runs, key=lambda run: (-rows_on[run.machine], run.machine, calls.index(run.call)))


def files_of(runs):
    """How many files the runs are of: one of several devices has a run for each rank and phase."""
    return len({run.file or run.name for run in runs})


APART = " (another process)"


def peer_label(name, what):
    """ "Kokkos Kernels (cuBLAS)": its gemm is what it was built with."""
    label = result_files.PEERS.get(name, name)
    if what.endswith(APART):
        return label + APART
    if name != "kokkoskernels":
        return label
    if "without a vendor" in what:
        return label + " (own)"
    found = re.search(r"with (cuBLAS)|\((\w+)\)", what)
    return f"{label} ({found[1] or found[2]})" if found else label


def ratios_of(runs):
    """Every ratio of rows that went well."""
    return [ratio for run in runs for ratio in run.ratios]


def planned_ratios(runs):
    """Those of rows that the planner chose for: a family or a tile that was asked for is not what users get."""
    return [ratio for ratio in ratios_of(runs) if not ratio.row["family"] and not ratio.row["tile"]]


def failures_of(runs):
    """(row, side, what went wrong), for rows without figures of Tegula or of a peer that was to have some."""
    for run in runs:
        for row in run.rows:
            if row["error"] is not None:
                yield row, "Tegula", row["error"]
            for name, side in row.get("sides", {}).items():
                if "failed" in side:
                    yield row, result_files.PEERS.get(name, name), side["failed"]


def place_of(ratio):
    """Where it was measured, and of which call."""
    return f"{ratio.row['machine']}, {ratio.row['call']}"


def mean_text(ratios):
    """The geometric mean, as exactly as its ratios are known."""
    return figure_of(geometric_mean([ratio.value for ratio in ratios]), ratios)


def figure_of(value, ratios):
    """A figure that stands for some ratios."""
    return result_files.coarse(value) if any(ratio.apart for ratio in ratios) else result_files.figure(value)


def grouped(items, key):
    """Lists of items by key, in the order in which keys first come."""
    groups = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups


@dataclasses.dataclass
class Summary:
    """How ratios are distributed."""

    count: int
    mean: float
    low: float  # 10 % of the ratios are below
    median: float
    high: float  # 10 % are above
    worst: Ratio
    best: Ratio
    peer_faster: int


def summary(ratios):
    values = [ratio.value for ratio in ratios]
    low, median, high = (quantile(values, part) for part in (0.1, 0.5, 0.9))
    worst, best = (choose(ratios, key=lambda ratio: ratio.value) for choose in (min, max))
    return Summary(len(values), geometric_mean(values), low, median, high, worst, best, sum(v < 1 for v in values))


def order_of_elements(text):
    """Where an element type with its way to compute stands."""
    names = list(result_files.TYPES.values())
    first = text.split(",")[0].split(" to ")[0]
    return (names.index(first) if first in names else len(names), text)
