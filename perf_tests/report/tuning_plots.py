# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What tuning gains: plots and tables of the entries of tuning files."""

import result_files
import runs as of_runs
from figures import geometric_mean, seconds_text
from gnuplot import quoted, style
from page import Cell, details, table
from plots import file_name, framed, heading, ratio_axis
from prediction_plots import NEAR, within
from result_files import listed

LARGEST = 10  # gains in the table
GAIN_TICS = (
    (1.3, (0.9, 0.95, 1, 1.05, 1.1, 1.15, 1.2, 1.25, 1.3)),  # the tics of axes that end there
    (2.5, (0.5, 0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.4, 1.6, 1.8, 2, 2.5)),
    (10, (0.2, 0.5, 0.7, 1, 1.5, 2, 3, 4, 5, 7, 10)),
)
HEAD = ("gain", "call", "planner's own way", "its time", "tuned way", "its time", "ways")
FUNCTIONS = list(result_files.PROGRAMS.values())


def by_device(entries):
    return of_runs.grouped(entries, lambda entry: entry.device)


def series_of(entries, own_version):
    """By what the legend calls them: functions, and versions of the library that are not `own_version`, by themselves:
    a call that two versions have counts once in each mean."""
    groups = of_runs.grouped(entries, lambda entry: (entry.version != own_version, entry.version, entry.function))
    for key in sorted(groups, key=lambda key: (*key[:2], FUNCTIONS.index(key[2]))):
        yield listed(key[2], f"Tegula {key[1]}" if key[0] else ""), groups[key]


def stayed_text(entries):
    """The share of calls in which the planner's own way stayed."""
    return f"{100 * sum(entry.stayed for entry in entries) / len(entries):.0f} %"


def mean_gain(entries):
    return geometric_mean([entry.gain for entry in entries])


def gain_axis(gains):
    """Logarithmic, from a little below 1: tuning makes nothing slower, where the file is as tegula_tune wrote it."""
    low, high = min(0.97, min(gains) / 1.03), max(1.12, max(gains) ** 1.06)
    shown = next((tics for end, tics in GAIN_TICS if high <= end), None)
    if shown is None:
        return ratio_axis("y", gains)
    tics = ", ".join(f'"{tic:g}" {tic}' for tic in shown if low <= tic <= high)
    return ["set logscale y", f"set yrange [{low}:{high}]", f"set ytics ({tics})"]


def plot_of(kind, device, words, caption, script, series, point, ylabel):
    """A point for each entry of each series, (title, entries)."""
    data, curves = {}, []
    for number, (title, entries) in enumerate(series):
        data[f"d{number}"] = ["{:.6g} {:.6g}".format(*point(entry)) for entry in entries]
        curves.append(f"$d{number} using 1:2 with points {style(number)} ps 0.5 title {quoted(title)}")
    script = [
        heading(*device),
        "set logscale x",
        'set format x "10^{%L}"',
        *script,
        "set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb '#333333' lw 1.5",
    ]
    name, title = file_name("tuning", kind, device[0]), f"{device[0]}: {words}"
    return framed(name, title, caption, script, data, curves, ylabel, lines=2)


def gain_plot(device, entries, own_version):
    series = []
    for words, some in series_of(entries, own_version):
        figures = f"{mean_gain(some):.3f} ({len(some)} calls, own way stayed in {stayed_text(some)})"
        series.append((f"{words}: {figures}", some))
    script = ['set xlabel "flops of a call"', *gain_axis([entry.gain for entry in entries])]
    caption = "On the line the planner's own way stayed."
    ylabel = "time of own way / time of tuned way"
    # A call without a product has no flops, and an axis of powers of ten no place for that.
    return plot_of(
        "gain", device, "gains", caption, script, series, lambda entry: (max(1, entry.flops), entry.gain), ylabel
    )


def prediction_plot(device, entries, own_version):
    """Of the planner's own ways: predicted against measured time; None where nothing was predicted."""
    entries = [entry for entry in entries if entry.predicted > 0]
    if not entries:
        return None

    def point(entry):
        return 1e6 * entry.model_seconds, entry.predicted / entry.model_seconds

    series = []
    for words, some in series_of(entries, own_version):
        share = 100 * within([point(entry)[1] for entry in some], NEAR)
        series.append((f"{words}: {len(some)} calls, {share:.0f} % within {NEAR}", some))
    ratios = [point(entry)[1] for entry in entries]
    script = ['set xlabel "measured time (microseconds)"', *ratio_axis("y", ratios)]
    caption = "The planner's own ways: above the line the model expects too long a time, below too short a one."
    return plot_of(
        "predicted", device, "predictions", caption, script, series, point, "predicted time / measured time"
    )


def tuning_plots(entries, own_version):
    for device, some in by_device(entries).items():
        for make in (gain_plot, prediction_plot):
            plot = make(device, some, own_version)
            if plot:
                yield plot


# --------------------------------------------------------------------------------------------------------------- tables


def device_text(device):
    return f"{device[0]} ({device[1]})"


def gain_cell(gain):
    return Cell(f"{gain:.2f}", "l" if gain < 1 else "")


def cells(entry, own_version):
    version = f"Tegula {entry.version}" if entry.version != own_version else ""
    ways = [Cell(entry.model_way, "t w"), seconds_text(entry.model_seconds)]
    ways += [Cell("the same" if entry.stayed else entry.way, "t w"), seconds_text(entry.seconds)]
    return [gain_cell(entry.gain), Cell(listed(entry.call, version), "t w"), *ways, str(entry.ways)]


def largest_table(entries, own_version):
    """The largest gains, device by device; None if the planner's own way stayed everywhere."""
    lines = []
    for device, some in by_device(entries).items():
        changed = sorted((entry for entry in some if not entry.stayed), key=lambda entry: -entry.gain)
        if changed:
            lines += [device_text(device), *(cells(entry, own_version) for entry in changed[:LARGEST])]
    return f'<div class="tuning">{table(HEAD, lines)}</div>\n' if lines else None


def calls_tables(entries, own_version):
    """All calls, those with the largest gains first, and what was measured how."""
    for device, some in by_device(entries).items():
        commits = " and ".join(dict.fromkeys(f"{entry.version} at {entry.commit}" for entry in some))
        methods = "; ".join(dict.fromkeys(entry.method for entry in some))
        title = f"{device_text(device)}: {len(some)} calls, Tegula {commits}, {methods}"
        ordered = sorted(some, key=lambda entry: (-entry.gain, entry.flops))
        lines = table(HEAD, (cells(entry, own_version) for entry in ordered))
        yield details(title, f'<div class="tuning">{lines}</div>\n')


def words(entries):
    """How many calls on how many devices, and what tuning them gained at most: two sentences."""
    devices = len(by_device(entries))
    on = f"on {devices} devices" if devices > 1 else f"on {entries[0].device[0]}"
    best = max(entries, key=lambda entry: entry.gain)
    text = f"{len(entries)} calls were tuned {on}. The planner's own way stayed in {stayed_text(entries)} of them"
    if best.stayed:
        return text + "."
    return f"{text}; the largest gain is {result_files.figure(best.gain)}: {best.call}."
