# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The verdict: three sentences, and the tables of ratios below them. Losses stand where gains stand."""

import result_files
import runs as of_runs
from page import Cell, table

CLEARLY = 1.05  # faster or slower by less is as fast
EXTREMES = 10  # worst and best rows in the tables

SUMMARY_HEAD = ("rows", "mean", "worst", "10 %", "50 %", "90 %", "best", "losses")


def and_listed(words):
    """ "a, b and c" """
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def text_of(row):
    return f"{row['call']} {row['elements']}, {row['case']}, {row['layer']}"


def about(ratio):
    """Two figures for a verdict; tables have more where they are sure."""
    return f"{ratio:.2g}" if ratio < 10 else f"{ratio:.0f}"


def means_text(ratios):
    """ "1.20 beside cuBLAS and 1.73 beside cuBLASLt": the peers with the most rows come first."""
    by_peer = sorted(of_runs.grouped(ratios, lambda ratio: ratio.peer).items(), key=lambda item: -len(item[1]))
    return and_listed([f"{of_runs.mean_text(some)} beside {peer}" for peer, some in by_peer])


def distinct_extremes(ratios, best):
    """The worst or best ratios, each row once, by its clearest peer."""
    ordered = sorted(ratios, key=lambda ratio: ratio.value, reverse=best)
    rows = {id(ratio.row): ratio for ratio in reversed(ordered)}
    return sorted(rows.values(), key=lambda ratio: ratio.value, reverse=best)[:EXTREMES]


def means_sentence(runs, ratios):
    machines = and_listed(list(dict.fromkeys(run.machine for run in runs)))
    rows = len({id(ratio.row) for ratio in ratios})
    return (
        "Time of the peer / time of Tegula, which is above 1 where Tegula is faster, has geometric means of "
        f"{means_text(ratios)}, over {rows} rows on {machines}."
    )


def shares_sentence(ratios):
    values = [ratio.value for ratio in ratios]
    shares = [sum(value > CLEARLY for value in values), sum(value < 1 / CLEARLY for value in values)]
    faster, slower = (100 * share / len(values) for share in shares)
    return (
        f"Of all {len(values)} ratios, Tegula is faster by more than {100 * CLEARLY - 100:.0f} % in {faster:.0f} %, "
        f"slower by more than that in {slower:.0f} %, and as fast as the peer in the other "
        f"{100 - faster - slower:.0f} %."
    )


def extremes_sentence(ratios):
    worst = distinct_extremes(ratios, False)[:3]
    texts = [f"{about(r.value)} beside {r.peer} ({text_of(r.row)}, {r.row['machine']})" for r in worst]
    best = distinct_extremes(ratios, True)[0]
    of_best = f"{about(best.value)} beside {best.peer} ({text_of(best.row)})"
    return f"The worst rows are {and_listed(texts)}; the best is {of_best}."


def in_rounds(ratios):
    """Those of peers that ran in turn with Tegula."""
    return [ratio for ratio in ratios if not ratio.apart]


def apart_sentence(ratios):
    """Of the means only: by how much a row is faster or slower is less certain than the 5 % of the other sentences."""
    return (
        f"Where the peer was measured in a process of its own, means are {means_text(ratios)}, to one decimal: such "
        "ratios are of two runs, which have met other clocks."
    )


def sentences(runs):
    ratios = of_runs.planned_ratios(runs)
    own, apart = in_rounds(ratios), [ratio for ratio in ratios if ratio.apart]
    beside = [apart_sentence(apart)] if apart else []
    if own:
        return [means_sentence(runs, own), shares_sentence(own), extremes_sentence(own), *beside]
    machines = and_listed(list(dict.fromkeys(run.machine for run in runs)))
    rows = sum(len(run.rows) for run in runs)
    nothing = [] if apart else ["No peer was measured, so that nothing is compared."]
    return [f"{rows} rows of Tegula on {machines}.", *beside, *nothing]


# --------------------------------------------------------------------------------------------------------------- tables


def ratio_cell(value, ratios):
    return Cell(of_runs.figure_of(value, ratios), "l" if value < 1 else "")


def summary_cells(ratios):
    found = of_runs.summary(ratios)
    values = (found.mean, found.worst.value, found.low, found.median, found.high, found.best.value)
    return [str(found.count), *(ratio_cell(value, ratios) for value in values), str(found.peer_faster)]


def summary_lines(ratios, key):
    """A line for every value of the key."""
    for words, some in of_runs.grouped(ratios, key).items():
        yield [*(Cell(text, "t") for text in words), *summary_cells(some)]


def by_peer(runs):
    """A line for every peer, below its machine and call."""
    lines = []
    for place, some in of_runs.grouped(of_runs.planned_ratios(runs), of_runs.place_of).items():
        lines += [place, *summary_lines(some, lambda ratio: (ratio.peer,))]
    return table(("peer", *SUMMARY_HEAD), lines)


def by_elements(runs, call):
    """Shapes drawn at random and listed ones apart, and what was asked for by hand."""
    ratios = [ratio for ratio in of_runs.ratios_of(runs) if ratio.row["call"] == call]
    ratios.sort(key=lambda ratio: of_runs.order_of_elements(ratio.row["elements"]))
    fields = ("machine", "elements", "draw", "timer", "mode")
    lines = summary_lines(ratios, lambda ratio: (*(ratio.row[field] for field in fields), ratio.peer))
    return table(("machine", "elements", "shapes", "timer", "mode", "peer", *SUMMARY_HEAD), lines)


def extremes_table(runs, best):
    planned = of_runs.planned_ratios(runs)
    ratios = distinct_extremes(in_rounds(planned) or planned, best)
    lines = (
        [
            Cell(
                result_files.ratio({"ratio": r.value, "ratio_25": r.low, "ratio_75": r.high, "apart": r.apart}),
                "l" if r.value < 1 else "",
            )
        ]
        + [Cell(text, "t w") for text in (text_of(r.row), r.peer, r.row["machine"], r.row["file"])]
        for r in ratios
    )
    return table(("ratio", "row", "peer", "machine", "file"), lines)
