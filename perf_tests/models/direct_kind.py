# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kinds of the direct and the narrow family, whose tiles follow from a few configurations (kinds.py)."""

import dataclasses

import numpy as np

import formulas
from calls import ALIGNED, ceil_div
from kinds import Kind, config_of

DIRECT_FIELDS = {
    "start": [1.2e-6],
    "memory": [0.8],
    "wait": [2800, 1000],
    "read": [8, 8, 2, 2],
    "multiply": [0.4],
    "alone": [16],
    "store": [200, 400],
    "activated": [100],
    "kept": [50],
    "cluster": [2000, 2500, 3500],
}


@dataclasses.dataclass(frozen=True)
class Lanes:
    """What a lane of direct has of a warp's tile, and the warp's tile."""

    rows: int
    columns: int
    depth: int  # lanes that share it
    batch: int
    tile_m: int
    tile_n: int


# DirectConfigs in kernels/cuda/direct/Tegula_DirectConfig.hpp.
DIRECT_LANES = [Lanes(2, 4, 4, 3, 8, 8), Lanes(4, 4, 2, 2, 16, 16)]
DIRECT_WARPS, DIRECT_SHARES, DIRECT_TEAMS = 8, 4, 2
READS = ("depth", "lines", "elements_of_depth", "elements_of_lines")


def direct_tiles(element_bytes):
    """direct_tiles in kernels/cuda/direct/Tegula_DirectTiles.hpp."""
    return {
        (lanes.tile_m * DIRECT_WARPS >> share, lanes.tile_n, ALIGNED // element_bytes * lanes.depth << share): DIRECT_TEAMS
        for lanes in DIRECT_LANES
        for share in range(DIRECT_SHARES)
    }


def direct_read(operand, lines, only_elements=False):
    """direct_read() in kernels/cuda/direct/Tegula_DirectArguments.hpp: the place in READS."""
    size = operand.element_bytes
    one_by_one = 2 if operand.depth_stride < operand.line_stride else 3
    if only_elements:
        return one_by_one
    if operand.depth_stride == 1 and operand.line_stride * size % ALIGNED == 0:
        return 0
    run = min(ALIGNED, lines * size)
    if operand.line_stride == 1 and operand.lines % lines == 0 and operand.depth_stride * size % run == 0:
        return 1
    return one_by_one


def of_direct(family, call, way):
    """cycles_of() in kernels/cuda/direct/Tegula_DirectFamily.cpp."""
    number = config_of(family, way.tile)
    lanes = DIRECT_LANES[number // DIRECT_SHARES]
    has_long_rows = call.m >= call.n
    long, short = (call.left, call.right) if has_long_rows else (call.right, call.left)
    by_long = direct_read(long, lanes.rows)
    by_short = direct_read(short, lanes.columns, only_elements=by_long >= 2)
    tile_m, tile_n, _ = list(family.tiles)[number]
    rows, columns = min(tile_m, long.lines), min(tile_n, short.lines)
    warps = ceil_div(rows, lanes.tile_m)
    operands = [(by_long, lanes.rows, rows / (warps * lanes.tile_m)), (by_short, lanes.columns, columns / lanes.tile_n)]
    size = call.element_bytes
    depth = ALIGNED // size // (2 if size == 2 and any(by for by, _, _ in operands) else 1)
    reads = [0] * len(READS)
    for by, lines, inside in operands:
        packs = lines * depth * size // ALIGNED
        reads[by] += inside * (max(packs, lines), max(packs, depth), lines * depth, lines * depth)[by]
    slots = way.split << number % DIRECT_SHARES
    chunks = ceil_div(ceil_div(call.k, depth * lanes.depth), slots)
    sums = rows * tile_n if has_long_rows else columns * tile_m  # Threads go along the rows of C.
    return {
        "at_once": formulas.at_once(way.split, list(family.tiles.values())[number]),
        "warps_inside": warps << number % DIRECT_SHARES,
        "all_teams": ceil_div(long.lines, tile_m) * ceil_div(short.lines, tile_n) * way.split,
        "chunks": chunks,
        "batches": ceil_div(chunks, (lanes.batch + 1) // 2 if size == 8 else lanes.batch),
        "multiplied": lanes.rows * lanes.columns * depth,
        "turns": ceil_div(sums, 32 * DIRECT_WARPS * way.split),
        "has_cluster": int(way.split > 1),
        "cluster": max(0, way.split.bit_length() - 2),
        **{f"reads_by_{name}": count for name, count in zip(READS, reads)},
    }


def uses_of_direct(r):
    one = np.zeros_like(r.config)
    singles = {name: (name, one) for name, numbers in DIRECT_FIELDS.items() if len(numbers) == 1}
    reads = {f"read_by_{name}": ("read", one + by) for by, name in enumerate(READS)}
    waits = {"first_wait": ("wait", one), "next_wait": ("wait", one + 1)}
    return {**singles, **reads, **waits, "store": ("store", r.adds), "cluster": ("cluster", r.cluster)}


DIRECT = Kind({}, DIRECT_FIELDS, set(), of_direct, uses_of_direct, formulas.direct_seconds)


# kernels/cuda/narrow/Tegula_NarrowConfig.hpp
NARROW_LINES, NARROW_BLOCKS = 64, (1, 2)
NARROW_READS = ("depth", "lines", "elements_of_depth", "elements_of_lines")  # NarrowForm, by the names of READS


def narrow_step(element_bytes):
    return 128 // element_bytes


def narrow_tiles(element_bytes):
    """narrow_tiles in kernels/cuda/narrow/Tegula_NarrowTiles.hpp."""
    sum_bytes = max(4, element_bytes)
    return {
        (NARROW_LINES * DIRECT_WARPS >> share, 8 * blocks, narrow_step(element_bytes) << share):
            DIRECT_TEAMS if blocks * sum_bytes <= 8 else 1
        for blocks in NARROW_BLOCKS
        for share in range(DIRECT_SHARES)
    }


def begins_aligned(operand, stride):
    return stride * operand.element_bytes % ALIGNED == 0


def narrow_form(operand):
    """narrow_form() in kernels/cuda/narrow/Tegula_NarrowArguments.hpp."""
    if operand.depth_stride == 1:
        return 0 if begins_aligned(operand, operand.line_stride) else 2
    is_whole = operand.lines * operand.element_bytes % ALIGNED == 0
    return 1 if begins_aligned(operand, operand.depth_stride) and is_whole else 3


def narrow_short_reads(operand):
    """By narrow_short_read() in kernels/cuda/narrow/Tegula_NarrowArguments.hpp; ..Model.hpp has the numbers."""
    if operand.depth_stride == 1 and begins_aligned(operand, operand.line_stride):
        return 2
    if operand.element_bytes == 8:
        return 4
    has_pairs = operand.line_stride == 1 and operand.lines % 2 == 0 and operand.depth_stride % 2 == 0
    return 8 if has_pairs else 16


def of_narrow(family, call, way):
    """seconds_of() in kernels/cuda/narrow/Tegula_NarrowFamily.cpp, in the terms of the direct family."""
    number = config_of(family, way.tile)
    share, blocks = number % DIRECT_SHARES, NARROW_BLOCKS[number // DIRECT_SHARES]
    has_long_rows = call.m >= call.n
    long, short = (call.left, call.right) if has_long_rows else (call.right, call.left)
    tile_m, tile_n, _ = list(family.tiles)[number]
    rows = min(tile_m, long.lines)
    steps = ceil_div(ceil_div(call.k, narrow_step(call.element_bytes)), way.split << share)
    sums = rows * tile_n if has_long_rows else min(tile_n, short.lines) * tile_m  # Threads go along the rows of C.
    return {
        "at_once": formulas.at_once(way.split, list(family.tiles.values())[number]),
        "warps_inside": ceil_div(rows, NARROW_LINES) << share,
        "all_teams": ceil_div(long.lines, tile_m) * ceil_div(short.lines, tile_n) * way.split,
        "chunks": steps,
        "batches": steps,
        "multiplied": blocks * narrow_short_reads(short),
        "turns": ceil_div(sums, 32 * DIRECT_WARPS * way.split),
        "has_cluster": int(way.split > 1),
        "cluster": max(0, way.split.bit_length() - 2),
        **{f"reads_by_{name}": int(narrow_form(long) == form) for form, name in enumerate(NARROW_READS)},
    }


NARROW_FIELDS = {**DIRECT_FIELDS, "read": [16, 24, 40, 48], "multiply": [2], "alone": [4]}
NARROW = dataclasses.replace(DIRECT, fields=NARROW_FIELDS, known=of_narrow)
