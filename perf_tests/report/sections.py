# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The sections of the report, in their order: each makes one of what it is given, or none."""

import pathlib
import statistics

import apart
import plots
import prediction_plots
import result_files
import runs as of_runs
import tile_order
import tuning_files
import tuning_plots
import verdict
from figures import percent as percent_text
from figures import seconds_text
from page import Cell, Section, details, escaped, paragraph, table

CALLS = {
    "gemm": "C = act(alpha op(A) op(B) + beta C + bias), or what of it a row's layer names.",
    "gemm_backward": "The gradients dA, dB and dbias of a layer, from dC and what the forward pass saved.",
}
METHOD = (
    "Tegula and its peers run on the same data in one process, in batches of about a millisecond, in rounds whose "
    "order rotates, but for peers that are marked as of another process. Every result is checked against sums in "
    "double before it is timed.",
    "A ratio is the median over the rounds of time of the peer / time of Tegula: above 1 Tegula is faster. Means of "
    "ratios are geometric. In tables of rows a second decimal is shown if the middle half of the ratios spans less "
    "than 0.02.",
    "Timers: events, on the device around each call; graph, a batch of calls as a CUDA graph; wall, a batch between "
    "two fences. Rested: the GPU has idled before; sustained: it has run the same load.",
    "Flops are 2 m n k a product, 4 m n k for both gradients; bytes are each operand read once and each result written "
    "once. The roof is the smaller of the peak and of flops / bytes times the bandwidth of a copy. The peak is that of "
    "multiply-adds in registers unless the command names one: matrix units of double or TF32 pass it.",
    "cuBLAS alone computes the products only. cuBLAS, OpenBLAS and Kokkos Kernels add a pass for bias and activation; "
    "cuBLASLt and oneDNN fuse what they can.",
)
CARD_HEAD = ("file", "rank", "host", "PCI address", "time / median card", "change together", "verdict")
ROW_HEAD = ("m x n x k", "layer", "elements", "mode", "Tegula", "GFLOP/s", "of roof", "of copy")


# -------------------------------------------------------------------------------------------------------------- verdict


def summary(options, runs):
    ratios = of_runs.planned_ratios(runs)
    if not ratios:
        return None
    extremes = [
        f"<div><h3>{title}</h3>\n{verdict.extremes_table(runs, best)}</div>"
        for title, best in (("Worst rows", False), ("Best rows", True))
    ]
    behind = '<div class="pair extremes">' + "\n".join(extremes) + "</div>\n"
    text = (
        "Every ratio of the files to every peer. Rows for which a family or a tile was asked for by hand are left out."
    )
    return Section("Summary", paragraph(text), plots.overview_plot(runs), verdict.by_peer(runs), behind)


def failures(options, runs):
    found = list(of_runs.failures_of(runs))
    if not found:
        return None
    lines = ([Cell(text, "t") for text in (row["file"], verdict.text_of(row), side, why)] for row, side, why in found)
    return Section("Failed", paragraph("These rows have no figures.") + table(("file", "row", "side", "why"), lines))


# ---------------------------------------------------------------------------------------------------------------- plots


def call_section(call, title, runs):
    drawn = plots.ratio_plots(runs, call)
    if not drawn:
        return None
    explained = (
        "A point is a row: to the right are larger calls, above the line Tegula is faster. The legend has the "
        "geometric mean of each peer."
    )
    lines = details("By element type, shapes and timer", verdict.by_elements(runs, call))
    return Section(title, paragraph(f"{CALLS[call]} {explained}"), drawn, behind=lines)


def forward(options, runs):
    return call_section("gemm", "Forward against size", runs)


def backward(options, runs):
    return call_section("gemm_backward", "Backward against size", runs)


def roofline(options, runs):
    drawn = [plot for call in CALLS for plot in plots.roofline_plots(runs, call)]
    if not drawn:
        return None
    text = (
        "How fast each row is, and how fast it could be by the bandwidth of a copy, on the left, and by the peak of "
        "its type, on the right. Small calls lie far below: they are over before the device is busy."
    )
    return Section("Roofline", paragraph(text), drawn)


def spread(options, runs):
    drawn = plots.spread_plots(runs)
    if not drawn:
        return None
    median, slowest = max((statistics.median(ratios), name) for name, ratios in plots.spreads(runs) if ratios)
    text = (
        "Files with the same rows stand together: of several cards, ranks or runs. A card whose box lies far to the "
        "right is slow. Beside a peer that heats the card more, Tegula is slower, too. "
        f"The slowest in the median is {slowest}: {median:.2f} times the least time."
    )
    return Section("Spread over cards and runs", paragraph(text), drawn)


def cards(options, runs):
    """What files of several devices say of each card."""
    of_ranks = {(run.file, run.rank["rank"]): run.rank for run in runs if run.rank}
    if not of_ranks:
        return None
    text = (
        "Of each card its time / that of the median card of its file, in the geometric mean of Tegula's rows: alone, "
        "while the others of its node waited, and together with them; and what it keeps of its speed when all run at "
        "once. A card is slow if in most rows it lies beyond the median card by more than the limit and the noise."
    )
    return Section("Cards", paragraph(text) + table(CARD_HEAD, map(card_cells, of_ranks, of_ranks.values())))


def card_cells(file_and_rank, rank):
    card = rank.get("card", {})
    times = [f"{place} {factor:.3f}" for place, factor in card.get("time_over_median_card", {}).items()]
    kept = card.get("kept_speed")
    verdict_text = result_files.listed("slow" if card.get("is_slow") else "", rank["failure"] or "")
    where = [Cell(text, "t") for text in (file_and_rank[0], str(rank["rank"]), rank["host"], rank["pci"])]
    return [*where, Cell(", ".join(times), "t"), "" if kept is None else percent_text(kept), Cell(verdict_text, "t w")]


def predictions(options, runs):
    if not options.ways:
        return None
    drawn = [plot for path in options.ways for plot in prediction_plots.prediction_plots(pathlib.Path(path).stem, path)]
    text = (
        "A way is a kernel with a tile and a split of the inner dimension. The planner takes the one with the shortest "
        "predicted time, so that it must tell those apart that are nearly the best."
    )
    return Section("Predicted and measured", paragraph(text), drawn)


def tuning(options, runs):
    if not options.tuning:
        return None
    entries = tuning_files.read(options.tuning)
    versions = {run.context["version"] for run in runs}
    own_version = versions.pop() if len(versions) == 1 else None  # entries of others name theirs
    text = (
        "tegula_tune measures the ways to compute a call and takes the fastest. The gain is the time of the way that "
        "the planner takes by itself / the time of the tuned way: 1 where nothing beat the planner's own way clearly. "
    )
    drawn = list(tuning_plots.tuning_plots(entries, own_version))
    largest = tuning_plots.largest_table(entries, own_version)
    behind = f"<h3>Largest gains</h3>\n{largest}" if largest else ""
    behind += "<h3>All calls</h3>\n" + "".join(tuning_plots.calls_tables(entries, own_version))
    return Section("What tuning gains", paragraph(text + tuning_plots.words(entries)), drawn, behind=behind)


def tiles(options, runs):
    tool = tile_order.program()
    if tool is None:
        if options.tile_order:
            raise result_files.ResultError("--tile-order: there is no tegula_tile_order beside this script or in PATH")
        return None
    plan = tile_order.orders(tool, options.tile_order or tile_order.EXAMPLE)
    return Section("Order of tiles", paragraph(tile_order.words(plan)), tile_order.pictures(plan))


# ----------------------------------------------------------------------------------------------------------------- rows


def percent(value):
    return "" if value is None else f"{value:.0f} %"


def side_cell(side):
    if "ratio" in side:
        return Cell(result_files.ratio(side), "l" if side["ratio"] < 1 else "")
    return "failed" if "failed" in side else ""


def row_cells(row, peers):
    where = [Cell(row[field], "t") for field in ("case", "layer", "elements", "mode")]
    if row["error"] is not None:
        return [*where, "failed", "", "", "", *("" for _ in peers), Cell("", "t")]
    tegula = row["sides"]["tegula"]
    figures = [seconds_text(tegula["seconds"]), result_files.figure(tegula["gflops"])]
    figures += [percent(row["roof_percent"]), percent(row["copy_percent"])]
    path = tegula.get("path", "").removeprefix("Tegula::")
    return [*where, *figures, *(side_cell(row["sides"].get(peer, {})) for peer in peers), Cell(path, "t")]


def rows_of_run(run):
    peers = list(run.context["peers"])
    labels = [of_runs.peer_label(name, run.context["peers"][name]) for name in peers]
    lines = table((*ROW_HEAD, *labels, "kernels"), (row_cells(row, peers) for row in run.rows))
    return details(f"{run.name}: {run.call}, {run.machine}, {len(run.rows)} rows", lines)


def all_rows(options, runs):
    text = (
        "Times of Tegula, and ratios to each peer, file by file. What a peer does not compute is left empty. Lists are "
        "printed if they are open."
    )
    return Section("All rows", paragraph(text) + "".join(map(rows_of_run, runs)))


# --------------------------------------------------------------------------------------------------------------- method

FACTS = {
    "measured": lambda context: context["date"],
    "Tegula": lambda context: f"{context['version']} at {context['commit']}",
    "build": lambda context: context["build"],
    "Kokkos": lambda context: f"{context['kokkos']}, {context['execution_space']}",
    "device": lambda context: context["device"],
    "driver": lambda context: context.get("driver", ""),
    "CUDA": lambda context: ", ".join(f"{k[5:]} {context[k]}" for k in sorted(context) if k.startswith("cuda_")),
    "power limit": lambda context: f"{context['power_limit_w']} W" if "power_limit_w" in context else "",
    "at the start": lambda context: moment(context.get("start", {})),
    "at the end": lambda context: moment(context.get("end", {})),
    "governor": lambda context: context.get("governor", ""),
    "threads": lambda context: "" if "cuda_runtime" in context else str(context["concurrency"]),
    "peers": lambda context: "; ".join(dict.fromkeys(context["peers"].values())),
    "timer, modes": lambda context: result_files.listed(context["timer"], context.get("modes", "")),
    "bandwidth": lambda context: f"{context['bandwidth_gbs']:.0f} GB/s",
}


def moment(facts):
    return ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in facts.items())


def facts_of(run):
    texts = {name: text(run.context) for name, text in FACTS.items()}
    lines = "".join(f"<dt>{name}<dd>{escaped(text)}" for name, text in texts.items() if text)
    return details(run.name, f"<dl>{lines}</dl>\n")


def commands(runs):
    lines = (f"<li><b>{escaped(run.name)}</b> <code>{escaped(run.context['command_line'])}</code>" for run in runs)
    return '<ul class="commands">' + "\n".join(lines) + "</ul>\n"


def versions(runs):
    """What the files have in common, each thing once."""
    names = ("Tegula", "build", "Kokkos", "device", "driver", "CUDA", "power limit", "peers")
    texts = {name: dict.fromkeys(FACTS[name](run.context) for run in runs) for name in names}
    lines = "".join(
        f"<dt>{name}<dd>" + "<br>".join(map(escaped, filter(None, some))) for name, some in texts.items() if any(some)
    )
    return f"<dl>{lines}</dl>\n"


def method(options, runs):
    parts = [*map(paragraph, METHOD), "<h3>Versions</h3>\n", versions(runs), "<h3>Commands</h3>\n", commands(runs)]
    parts.append(details("All that each file says of its run", "".join(map(facts_of, runs))))
    return Section("Method and versions", "".join(parts))


SECTIONS = (summary, failures, forward, backward, apart.section, roofline, spread, cards, predictions, tuning, tiles)
SECTIONS += (all_rows, method)
