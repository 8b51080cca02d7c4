#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a report of files that tegula_gemm_perf, tegula_backward_perf or programs of other libraries wrote with --json.

The folder --output gets index.html, which needs no other file, and each plot as SVG and PNG in plots/. gnuplot draws.
What is written is written when all of it is there: an earlier report stays until then.

Exit code: 0, or 2 if a file cannot be used or something cannot be drawn.
"""

import sys

sys.dont_write_bytecode = True

import argparse  # noqa: E402
import gc  # noqa: E402
import os  # noqa: E402
import pathlib  # noqa: E402
import re  # noqa: E402
import tempfile  # noqa: E402

import apart  # noqa: E402
import gnuplot  # noqa: E402
import page  # noqa: E402
import runs as of_runs  # noqa: E402
import sections  # noqa: E402
import verdict  # noqa: E402
from result_files import ResultError, message_of  # noqa: E402

TITLE = "Tegula beside its peers"
ABOUT = (
    "Tegula is a Kokkos package of fused GEMM: products of dense matrices with bias and activation, and their "
    "gradients. This page shows how fast it is beside other libraries, as measured by its own programs."
)
NUMBERS = ("M", "N", "K", "TILE_M", "TILE_N", "TILE_K", "GROUP", "TEAMS")


def parsed(arguments):
    parser = argparse.ArgumentParser(
        prog="tegula_report", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="+", metavar="results.json", help="Files with results")
    parser.add_argument("--output", default="tegula-report", metavar="FOLDER", help="default: tegula-report")
    parser.add_argument("--ways", action="append", default=[], metavar="CSV", help="What tegula_regret --csv wrote")
    parser.add_argument(
        "--tuning", nargs="+", action="extend", default=[], metavar="FILE", help="What tegula_tune --output wrote"
    )
    parser.add_argument(
        "--tile-order",
        nargs=8,
        metavar=NUMBERS,
        help="Plan whose order of tiles is drawn; group 0: the best one (default: 9 x 9 tiles, of which 9 run at once)",
    )
    return parser.parse_args(arguments)


def introduction(runs):
    sentences = "".join(page.paragraph(sentence) for sentence in verdict.sentences(runs))
    dates = sorted(each.context["date"][:10] for each in runs)
    commits = len({each.context["commit"] for each in runs})
    of_commits = f"{commits} commits of Tegula" if commits > 1 else f"Tegula at {runs[0].context['commit']}"
    when = f"{of_runs.files_of(runs)} files, measured from {dates[0]} to {dates[-1]} with {of_commits}: see Method and versions."
    return page.paragraph(ABOUT) + f'<div class="verdict">\n{sentences}</div>\n' + page.paragraph(when)


def earlier_plots(output):
    """The files of plots that an earlier report names."""
    try:
        text = (output / "index.html").read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return set()
    return (
        set(re.findall(r'href="plots/([a-z0-9_]+\.(?:svg|png))"', text)) if 'content="tegula_report"' in text else set()
    )


def publish(built, output):
    """Moves a report to its place, plots first, and drops plots of an earlier one that this one does not have."""
    stale = earlier_plots(output)
    (output / "plots").mkdir(parents=True, exist_ok=True)
    for path in sorted((built / "plots").iterdir()):
        os.replace(path, output / "plots" / path.name)
        stale.discard(path.name)
    os.replace(built / "index.html", output / "index.html")
    for name in stale:
        (output / "plots" / name).unlink(missing_ok=True)


def build(options, runs, folder):
    """Writes the report into a folder; returns how many plots it has."""
    (folder / "plots").mkdir()
    found = []
    with gnuplot.Drawing(folder / "plots") as drawing:
        for make in sections.SECTIONS:
            section = make(options, runs)
            if section:
                found.append(section)
                drawing.start(section.plots)
        drawing.finish("svg")
        text = page.page(TITLE, introduction(runs), found, folder / "plots")
        (folder / "index.html").write_text(text, encoding="utf-8")
        drawing.finish("png")
    return sum(len(section.plots) for section in found)


def run(options):
    runs, options.apart = apart.joined([each for each in of_runs.read(options.files) if each.rows])
    if not runs:
        raise ResultError("there are no rows of Tegula's in these files")
    output = pathlib.Path(options.output)
    output.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".tegula-report-", dir=output.parent) as built:
        plots = build(options, runs, pathlib.Path(built))
        publish(pathlib.Path(built), output)
    rows, files = sum(len(each.rows) for each in runs), of_runs.files_of(runs)
    print(f"{output / 'index.html'}: {rows} rows of {files} files, {plots} plots")


def main(arguments=None):
    options = parsed(arguments)
    gc.disable()  # the rows live until the end, and to look through them again and again takes a sixth of the time
    try:
        run(options)
    except (ResultError, OSError) as error:
        print(f"tegula_report: {message_of(error)}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
