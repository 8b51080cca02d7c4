# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a formula of times wants to know of a way, and the numbers that it has to be fitted: of the families whose teams have
tiles of operands in scratch (kernels/cuda/Tegula_TileModel.hpp). Other kinds: thin_kinds.py, direct_kind.py."""

import dataclasses

import numpy as np

import formulas
from calls import ALIGNED, DEPTH, DEPTH_IN_WORDS, DEPTH_ONE_BY_ONE, EXPONENTIAL_ACTIVATIONS
from calls import LINES, LINES_IN_WORDS, LINES_ONE_BY_ONE

# What numbers are before anything is fitted. Rows have theirs for each configuration.
TILE_ROWS = {"alone": [0.5], "full": [0.7], "start": [1700], "stored_rate": [4]}
DIRECTIONS = {"directions": [1] * 4}
TILE_FIELDS = {
    "fetched": [0.0055, 0.011, 0.055, 0.055],
    "missed": [0.5] * 4,
    "waiting": [1.5],
    "exposed": [0.3],
    "uneven": [0.3],
    "stored": [1] * 4,
    "walked": [0.22] * 4,
    "results": [1] * 4,
    "memory": [0.9],
    "cache": [0.9],
    "apart": [0.1],
    "added": [3e-7],
    "biased": [3e-7],
    "activated": [0.2],
    "kept": [0.1],
    "slices": [1],
    "slice_bytes": [0.7],
    "slice": [1e-8],
    "copy": [1],
    "copy_bytes": [0.74],
}
WORDS = {"fetched": [*TILE_FIELDS["fetched"], 0.011, 0.011], "missed": [0.5] * 6}  # Of one that takes such operands.
WIDE_FIELDS = {"widened": [2]}  # Of families whose results are of 16 bits or float.
# Of one whose teams take turns or fetch ahead, and whose TMA fetches short lines.
TURN_FIELDS = {"beside": [0.2], "crowded": [8], "again": [0.8], "scattered": [1.5]}
TMA_FIELDS = {"straddled": [1, 1.1, 1.3]}
SINGLE = [name for name, numbers in TILE_FIELDS.items() if len(numbers) == 1]
FIXED = {"stored", "results", "directions", "straddled"}  # The first number, of each row, is what others are relative to.
SHARES = {"missed", "beside", "again"}  # They are at most 1.


@dataclasses.dataclass(frozen=True)
class Kind:
    """Families with the same formula."""

    rows: dict
    fields: dict
    fixed: set
    known: object  # (family, call, way, tile) -> what the formula wants to know of a way
    uses: object  # (rows) -> by name of a number in the formula: group, and place in the group
    seconds: object

    @property
    def groups(self):
        """The numbers of a family by their names, with those that they begin with; of rows, of one configuration."""
        return {**self.rows, **self.fields}


def has_tile(family, tile):
    """Whether a configuration has this tile, or its transpose."""
    m, n, k = tile
    return tile in family.tiles or (n, m, k) in family.tiles


def config_of(family, tile):
    """The place of that configuration."""
    tiles = list(family.tiles)
    m, n, k = tile
    return tiles.index(tile) if tile in family.tiles else tiles.index((n, m, k))


def computes_transpose(family, tile):
    """is_transposed() in kernels/cuda/wgmma/Tegula_WgmmaConfig.hpp."""
    return family.name == "wgmma" and tile not in family.tiles


def of_call(call):
    return {
        "m": call.m,
        "n": call.n,
        "k": call.k,
        "operand_bytes": call.operand_bytes,
        "result_bytes": call.result_bytes,
        "adds": int(call.beta != 0),
        "biases": int(call.has_bias),
        "takes_exponentials": int(call.activation in EXPONENTIAL_ACTIVATIONS),
        "stores_Z": int(call.stores_Z),
        "is_widened": int(call.is_widened),
    }


def as_copied(fetched):
    """As in kernels/cuda/Tegula_TileModel.hpp."""
    return DEPTH if fetched in (DEPTH, DEPTH_ONE_BY_ONE) else LINES


def fetched_by_wgmma(operand):
    """as_modelled() in kernels/cuda/wgmma/Tegula_WgmmaFamily.cpp."""
    fetched = as_copied(operand.fetched)
    is_short = operand.lines <= 8 or (operand.lines < 16 and operand.is_aligned)
    return LINES_ONE_BY_ONE if fetched == LINES and is_short else fetched


def straddles(operand):
    """As in kernels/cuda/wgmma/Tegula_WgmmaFamily.cpp."""
    along_depth = operand.fetched == DEPTH
    fast, slow = (operand.depth, operand.lines) if along_depth else (operand.lines, operand.depth)
    pitch = (operand.line_stride if along_depth else operand.depth_stride) * operand.element_bytes
    if not operand.is_aligned or slow == 1 or fast * operand.element_bytes <= ALIGNED or pitch % 64 == 0:
        return 0
    return 1 if pitch % 32 == 0 else 2


def of_tile(family, call, way):
    by_tma = family.name == "wgmma"
    operands = (call.right, call.left) if computes_transpose(family, way.tile) else (call.left, call.right)
    left, right = (operand.fetched for operand in operands)
    copies = family.copies(call) if family.copies else []
    stored = call.stored(stores_ragged_runs=not by_tma)
    return {
        "parts": way.split,
        "waves": way.waves,
        "left": fetched_by_wgmma(operands[0]) if by_tma else left,
        "right": fetched_by_wgmma(operands[1]) if by_tma else right,
        "copied_left": as_copied(left),
        "copied_right": as_copied(right),
        "straddles_left": straddles(operands[0]) if by_tma else 0,
        "straddles_right": straddles(operands[1]) if by_tma else 0,
        "stored": 0 if way.split > 1 and way.waves == 0 else stored + int(call.beta != 0),
        "is_scattered": int(stored > 0),
        "copies": len(copies),
        "copied_bytes": sum(copies),
    }


def of_gathered(family, call, way):
    """Operands that are not aligned may lie in words: as propose() in kernels/cuda/mma/Tegula_MmaFamily.cpp."""
    known = of_tile(family, call, way)
    operands = call.left, call.right
    if all(operand.is_aligned for operand in operands) or not all(operand.is_in_words for operand in operands):
        return known
    left, right = (DEPTH_IN_WORDS if as_copied(operand.fetched) == DEPTH else LINES_IN_WORDS for operand in operands)
    return {**known, "left": left, "right": right}


def of_directed(family, call, way):
    along = [operand.fetched in (DEPTH, DEPTH_ONE_BY_ONE) for operand in (call.left, call.right)]
    return {**of_tile(family, call, way), "directions": 2 * along[0] + along[1]}


def uses_of_tile(r):
    one = np.zeros_like(r.config)
    return {
        "alone": ("alone", r.config),
        "full": ("full", r.config),
        "start": ("start", r.config),
        "stored_rate": ("stored_rate", r.config),
        "fetched_left": ("fetched", r.left),
        "fetched_right": ("fetched", r.right),
        "missed_left": ("missed", r.left),
        "missed_right": ("missed", r.right),
        "stored": ("stored", r.stored),
        "walked": ("walked", r.stored),
        "results": ("results", r.stored),
        "slice_stored": ("stored", one),
        "slice_walked": ("walked", one),
        **{name: (name, one) for name in SINGLE},
    }


def uses_of_wide(r):
    return {**uses_of_tile(r), "widened": ("widened", np.zeros_like(r.config))}


def uses_of_turns(r):
    straddled = {"straddled_left": ("straddled", r.straddles_left), "straddled_right": ("straddled", r.straddles_right)}
    return {**uses_of_wide(r), **straddled, **{name: (name, np.zeros_like(r.config)) for name in TURN_FIELDS}}


def uses_of_directed(r):
    return {**uses_of_tile(r), "directions": ("directions", 4 * r.config + r.directions)}


def uses_of_gathered(r):
    return {
        **uses_of_wide(r),
        "copied_left": ("fetched", r.copied_left),
        "copied_right": ("fetched", r.copied_right),
        "missed_copied_left": ("missed", r.copied_left),
        "missed_copied_right": ("missed", r.copied_right),
    }


ALL_FIELDS = {**TILE_FIELDS, **WIDE_FIELDS}
TILES = Kind(TILE_ROWS, TILE_FIELDS, FIXED, of_tile, uses_of_tile, formulas.with_copies)
TILES_IN_TURNS = dataclasses.replace(TILES, fields={**ALL_FIELDS, **TURN_FIELDS, **TMA_FIELDS}, uses=uses_of_turns)
DIRECTED_TILES = dataclasses.replace(
    TILES, rows={**TILE_ROWS, **DIRECTIONS}, known=of_directed, uses=uses_of_directed
)
GATHERED = dataclasses.replace(
    TILES, fields={**ALL_FIELDS, **WORDS}, known=of_gathered, uses=uses_of_gathered, seconds=formulas.with_copies_or_gathered
)
