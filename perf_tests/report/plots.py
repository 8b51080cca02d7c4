# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The plots of rows: ratios to peers, roofline, spread over cards.

Each function returns plots; what cannot be drawn from the runs at hand yields none.
"""

import math
import re
import statistics

import gnuplot
import runs as of_runs
from figures import quantile
from gnuplot import Plot, bold, escaped, quoted, style
from result_files import IDENTITY, TYPES, elements_of

# The same peer looks the same in every plot; those of GPUs and of hosts do not meet.
PEER_STYLES = {
    **{"cuBLAS alone": 0, "cuBLASLt": 1, "cuBLAS": 2, "Kokkos Kernels (own)": 3, "Kokkos Kernels (cuBLAS)": 4},
    **{f"{name}{of_runs.APART}": number for name, number in (("PyTorch", 5), ("PyTorch compiled", 6), ("Triton", 4))},
    **{"OpenBLAS": 0, "oneDNN": 1, "Kokkos Kernels": 2, "Kokkos Kernels (OpenBLAS)": 3},
}
RATIO_TICS = [value * 10**power for power in range(-3, 4) for value in (1, 2, 5)]

COMMON = (
    "set border 3 lc rgb '#555555'",
    "set tics nomirror out scale 0.6",
    "set grid lc rgb '#dddddd' lw 0.5",
)


def file_name(*words):
    return re.sub(r"[^a-z0-9]+", "_", " ".join(words).lower()).strip("_")


def heading(first, *rest):
    """A title, its first line bold."""
    return f"set title {bold(first)[:-1]}" + "".join("\\n" + escaped(line) for line in rest) + '"'


def framed(name, title, caption, script, data, curves, ylabel="", width=480, area=300, left=66, lines=1, columns=1):
    """A plot of `area` pixels below a title of so many lines and above its legend: its margins are set in pixels, since
    what gnuplot makes of long names leaves no room for the rest."""
    top, line = 16 + 19 * lines, 20
    legend = line * math.ceil(sum(" notitle" not in curve for curve in curves) / columns)
    bottom = 56 + legend + 6
    height = top + area + bottom
    frame = [
        *COMMON,
        f"set lmargin at screen {left / width:.4f}",
        f"set rmargin at screen {1 - 18 / width:.4f}",
        f"set tmargin at screen {1 - top / height:.4f}",
        f"set bmargin at screen {bottom / height:.4f}",
        "set title offset 0,-0.4",
        "set xlabel offset 0,0.5",
        f"set label {quoted(ylabel)} at screen {14 / width:.4f}, graph 0.5 center rotate by 90",
        f"set key at screen {10 / width:.4f}, screen {4 / height:.4f} left bottom Left reverse vertical",
        f"set key maxrows {math.ceil(legend / line)} samplen 1 width -1 font ',12' spacing 1.05",
    ]
    return Plot(name, title, caption, [*frame, *script, "plot " + ", ".join(curves)], data, width, height)


def ratio_axis(axis, values):
    """A logarithmic axis that has 1 in its midst, with tics that a reader knows."""
    low, high = min(0.5, min(values) / 1.1), max(2, max(values) * 1.1)
    tics = ", ".join(f'"{tic:g}" {tic}' for tic in RATIO_TICS if low <= tic <= high)
    return [f"set logscale {axis}", f"set {axis}range [{low}:{high}]", f"set {axis}tics ({tics})"]


def text_axis(lines):
    """Pixels for lines of text beside the plot, from top to bottom, and the script for them. Headings, which have no
    figures, are bold and begin at the left."""
    left = 24 + max(round(6.5 * len(text)) for _, (text, figures) in lines if figures)
    tics = ", ".join(f"{quoted(text)} {-place}" for place, (text, figures) in lines if figures)
    script = [f"set yrange [{-len(lines) + 0.3}:0.7]", f"set ytics scale 0 ({tics}) font ',11'"]
    for place, (text, figures) in lines:
        if not figures:
            script.append(f"set label {bold(text)} at screen 0.01, first {-place} font ',12' front")
    return left, script


# --------------------------------------------------------------------------------------------------------------- ratios


def ratio_plot(machine, call, elements, ratios):
    """Ratios to each peer against the flops of a call."""
    by_peer = of_runs.grouped(ratios, lambda ratio: ratio.peer)
    data, curves = {}, []
    for number, (peer, of_peer) in enumerate(by_peer.items()):
        data[f"d{number}"] = [f"{ratio.row['flops']} {ratio.value:.5g}" for ratio in of_peer]
        title = quoted(f"{peer}: {of_runs.mean_text(of_peer)} ({len(of_peer)} rows)")
        look = style(PEER_STYLES.get(peer, 5 + number))
        curves.append(f"$d{number} using 1:2 with points {look} ps 0.5 title {title}")
    script = [
        heading(f"{machine}, {call}, {elements}"),
        "set logscale x",
        'set format x "10^{%L}"',
        'set xlabel "flops of a call"',
        *ratio_axis("y", [ratio.value for ratio in ratios]),
        "set object 1 rectangle from graph 0, graph 0 to graph 1, first 1 behind fc rgb '#f1ece4' fs solid noborder",
        "set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb '#333333' lw 1.5",
    ]
    caption = "In the shade the peer is faster."
    name = file_name("ratio", machine, call, elements)
    ylabel = "time of the peer / time of Tegula"
    return framed(name, f"{call}, {elements}: ratio to peers", caption, script, data, curves, ylabel)


def ratio_plots(runs, call):
    here = [ratio for ratio in of_runs.planned_ratios(runs) if ratio.row["call"] == call]
    groups = of_runs.grouped(here, lambda ratio: (ratio.row["machine"], ratio.row["elements"]))
    machines = list(dict.fromkeys(machine for machine, _ in groups))
    place = {key: (machines.index(key[0]), of_runs.order_of_elements(key[1])) for key in groups}
    return [ratio_plot(key[0], call, key[1], groups[key]) for key in sorted(groups, key=place.get)]


# ------------------------------------------------------------------------------------------------------------- overview


def overview_lines(ratios):
    """Lines from top to bottom: (text, summary), and headings without a summary."""
    for place, of_call in of_runs.grouped(ratios, of_runs.place_of).items():
        yield place, None
        for peer, of_peer in of_runs.grouped(of_call, lambda ratio: ratio.peer).items():
            yield f"{peer} ({len(of_peer)})", of_runs.summary(of_peer)


def overview_plot(runs):
    """For each machine, call and peer: mean, middle 80 %, worst and best."""
    ratios = of_runs.planned_ratios(runs)
    if not ratios:
        return []
    lines = list(enumerate(overview_lines(ratios)))
    left, texts = text_axis(lines)
    figures = [(-place, each) for place, (_, each) in lines if each]
    data = {
        "range": [f"{s.mean:.4g} {y} {s.low:.4g} {s.high:.4g}" for y, s in figures],
        "ends": [f"{end.value:.4g} {y}" for y, s in figures for end in (s.worst, s.best)],
        "gain": [f"{s.mean:.4g} {y}" for y, s in figures if s.mean >= 1] or ["NaN NaN"],
        "loss": [f"{s.mean:.4g} {y}" for y, s in figures if s.mean < 1] or ["NaN NaN"],
    }
    script = [
        heading("Time of the peer / time of Tegula"),
        *ratio_axis("x", [each.value for _, s in figures for each in (s.worst, s.best)]),
        "set xlabel 'left of the line the peer is faster'",
        "unset grid",
        "set grid xtics lc rgb '#dddddd' lw 0.5",
        *texts,
        "set object 1 rectangle from graph 0, graph 0 to first 1, graph 1 behind fc rgb '#f1ece4' fs solid noborder",
        "set arrow 1 from first 1, graph 0 to first 1, graph 1 nohead lc rgb '#333333' lw 1.5",
    ]
    curves = [
        "$range using 1:2:3:4 with xerrorbars pt 0 lw 3 lc rgb '#9fb8cc' title '10 % to 90 % of the rows'",
        "$ends using 1:2 with points pt 2 ps 0.5 lc rgb '#777777' title 'worst and best row'",
        f"$gain using 1:2 with points {style(0)} ps 0.9 title 'geometric mean, Tegula faster'",
        "$loss using 1:2 with points pt 9 ps 1.1 lc rgb '#d55e00' title 'geometric mean, peer faster'",
    ]
    caption = "All rows that the planner chose for, by machine, call and peer; in brackets how many."
    looks = {"width": left + 280, "area": 19 * len(lines), "left": left, "columns": 2}
    return [framed("overview", "Ratios to all peers", caption, script, data, curves, **looks)]


# ------------------------------------------------------------------------------------------------------------- roofline


def roofs(runs):
    """Bandwidth of a copy and the peak of each type, in GFLOP/s and GB/s: medians over the runs."""
    bandwidth = statistics.median([run.context["bandwidth_gbs"] for run in runs])
    peaks = {}
    for run in runs:
        for element, peak in run.context["peak_gflops"].items():
            peaks.setdefault(element, []).append(peak)
    return bandwidth, {element: statistics.median(values) for element, values in peaks.items()}


def rate(giga, unit):
    """ "989 TFLOP/s" """
    return f"{giga / 1e3:.3g} T{unit}" if giga >= 1e3 else f"{giga:.3g} G{unit}"


def element_style(text):
    """The same type looks the same in every plot."""
    words = [*TYPES.values(), "float, tf32", "float, fp32_split", "half_t to float", "bhalf_t to float"]
    return words.index(text) if text in words else len(words)


def roofline_plot(machine, call, runs):
    rows = [row for run in runs for row in run.rows if row["error"] is None]
    bandwidth, peaks = roofs(runs)
    intensity = [row["flops"] / row["bytes"] for row in rows]
    low, high = min(intensity) / 1.5, max(intensity) * 1.5
    top = max(peaks.values(), default=bandwidth * high)
    ridge = min(high, top / bandwidth)
    data = {"copy": [f"{low} {low * bandwidth}", f"{ridge} {ridge * bandwidth}"]}
    curves = ["$copy with lines lw 1.5 lc rgb '#555555' title " + quoted(f"copy, {rate(bandwidth, 'B/s')}")]
    for number, (element, peak) in enumerate(peaks.items()):
        data[f"peak{number}"] = [f"{max(low, peak / bandwidth)} {peak}", f"{high} {peak}"]
        name = elements_of({"type": element, "compute": "native"})
        colour = gnuplot.COLOURS[element_style(name) % len(gnuplot.COLOURS)]
        title = quoted(f"peak, {name}, {rate(peak, 'FLOP/s')}")
        curves.append(f"$peak{number} with lines lw 1.5 lc rgb '{colour}' title {title}")
    by_elements = of_runs.grouped(rows, lambda row: row["elements"])
    for number, elements in enumerate(sorted(by_elements, key=of_runs.order_of_elements)):
        of_elements = by_elements[elements]
        figures = ((row["flops"] / row["bytes"], row["sides"]["tegula"]["gflops"]) for row in of_elements)
        data[f"d{number}"] = [f"{x:.5g} {y:.5g}" for x, y in figures]
        title = quoted(f"{elements} ({len(of_elements)} rows)")
        curves.append(f"$d{number} with points {style(element_style(elements))} ps 0.5 title {title}")
    script = [
        heading(f"{machine}, {call}"),
        "set logscale xy",
        f"set xrange [{low}:{high}]",
        'set format "10^{%L}"',
        'set xlabel "arithmetic intensity (flops / byte)"',
    ]
    caption = "Every row, below the bandwidth of a copy and the peaks that the files name."
    looks = {"ylabel": "speed of Tegula (GFLOP/s)", "area": 320, "columns": 2}
    return framed(file_name("roofline", machine, call), f"{call}: roofline", caption, script, data, curves, **looks)


def roofline_plots(runs, call):
    here = [run for run in runs if run.call == call and any(row["error"] is None for row in run.rows)]
    return [roofline_plot(machine, call, some) for machine, some in of_runs.grouped(here, lambda r: r.machine).items()]


# --------------------------------------------------------------------------------------------------------------- spread


def row_key(row):
    return tuple(row[field] for field in IDENTITY)


def spreads(runs):
    """Lines from top to bottom: (text, ratios), and headings without ratios. Runs of the same rows stand together; a
    run's ratios are its times over the least time of the same row in any of them."""
    for same in of_runs.grouped(runs, lambda run: frozenset(map(row_key, run.rows))).values():
        if len(same) > 1:
            yield from spread_of(same)


def seconds_of(run):
    """Tegula's times by row."""
    return {row_key(row): row["sides"]["tegula"]["seconds"] for row in run.rows if row["error"] is None}


def spread_of(same):
    times = [seconds_of(run) for run in same]
    least = {key: min(some[key] for some in times if key in some) for key in set().union(*times)}
    found = [(run, [seconds / least[key] for key, seconds in some.items()]) for run, some in zip(same, times) if some]
    machines = dict.fromkeys(run.machine for run in same)
    is_one = len(machines) == 1
    phase = [same[0].phase] if same[0].phase else []
    yield ", ".join([same[0].call, f"{len(least)} rows", *phase, *(machines if is_one else ())]), None
    for run, ratios in sorted(found, key=lambda of_run: statistics.median(of_run[1])):
        yield run.card if is_one else f"{run.card}, {run.machine}", ratios


def spread_plots(runs):
    lines = list(enumerate(spreads(runs)))
    found = [(-place, values) for place, (_, values) in lines if values]
    if not found:
        return []
    left, texts = text_axis(lines)
    data = {"box": [], "ends": []}
    for y, values in found:
        low, median, high = (quantile(values, part) for part in (0.25, 0.5, 0.75))
        data["box"].append(f"{median:.5g} {y} {low:.5g} {high:.5g} {y - 0.3} {y + 0.3}")
        data["ends"].append(f"{median:.5g} {y} {min(values):.5g} {max(values):.5g}")
    most = max(max(values) for _, values in found)
    script = [
        heading("Time / time of the fastest card or run"),
        "set xlabel 'of the same row (1: as fast as the fastest)'",
        f"set xrange [0.98:{max(1.1, 1.03 * most)}]",
        *texts,
        "set style fill solid 0.35",
    ]
    curves = [
        "$ends using 1:2:3:4 with xerrorbars pt 0 lw 1 lc rgb '#555555' title 'least to most'",
        "$box using 1:2:3:4:5:6 with boxxyerror lc rgb '#0072b2' title 'middle half'",
        "$box using 1:2 with points pt 5 ps 0.5 lc rgb '#d55e00' title 'median'",
    ]
    caption = "Rows that several files have: each file's times over the shortest time of the same row."
    looks = {"width": left + 280, "area": 19 * len(lines), "left": left, "columns": 3}
    return [framed("spread", "Spread over cards and runs", caption, script, data, curves, **looks)]
