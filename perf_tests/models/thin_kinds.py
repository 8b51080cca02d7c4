# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kinds of families for products that memory limits: stream, panel, outer and outer_mma (kinds.py)."""

import math

import numpy as np

import formulas
from kinds import Kind

STREAM_WARPS = 4  # of a team
BANKS = 32  # of scratch
CHUNK = 16  # bytes
STREAM_FIELDS = {
    "memory": [0.9],
    "start": [2e-6],
    "added": [5e-7],
    "biased": [3e-7],
    "warps": [10],
    "alone": [2],
    "turn": [1.2],
    "tile": [180],
    "column": [5],
    "chunk": [12, 20, 30],
    "activated": [30],
    "kept": [10],
    "held": [30],
}
STREAM_MMA_FIELDS = {
    "memory": [0.9],
    "start": [1e-6],
    "added": [5e-7],
    "biased": [3e-7],
    "warps": [10],
    "alone": [2],
    "tile": [150],
    "read": [12, 40],
    "multiplied": [4],
    "put": [40],
    "column": [10],
    "chunk": [12, 20, 40],
    "activated": [100],
    "kept": [10],
    "held": [100],
}
PANEL_FIELDS = {"start": [3e-6], "tile": [680], "added": [340], "full": [0.8], "memory": [0.9] * 2}

OUTER_FIELDS = {
    "start": [1e-6],
    "added": [5e-7],
    "biased": [1e-7],
    "memory": [0.8] * 4,
    "wait": [1500],
    "alone": [3],
    "hold": [20, 30, 30, 20],
    "row": [10],
    "step": [1],
    "activated": [20],
    "kept": [8],
}
OUTER_MMA_FIELDS = {
    "start": [4e-7],
    "biased": [2e-7],
    "memory": [0.8] * 2,
    "wait": [1500],
    "alone": [2],
    "hold": [20] * 4,
    "row": [20],
    "step": [0.5],
}


def of_stream(_, call, __):
    """How the long operand and the result lie: 0 as rows without gaps, 1 as columns of whole chunks, 2 as other columns; how often
    scratch is read for each line of theirs, where lanes have lines; and how they are read, by chunks or by elements."""
    has_long_rows = call.m >= call.n
    streamed = call.left if has_long_rows else call.right
    n = min(call.m, call.n)
    line, across = (call.ldc, 1) if has_long_rows else (1, call.ldc)
    words, block = max(1, call.element_bytes // 4), CHUNK // call.element_bytes
    form_in = stream_form(streamed.line_stride, streamed.depth_stride, call.k, block)
    form_out = stream_form(line, across, n, block)

    def turns(columns, form):
        return max(words, math.gcd(columns * words, BANKS)) if form == 0 and columns % block != 0 else words

    return {
        "lines": max(call.m, call.n),
        "columns": n,
        "form_in": form_in,
        "form_out": form_out,
        "turns_in": turns(call.k, form_in),
        "turns_out": turns(n, form_out),
        "has_elements": int((call.k if form_in == 0 else streamed.depth_stride) % block != 0),
    }


def stream_form(line_stride, stride, columns, block):
    if lies_in_rows(line_stride, stride, columns):
        return 0
    return 1 if stride % block == 0 else 2


def lies_in_rows(line_stride, stride, columns):
    return line_stride == columns and (columns == 1 or stride == 1)


def of_panel(*_):
    return {}


LAPPING = 112  # columns of tiles of outer_mma that lap


def of_outer(_, call, __):
    return {"held": call.right.fetched, "stored": call.stored() + int(call.beta != 0)}


def uses_of_stream(r):
    return {**singles_of(STREAM_FIELDS, r), "chunk_in": ("chunk", r.form_in), "chunk_out": ("chunk", r.form_out)}


def uses_of_stream_mma(r):
    chunks = {"chunk_in": ("chunk", r.form_in), "chunk_out": ("chunk", r.form_out)}
    return {**singles_of(STREAM_MMA_FIELDS, r), **chunks, "read": ("read", r.has_elements)}


def singles_of(fields, r):
    """The numbers that are the same for all ways."""
    return {name: (name, np.zeros_like(r.config)) for name, numbers in fields.items() if len(numbers) == 1}


def uses_of_panel(r):
    one = np.zeros_like(r.config)
    return {**{name: (name, one) for name in ("start", "tile", "added", "full")}, "memory": ("memory", r.adds)}


def uses_of_outer(r):
    return {**singles_of(OUTER_FIELDS, r), "memory": ("memory", r.stored), "hold": ("hold", r.held)}


def of_outer_mma(_, call, __):
    return {"held": call.right.fetched}


def uses_of_outer_mma(r):
    memory = ("memory", (r.tile_n == LAPPING).astype(int))
    return {**singles_of(OUTER_MMA_FIELDS, r), "memory": memory, "hold": ("hold", r.held)}


STREAM = Kind({}, STREAM_FIELDS, set(), of_stream, uses_of_stream, formulas.stream_seconds)
STREAM_MMA = Kind({}, STREAM_MMA_FIELDS, set(), of_stream, uses_of_stream_mma, formulas.stream_mma_seconds)
PANEL = Kind({}, PANEL_FIELDS, set(), of_panel, uses_of_panel, formulas.panel_seconds)
OUTER = Kind({}, OUTER_FIELDS, set(), of_outer, uses_of_outer, formulas.outer_seconds)
OUTER_MMA = Kind({}, OUTER_MMA_FIELDS, set(), of_outer_mma, uses_of_outer_mma, formulas.outer_mma_seconds)
