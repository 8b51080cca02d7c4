#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares two files that tegula_gemm_perf or tegula_backward_perf wrote with --json, row by row.

The verdict is on Tegula's median times. "slower" and "faster" mean that the middle halves of the samples lie apart and
the medians by more than the threshold, or twice that where there are fewer than 8 samples. Peers are a control: Tegula
must move by that much more than they did in the row, in the median. "noise" is the change that is not enough yet. Rows
are the same measurement if program, timer, mode, family, tile, types, layouts, ops, extents and layer agree, and where
a file is of several devices, rank and phase. Of two files of another library's program, without Tegula, it is on the
times of the peer that --side names, or of the first.

Exit code: 0, 1 if a row is slower or fails, 2 if a file cannot be used or the two have no row in common.
"""

import sys

sys.dont_write_bytecode = True

import argparse  # noqa: E402
import collections  # noqa: E402
import json  # noqa: E402
import os  # noqa: E402

import comparison  # noqa: E402
import result_files  # noqa: E402
from figures import geometric_mean, percent, seconds_text  # noqa: E402
from output_files import write_whole  # noqa: E402

BAD = ("slower", "failed in new")
HEAD = ("verdict", "call", "elements", "m x n x k", "layer", "mode", "old", "new", "change", "noise", "peers")


def parsed(arguments):
    parser = argparse.ArgumentParser(
        prog="tegula_compare", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("old", help="File of the run before")
    parser.add_argument("new", help="File of the run after")
    parser.add_argument("--threshold", type=float, default=3, metavar="PERCENT", help="Least change (default: 3)")
    parser.add_argument("--side", metavar="PEER", help="Judge this peer's times, not Tegula's: of files without Tegula")
    parser.add_argument("--beside", metavar="PEER", help="Judge ratios to this peer, not times: machines may drift")
    parser.add_argument("--changed", action="store_true", help="Leave rows out of the table that are the same")
    parser.add_argument("--json", metavar="FILE", help="File for the verdicts")
    options = parser.parse_args(arguments)
    if not options.threshold >= 0:
        parser.error("--threshold is below 0")
    for option in ("beside", "side"):
        peer = getattr(options, option)
        if peer not in (None, *result_files.PEERS):
            parser.error(f"--{option}: {peer} is unknown; there are {', '.join(result_files.PEERS)}")
    if options.beside and options.side:
        parser.error("--beside judges ratios to Tegula, --side another side's times")
    return options


# --------------------------------------------------------------------------------------------------------------- output


def peers_text(line):
    peers = ", ".join(f"{result_files.PEERS.get(name, name)} {percent(factor)}" for name, factor in line.peers.items())
    return peers + (" (the machine moved)" if line.moved_with_peers() else "")


def cells(line, figure_text):
    row, change = line.row, line.change
    figures = ["", "", "", ""]
    if change:
        noise = change.noise if change.factor > 1 else 1 / change.noise
        figures = [figure_text(line.old), figure_text(line.new), percent(change.factor), percent(noise)]
    mode = result_files.listed(row["mode"], row["phase"], f"rank {row['rank']}" if row["phase"] else "")
    where = [result_files.PROGRAMS[row["program"]], row["elements"], row["case"], row["layer"], mode]
    return [line.verdict, *where, *figures, peers_text(line)]


def table(lines, figure_text):
    body = [cells(line, figure_text) for line in lines]
    widths = [max(map(len, column)) for column in zip(HEAD, *body)]
    is_figure = [title in ("old", "new", "change", "noise") for title in HEAD]
    for texts in (HEAD, *body):
        padded = (
            text.rjust(width) if is_right else text.ljust(width)
            for text, width, is_right in zip(texts, widths, is_figure)
        )
        yield "  ".join(padded).rstrip()


def run_text(name, path, results):
    context = results["context"]
    version = f"Tegula {context['version']} at {context['commit']}"
    return f"{name}: {path}: {context['date']}, {version}, {result_files.machine_of(context)}"


def counts_text(lines):
    counts = collections.Counter(line.verdict for line in lines)
    return f"{len(lines)} rows: " + ", ".join(f"{count} {verdict}" for verdict, count in counts.most_common())


def control(lines, threshold, whose):
    """What all rows did, and all peers beside them."""
    judged = [line for line in lines if line.change]
    if not judged:
        return
    mean = geometric_mean([line.change.factor for line in judged])
    yield f"{whose}: {percent(mean)} in the geometric mean of {len(judged)} rows"
    factors = collections.defaultdict(list)
    for line in judged:
        for name, factor in line.peers.items():
            factors[name].append(factor)
    for name, values in factors.items():
        peer = result_files.PEERS.get(name, name)
        yield f"{peer}, as a control: {percent(geometric_mean(values))} of {len(values)} rows"
    if not factors:
        yield f"no peer is in both files: nothing tells a slower {whose} from a slower machine"
        return
    peers = comparison.Change(geometric_mean([value for values in factors.values() for value in values]), 1 + threshold)
    moved = sum(line.moved_with_peers() for line in judged)
    if moved or peers.verdict() != "same":
        yield f"THE MACHINE MOVED: peers changed, too; in {moved} rows as much as {whose}, which count as the same"


def show(*lines):
    """Prints the lines; the exit code stays that of the verdict if nobody reads on, as behind `| head`."""
    try:
        print(*lines, sep="\n", flush=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def json_line(line):
    row = {field: line.row[field] for field in (*result_files.IDENTITY, "rank", "shape")}
    judged = {"verdict": line.verdict, "old": line.old, "new": line.new}
    change = {"factor": line.change.factor, "noise": line.change.noise} if line.change else {}
    return {**judged, **change, "peers": line.peers, "moved_with_peers": line.moved_with_peers(), **row}


def json_text(options, lines, differences):
    of_side = "seconds" if options.side is None else f"seconds of {options.side}"
    judged = of_side if options.beside is None else f"ratio to {options.beside}"
    head = {"old": options.old, "new": options.new, "threshold_percent": options.threshold, "judged": judged}
    return json.dumps({**head, "warnings": differences, "rows": [json_line(line) for line in lines]}, indent=1) + "\n"


# ----------------------------------------------------------------------------------------------------------------- main


def default_side(options, old, new):
    """Whose times are judged unless the command line says so: the first peer's where Tegula was not measured."""
    apart = [result_files.is_apart(results["context"]) for results in (old, new)]
    if apart[0] != apart[1]:
        other, own = (options.old, options.new) if apart[0] else (options.new, options.old)
        raise result_files.ResultError(
            f"{other} was measured in another process than Tegula, which {own} is of: tegula_report puts it beside"
        )
    return next(iter(new["context"]["peers"]), None) if apart[0] and not options.beside else None


def run(options):
    old, new = (result_files.load_checked(path) for path in (options.old, options.new))
    options.side = options.side or default_side(options, old, new)
    figure = comparison.ratio_to(options.beside) if options.beside else comparison.time_of(options.side or "tegula")
    threshold = options.threshold / 100
    lines = comparison.compare(old, new, figure, threshold)
    differences = list(comparison.warnings(old, new))
    warned = [f"WARNING: {difference}" for difference in differences]
    show(run_text("old", options.old, old), run_text("new", options.new, new), *warned)
    if not any(line.change or line.verdict.startswith("failed") for line in lines):
        what = f"a row with a ratio to {options.beside}" if options.beside else "a row"
        raise result_files.ResultError(f"{options.old} and {options.new} do not have {what} in common")
    shown = [line for line in lines if line.verdict != "same"] if options.changed else lines
    figure_text = "{:.3f}".format if options.beside else seconds_text
    if options.json:
        write_whole(options.json, json_text(options, lines, differences))
    whose = result_files.PEERS.get(options.side, "Tegula")
    show("", *table(shown, figure_text), "", counts_text(lines), *control(lines, threshold, whose))
    return 1 if any(line.verdict in BAD for line in lines) else 0


def main(arguments=None):
    options = parsed(arguments)
    try:
        return run(options)
    except (result_files.ResultError, OSError) as error:
        print(f"tegula_compare: {result_files.message_of(error)}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
