# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The verdict: three sentences, and the tables of ratios below them. Losses stand where gains stand."""

import result_files
import runs as of_runs
from figures import geometric_mean
from page import Cell, table

CLEARLY = 1.05  # faster or slower by less is as fast
EXTREMES = 10  # worst and best rows in the tables

SUMMARY_HEAD = ("rows", "mean", "10 %", "50 %", "90 %", "worst", "best", "peer faster")


def and_listed(words):
    """ "a, b and c" """
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def text_of(row):
    where = result_files.PROGRAMS[row["program"]], row["elements"], row["case"], row["layer"]
    return f"{' '.join(where[:2])}, {where[2]}, {where[3]}"


def about(ratio):
    """Two figures for a verdict; tables have more where they are sure."""
    return f"{ratio:.2g}" if ratio < 10 else f"{ratio:.0f}"


def planned_ratios(runs):
    return [ratio for ratio in of_runs.ratios_of(runs) if of_runs.is_planned(ratio.row)]


def distinct_extremes(ratios, best):
    """The worst or best ratios, each row once, by its clearest peer."""
    ordered = sorted(ratios, key=lambda ratio: ratio.value, reverse=best)
    rows = {id(ratio.row): ratio for ratio in reversed(ordered)}
    return sorted(rows.values(), key=lambda ratio: ratio.value, reverse=best)[:EXTREMES]


def means_sentence(runs, ratios):
    machines = and_listed(list(dict.fromkeys(run.machine for run in runs)))
    by_peer = of_runs.grouped(ratios, lambda ratio: ratio.peer)
    means = [f"{geometric_mean([ratio.value for ratio in some]):.2f} of {peer}" for peer, some in by_peer.items()]
    rows = len({id(ratio.row) for ratio in ratios})
    return f"In {rows} rows on {machines}, time of the peer / time of Tegula is in the geometric mean {and_listed(means)}."


def shares_sentence(ratios):
    values = [ratio.value for ratio in ratios]
    shares = [sum(value > CLEARLY for value in values), sum(value < 1 / CLEARLY for value in values)]
    faster, slower = (100 * share / len(values) for share in shares)
    return (
        f"Of all {len(values)} ratios, Tegula is faster by more than {100 * CLEARLY - 100:.0f} % in {faster:.0f} %, slower "
        f"by more than that in {slower:.0f} %, and as fast as the peer in the other {100 - faster - slower:.0f} %."
    )


def extremes_sentence(ratios):
    worst = distinct_extremes(ratios, False)[:3]
    texts = [f"{about(ratio.value)} of {ratio.peer} ({text_of(ratio.row)}, {ratio.row['machine']})" for ratio in worst]
    best = distinct_extremes(ratios, True)[0]
    return f"The worst rows have {and_listed(texts)}; the best has {about(best.value)} of {best.peer} ({text_of(best.row)})."


def sentences(runs):
    ratios = planned_ratios(runs)
    if ratios:
        return [means_sentence(runs, ratios), shares_sentence(ratios), extremes_sentence(ratios)]
    machines = and_listed(list(dict.fromkeys(run.machine for run in runs)))
    rows = sum(len(run.rows) for run in runs)
    return [f"{rows} rows of Tegula on {machines}.", "No peer was measured, so that nothing is compared."]


# --------------------------------------------------------------------------------------------------------------- tables


def ratio_cell(value):
    return Cell(result_files.figure(value), "l" if value < 1 else "")


def summary_cells(ratios):
    found = of_runs.summary(ratios)
    values = (found.mean, found.low, found.median, found.high, found.worst.value, found.best.value)
    return [str(found.count), *map(ratio_cell, values), str(found.peer_faster)]


def summary_table(ratios, titles, key):
    """A line for every value of the key."""
    lines = of_runs.grouped(ratios, key).items()
    return table((*titles, *SUMMARY_HEAD), ([*(Cell(text, "t") for text in words), *summary_cells(some)] for words, some in lines))


def by_peer(runs):
    program = result_files.PROGRAMS
    return summary_table(
        planned_ratios(runs),
        ("machine", "call", "peer"),
        lambda ratio: (ratio.row["machine"], program[ratio.row["program"]], ratio.peer),
    )


def by_elements(runs, call):
    """Shapes drawn at random and listed ones apart, and what was asked for by hand."""
    ratios = [ratio for ratio in of_runs.ratios_of(runs) if result_files.PROGRAMS[ratio.row["program"]] == call]
    ratios.sort(key=lambda ratio: of_runs.order_of_elements(ratio.row["elements"]))
    fields = ("machine", "elements", "draw", "timer", "mode")
    return summary_table(
        ratios,
        ("machine", "elements", "shapes", "timer", "mode", "peer"),
        lambda ratio: (*(ratio.row[field] for field in fields), ratio.peer),
    )


def extremes_table(runs, best):
    ratios = distinct_extremes(planned_ratios(runs), best)
    lines = (
        [Cell(result_files.ratio({"ratio": r.value, "ratio_25": r.low, "ratio_75": r.high}), "l" if r.value < 1 else "")]
        + [Cell(text, "t") for text in (r.peer, r.row["machine"], text_of(r.row), r.row["file"])]
        for r in ratios
    )
    return table(("ratio", "peer", "machine", "row", "file"), lines)
