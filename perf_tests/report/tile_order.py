# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pictures of the order of tiles. What is drawn comes from tegula_tile_order, which asks the library's own header."""

import json
import os
import pathlib
import shutil
import subprocess
import sys

from plots import framed, heading
from result_files import ResultError

EXAMPLE = "1152 1152 1152 128 128 128 3 9".split()  # 9 x 9 blocks, as in Triton's tutorial on products of matrices
FIRST_WAVE = "#0072b2"
LATER_WAVES = ("#e8d9b5", "#bcd9ea", "#f4f4f4", "#d5c2da")
NUMBERED = 18  # tiles of wider grids are too small for numbers
WIDTH, SIDE = 480, 400  # pixels of a picture, and of the longer side of what it shows


def program():
    """tegula_tile_order beside this script, as in a build, or where the shell finds it; None if there is none."""
    beside = pathlib.Path(os.path.abspath(sys.argv[0])).parent / "tegula_tile_order"
    return str(beside) if os.access(beside, os.X_OK) else shutil.which("tegula_tile_order")


def orders(tool, arguments):
    """What the program prints."""
    done = subprocess.run([tool, *arguments], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise ResultError(f"--tile-order: {(done.stderr or done.stdout).strip()}")
    return json.loads(done.stdout)


def box(left, right, top, bottom, colour):
    """A line for boxxyerror: y runs downwards, as rows do."""
    middle = f"{(left + right) / 2} {-(top + bottom) / 2}"
    return f"{middle} {left} {right} {-bottom} {-top} {int(colour[1:], 16)}"


def text_colour(colour):
    return "#ffffff" if colour == FIRST_WAVE else "#000000"


def wave_colour(wave):
    return FIRST_WAVE if wave == 0 else LATER_WAVES[(wave - 1) % len(LATER_WAVES)]


def shade(count, most):
    """Darker for what is loaded more often, light enough for black numbers."""
    level = 245 - round(105 * count / most)
    return f"#{level:02x}{level:02x}{level:02x}"


def tile_runs(plan, order, is_numbered):
    """(row, first column, last column + 1, wave, rank): each tile, or neighbours in a row that run in the same wave."""
    columns = plan["columns"]
    for row in range(plan["rows"]):
        ranks = order["ranks"][row * columns : (row + 1) * columns]
        first = 0
        for column, rank in enumerate(ranks):
            wave = rank // plan["teams"]
            is_last = column + 1 == columns or ranks[column + 1] // plan["teams"] != wave
            if is_numbered or is_last:
                yield row, first, column + 1, wave, rank
                first = column + 1


def boxes(plan, order):
    """Boxes of the tiles and of the blocks beside them, and numbers: (boxes, numbers, width of what is beside)."""
    rows, columns = plan["rows"], plan["columns"]
    is_numbered = max(rows, columns) <= NUMBERED
    most = max(max(plan[name][loads]) for name in ("row_major", "grouped") for loads in ("row_loads", "column_loads"))
    strip, gap = max(1, columns / 12, rows / 12), max(0.4, columns / 30, rows / 30)
    drawn, numbers = [], []

    def put(left, right, top, bottom, colour, number):
        drawn.append(box(left, right, top, bottom, colour))
        ink = int(text_colour(colour)[1:], 16)
        numbers.append(f"{(left + right) / 2} {-(top + bottom) / 2} {number} {ink}")

    for row, first, end, wave, rank in tile_runs(plan, order, is_numbered):
        put(first, end, row, row + 1, wave_colour(wave), rank)
    for row, count in enumerate(order["row_loads"]):
        put(-gap - strip, -gap, row, row + 1, shade(count, most), count)
    for column, count in enumerate(order["column_loads"]):
        put(column, column + 1, -gap - strip, -gap, shade(count, most), count)
    return drawn, numbers if is_numbered else [], gap + strip


def span(counts):
    """ "3", "1 to 2" """
    least, most = min(counts), max(counts)
    return str(least) if least == most else f"{least} to {most}"


def picture(name, title, plan, order):
    drawn, numbers, margin = boxes(plan, order)
    extents = plan["columns"] + margin, plan["rows"] + margin
    wide, high = (SIDE * extent / max(extents) for extent in extents)
    data = {"boxes": drawn}
    curves = ["$boxes using 1:2:3:4:5:6:7 with boxxyerror lc rgb variable fs solid border lc rgb '#777777' notitle"]
    if numbers:
        data["numbers"] = numbers
        curves.append("$numbers using 1:2:3:4 with labels font ',10' tc rgb variable notitle")
    first = f"{order['first_wave_blocks']} blocks by the first {min(plan['teams'], len(order['ranks']))} tiles"
    script = [
        heading(title, f"loaded: {first}, {order['blocks']} by all"),
        "unset border",
        "unset tics",
        "unset grid",
        f"set lmargin at screen {0.5 - wide / WIDTH / 2:.4f}",
        f"set rmargin at screen {0.5 + wide / WIDTH / 2:.4f}",
        f"set xrange [{-margin}:{plan['columns']}]",
        f"set yrange [{-plan['rows']}:{margin}]",
        "set xlabel 'columns of blocks of B above, rows of blocks of A on the left'",
    ]
    caption = (
        f"Tiles of the first wave are blue. Rows of A are loaded by {span(order['row_loads'])} waves, columns of B by "
        f"{span(order['column_loads'])}."
    )
    return framed(name, title, caption, script, data, curves, width=WIDTH, area=round(high), lines=2)


def pictures(plan):
    return [
        picture("tile_order_row_major", "Row-major order", plan, plan["row_major"]),
        picture("tile_order_grouped", f"Grouped order, {plan['grouped']['group']} rows a group", plan, plan["grouped"]),
    ]


def words(plan):
    """What the pictures show, in words."""
    shape, tile = (
        " x ".join(str(plan[key]) for key in keys) for keys in (("m", "n", "k"), ("tile_m", "tile_n", "tile_k"))
    )
    saved = plan["row_major"]["first_wave_blocks"] / plan["grouped"]["first_wave_blocks"]
    return (
        f"C = A B of {shape} in tiles of {tile}: {plan['rows']} x {plan['columns']} tiles of {plan['k_blocks']} steps, "
        f"of which {plan['teams']} run at the same time, in waves. Numbers in tiles, where they fit, are the order in "
        "which they start. A block that several tiles of a wave need is counted once, as if a cache held it. Beside a "
        "row of blocks of A, "
        "and above a column of blocks of B, is how many waves load it: the more, the darker. The first wave loads "
        f"{saved:.3g} times as many blocks in row-major order. Groups of {plan['best_group']} rows touch the fewest "
        "bytes in a wave; without any cache, the tiles would load "
        f"{plan['loaded_elements']:,} elements in either order."
    )
