# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The families that have models: their configurations, the numbers that are fitted, and where those stand in C++.
test_models.py compares what comes out with C++."""

import dataclasses
import math
import types

import numpy as np

import formulas
from calls import ALIGNED, BYTES, DEPTH, DEPTH_ONE_BY_ONE, LINES, ceil_div

# What numbers are before anything is fitted. Rows have theirs for each configuration.
TILE_ROWS = {"alone": [0.5], "full": [0.7], "start": [1700], "stored_rate": [4]}
DIRECTIONS = {"directions": [1] * 4}
TILE_FIELDS = {
    "fetched": [0.0055, 0.011, 0.055, 0.055],
    "missed": [0.5] * 4,
    "waiting": [1.5],
    "exposed": [0.3],
    "stored": [1] * 6,
    "walked": [0.22] * 6,
    "results": [1] * 6,
    "memory": [0.9],
    "cache": [0.9],
    "slices": [1],
    "slice_bytes": [0.7],
    "slice": [1e-8],
    "copy": [1],
    "copy_bytes": [0.74],
}
SINGLE = [name for name, numbers in TILE_FIELDS.items() if len(numbers) == 1]
FIXED = {"stored", "results", "directions"}  # The first number, of each row, is what others are relative to.
SHARES = {"missed"}  # They are at most 1.
SKINNY_ROWS = {"start": [1.5e-6], "step": [0.5e-6], "full": [0.45]}
SKINNY_FIELDS = {"memory": [0.8], "fetched": [0.022] * 4, "stored": [0.33] * 6}
STREAM_FIELDS = {"memory": [0.9], "start": [2e-6], "warps": [10], "turn": [1.2], "tile": [180], "column": [5], "chunk": [12, 30]}
DIRECT_FIELDS = {
    "start": [1.2e-6],
    "memory": [0.8],
    "wait": [1200],
    "read": [8, 8, 2, 2],
    "multiply": [0.4],
    "store": [200, 400],
    "cluster": [800],
}
PANEL_FIELDS = {"start": [3e-6], "tile": [680], "added": [340], "full": [0.8], "memory": [0.9] * 2}


@dataclasses.dataclass(frozen=True)
class Kind:
    """Families with the same formula."""

    rows: dict
    fields: dict
    fixed: set
    known: object  # (family, call, way, tile) -> what the formula wants to know of a way
    uses: object  # (rows) -> by name of a number in the formula: group, and place in the group
    seconds: object


@dataclasses.dataclass(frozen=True)
class Family:
    name: str
    type: str
    tiles: dict  # of each configuration, with the teams of a multiprocessor, in the order of C++
    multiply_adds: str
    header: str
    constants: tuple  # of rates and of the model, in C++, with the configurations
    kind: Kind
    copies: object = None  # (call) -> bytes of each copy

    @property
    def element_bytes(self):
        return BYTES[self.type]

    @property
    def key(self):
        return self.name, self.element_bytes


# --------------------------------------------------------------------------------------------------------------- copies


def aligned_copies(call):
    """operand_copies() in kernels/cuda/Tegula_OperandCopies.hpp."""
    operands = [operand for operand in (call.left, call.right) if not operand.is_aligned]
    return [operand.copied_bytes(operand.depth_stride == 1, 128) for operand in operands]


def tf32_copies(call):
    """tf32_copies() in kernels/cuda/tf32/Tegula_Tf32Operands.hpp."""
    both = call.left.fetched == LINES and call.right.fetched == LINES
    left_is_smaller = call.m < call.n
    left = not call.left.is_aligned or (both and left_is_smaller)
    right = not call.right.is_aligned or (both and not left_is_smaller)
    copied = [call.left] * left + [call.right] * right
    return [operand.copied_bytes(True, 128) for operand in copied]


def split_passes(call):
    """passes_seconds() in kernels/cuda/fp32_split/Tegula_Fp32SplitFamily.cpp: both passes, over both operands."""
    return [call.operand_bytes, 0]


# ------------------------------------------------------------------------------------------------ what is known of ways


def of_call(call):
    return {
        "m": call.m,
        "n": call.n,
        "k": call.k,
        "operand_bytes": call.operand_bytes,
        "result_bytes": call.result_bytes,
        "adds": int(call.beta != 0),
    }


def as_copied(fetched):
    """As in kernels/cuda/Tegula_TileModel.hpp."""
    return DEPTH if fetched in (DEPTH, DEPTH_ONE_BY_ONE) else LINES


def of_tile(family, call, way):
    by_tma = family.name == "wgmma"
    left, right = call.left.fetched, call.right.fetched
    copies = family.copies(call) if family.copies else []
    stored = call.stored(stores_ragged_runs=not by_tma)
    return {
        "parts": way.split,
        "left": as_copied(left) if by_tma else left,
        "right": as_copied(right) if by_tma else right,
        "copied_left": as_copied(left),
        "copied_right": as_copied(right),
        "stored": 0 if way.split > 1 else stored + int(call.beta != 0),
        "copies": len(copies),
        "copied_bytes": sum(copies),
    }


def of_simt(family, call, way):
    along = [operand.fetched in (DEPTH, DEPTH_ONE_BY_ONE) for operand in (call.left, call.right)]
    return {**of_tile(family, call, way), "directions": 2 * along[0] + along[1]}


def of_skinny(_, call, __):
    has_long_rows = call.m >= call.n
    streamed = call.left if has_long_rows else call.right
    along_runs = call.has_vectors and call.n % (16 // call.element_bytes) == 0
    return {
        "by": {DEPTH: 0, LINES: 1}.get(streamed.fetched, 3 if streamed.line_stride < streamed.depth_stride else 2),
        "stored": 2 * (int(along_runs) if has_long_rows else 2) + int(call.beta != 0),
    }


def of_stream(_, call, __):
    """How often scratch is read, for each line, for what lies as rows without gaps or as contiguous columns."""
    streamed = call.left if call.m >= call.n else call.right
    lines, n = max(call.m, call.n), min(call.m, call.n)
    line, across = (call.ldc, 1) if call.m >= call.n else (1, call.ldc)
    words = call.element_bytes // 4
    is_packed = lies_in_rows(streamed.line_stride, streamed.depth_stride, call.k) and lies_in_rows(line, across, n)

    def turns(columns):
        return max(words, math.gcd(columns * words, BANKS)) if is_packed else words

    return {
        "lines": lines,
        "columns": n,
        "form": 0 if is_packed else 1,
        "turns_in": turns(call.k),
        "turns_out": turns(n),
    }


def lies_in_rows(line_stride, stride, columns):
    return line_stride == columns and (columns == 1 or stride == 1)


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
    """cut_of() in kernels/cuda/direct/Tegula_DirectFamily.cpp."""
    number = config_of(family, way.tile)
    lanes = DIRECT_LANES[number // DIRECT_SHARES]
    has_long_rows = call.m >= call.n
    long, short = (call.left, call.right) if has_long_rows else (call.right, call.left)
    by_long = direct_read(long, lanes.rows)
    by_short = direct_read(short, lanes.columns, only_elements=by_long >= 2)
    operands = [(by_long, lanes.rows), (by_short, lanes.columns)]
    size = call.element_bytes
    depth = ALIGNED // size // (2 if size == 2 and any(by for by, _ in operands) else 1)
    reads = [0] * len(READS)
    for by, lines in operands:
        packs = lines * depth * size // ALIGNED
        reads[by] += (max(packs, lines), max(packs, depth), lines * depth, lines * depth)[by]
    tile_m, tile_n, _ = list(family.tiles)[number]
    slots = way.split << number % DIRECT_SHARES
    chunks = ceil_div(ceil_div(call.k, depth * lanes.depth), slots)
    return {
        "all_teams": ceil_div(long.lines, tile_m) * ceil_div(short.lines, tile_n) * way.split,
        "chunks": chunks,
        "batches": ceil_div(chunks, (lanes.batch + 1) // 2 if size == 8 else lanes.batch),
        "multiplied": lanes.rows * lanes.columns * depth,
        "turns": ceil_div(tile_m * tile_n, 32 * DIRECT_WARPS * way.split),
        "has_cluster": int(way.split > 1),
        **{f"reads_by_{name}": count for name, count in zip(READS, reads)},
    }


def of_panel(*_):
    return {}


# -------------------------------------------------------------------------------------------- numbers that formulas use


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
        **{name: (name, one) for name in SINGLE},
    }


def uses_of_simt(r):
    return {**uses_of_tile(r), "directions": ("directions", 4 * r.config + r.directions)}


def uses_of_gathered(r):
    return {
        **uses_of_tile(r),
        "copied_left": ("fetched", r.copied_left),
        "copied_right": ("fetched", r.copied_right),
        "missed_copied_left": ("missed", r.copied_left),
        "missed_copied_right": ("missed", r.copied_right),
    }


def uses_of_skinny(r):
    rows = {name: (name, r.config) for name in SKINNY_ROWS}
    memory = ("memory", np.zeros_like(r.config))
    return {**rows, "memory": memory, "fetched": ("fetched", r.by), "stored": ("stored", r.stored)}


def uses_of_stream(r):
    one = np.zeros_like(r.config)
    return {**{name: (name, one) for name in STREAM_FIELDS if name != "chunk"}, "chunk": ("chunk", r.form)}


def uses_of_direct(r):
    one = np.zeros_like(r.config)
    singles = {name: (name, one) for name, numbers in DIRECT_FIELDS.items() if len(numbers) == 1}
    reads = {f"read_by_{name}": ("read", one + by) for by, name in enumerate(READS)}
    return {**singles, **reads, "store": ("store", r.adds)}


def uses_of_panel(r):
    one = np.zeros_like(r.config)
    return {**{name: (name, one) for name in ("start", "tile", "added", "full")}, "memory": ("memory", r.adds)}


TILES = Kind(TILE_ROWS, TILE_FIELDS, FIXED, of_tile, uses_of_tile, formulas.with_copies)
SIMT_TILES = Kind({**TILE_ROWS, **DIRECTIONS}, TILE_FIELDS, FIXED, of_simt, uses_of_simt, formulas.with_copies)
GATHERED = dataclasses.replace(TILES, uses=uses_of_gathered, seconds=formulas.with_copies_or_gathered)
SKINNY = Kind(SKINNY_ROWS, SKINNY_FIELDS, set(), of_skinny, uses_of_skinny, formulas.skinny_seconds)
STREAM = Kind({}, STREAM_FIELDS, set(), of_stream, uses_of_stream, formulas.stream_seconds)
DIRECT = Kind({}, DIRECT_FIELDS, set(), of_direct, uses_of_direct, formulas.direct_seconds)
PANEL = Kind({}, PANEL_FIELDS, set(), of_panel, uses_of_panel, formulas.panel_seconds)


# ------------------------------------------------------------------------------------------------------------ the table


def constants(name, *instances):
    """In C++: of rates, of a model, and the configurations that rates are of, all of them if none is named. Rates without
    a model belong to the one before."""
    return tuple(
        (f"{name}_rates{rates}", model and f"{name}{model}", configs)
        for rates, model, configs in instances or [("", "_model", slice(None))]
    )


def gemv_constants(kind):
    return constants(
        "gemv",
        (f"<{kind}, Major::depth>", f"_model<{kind}>", slice(0, 1)),
        (f"<{kind}, Major::lines>", None, slice(1, 2)),
    )


def stream_constants(kind):
    return ((None, f"stream_model<{kind}>", slice(None)),)


def direct_constants(kind):
    return ((None, f"direct_model<{kind}>", slice(None)),)


def skinny_constants(kind):
    return constants("skinny", (f"<{kind}>", f"_model<{kind}>", slice(None)))


# Headers in kernels/cuda.
MMA, PORTABLE, GEMV = "mma/Tegula_MmaModel.hpp", "Tegula_CudaPortableModel.hpp", "gemv/Tegula_GemvModel.hpp"
WGMMA, SIMT, TF32 = "wgmma/Tegula_WgmmaModel.hpp", "simt/Tegula_SimtModel.hpp", "tf32/Tegula_Tf32Model.hpp"
SPLIT, THIN = "fp32_split/Tegula_Fp32SplitModel.hpp", "skinny/Tegula_SkinnyModel.hpp"
STREAMED, STRAIGHT = "stream/Tegula_StreamModel.hpp", "direct/Tegula_DirectModel.hpp"


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



# fmt: off
FAMILIES = [
    Family("wgmma", "bf16", {(128, 256, 64): 1, (128, 192, 64): 1, (128, 128, 64): 1, (128, 64, 64): 1,
                             (64, 64, 64): 1},
           "wgmma_half", WGMMA, constants("wgmma"), TILES, aligned_copies),
    Family("mma", "bf16", {(128, 256, 32): 1, (128, 128, 64): 2, (128, 128, 16): 2, (128, 64, 64): 2, (128, 64, 32): 3,
                           (64, 64, 64): 4, (64, 64, 32): 4},
           "mma_half", MMA, constants("mma_half"), GATHERED, aligned_copies),
    Family("mma", "f64", {(128, 128, 16): 1, (128, 64, 16): 2, (128, 64, 8): 2, (64, 64, 16): 2, (128, 32, 16): 3,
                          (64, 32, 32): 2, (64, 32, 16): 4, (128, 16, 8): 7, (32, 32, 16): 5},
           "mma_double", MMA, constants("mma_double"), TILES),
    Family("simt", "f32", {(128, 256, 16): 1, (64, 128, 16): 4, (64, 128, 32): 1, (32, 64, 64): 1, (128, 32, 16): 5,
                           (8, 128, 64): 2, (128, 8, 64): 2},
           "fma_float", SIMT, constants("simt"), SIMT_TILES),
    Family("tf32", "f32", {(128, 256, 32): 1, (128, 192, 32): 1, (128, 128, 32): 1, (128, 64, 32): 1},
           "wgmma_tf32", TF32, constants("tf32"), TILES, tf32_copies),
    Family("fp32_split", "f32", {(128, 128, 64): 1, (128, 64, 64): 1},
           "wgmma_half", SPLIT, constants("fp32_split"), TILES, split_passes),
    Family("gemv", "f32", {(64, 8, 128): 2, (128, 8, 64): 2}, "fma_float", GEMV, gemv_constants("float"), TILES),
    Family("gemv", "f64", {(32, 8, 64): 2, (64, 8, 64): 2}, "mma_double", GEMV, gemv_constants("double"), TILES),
    Family("portable", "bf16", {(128, 128, 8): 2, (64, 64, 16): 4, (32, 32, 32): 8},
           "fma_float", PORTABLE, constants("portable_half"), TILES),
    Family("portable", "f32", {(128, 128, 8): 2, (64, 64, 16): 4, (32, 32, 32): 8},
           "fma_float", PORTABLE, constants("portable_float"), TILES),
    Family("portable", "f64", {(128, 64, 8): 2, (64, 64, 16): 3, (32, 32, 16): 6},
           "fma_double", PORTABLE, constants("portable_double"), TILES),
    Family("skinny", "f32", {(64, 8, 8): 8, (64, 16, 16): 5, (32, 32, 16): 5},
           "fma_float", THIN, skinny_constants("float"), SKINNY),
    Family("skinny", "f64", {(32, 8, 8): 6, (32, 16, 8): 4, (32, 24, 8): 3},
           "fma_double", THIN, skinny_constants("double"), SKINNY),
    Family("stream", "f32", {(128, 4, 8): 6, (128, 8, 8): 6, (32, 8, 32): 5, (128, 16, 16): 3, (64, 16, 32): 3,
                             (64, 24, 24): 4, (64, 32, 32): 3},
           "fma_float", STREAMED, stream_constants("float"), STREAM),
    Family("stream", "f64", {(64, 4, 8): 6, (64, 8, 8): 6, (32, 8, 32): 3, (64, 16, 16): 3, (32, 16, 32): 3,
                             (32, 24, 24): 3, (32, 32, 32): 2},
           "fma_double", STREAMED, stream_constants("double"), STREAM),
    Family("direct", "bf16", direct_tiles(2), "fma_float", STRAIGHT, direct_constants("std::uint16_t"), DIRECT),
    Family("direct", "f32", direct_tiles(4), "fma_float", STRAIGHT, direct_constants("float"), DIRECT),
    Family("direct", "f64", direct_tiles(8), "fma_double", STRAIGHT, direct_constants("double"), DIRECT),
    Family("panel", "f64", {(32, 128, 16): 1}, "mma_double", "panel/Tegula_PanelModel.hpp",
           ((None, "panel_rates", slice(None)),), PANEL),
]
# fmt: on
SKINNY_WARPS = 4  # of a team of skinny and stream
BANKS = 32  # of scratch


def config_of(family, tile):
    """The place of the configuration with this tile, or with its transpose."""
    tiles = list(family.tiles)
    m, n, k = tile
    return tiles.index(tile) if tile in family.tiles else tiles.index((n, m, k))


def known(family, call, way):
    config = config_of(family, way.tile)
    tile = list(family.tiles)[config] if family.kind in (SKINNY, STREAM) else way.tile
    of_config = {"config": config, "teams": family.tiles[list(family.tiles)[config]]}
    extents = dict(zip(("tile_m", "tile_n", "tile_k"), tile))
    return {**of_call(call), **of_config, **extents, **family.kind.known(family, call, way)}


class Model:
    """A family and the ways that were measured of it. Its numbers are one vector of logarithms."""

    def __init__(self, family, ways, machine):
        """`ways`: (call, way)."""
        self.family, self.machine = family, machine
        columns = [known(family, call, way) for call, way in ways]
        self.rows = types.SimpleNamespace(**{name: np.array([c[name] for c in columns]) for name in columns[0]})
        self.rows.multiply_adds = getattr(machine, family.multiply_adds)
        self.rows.multiprocessors = machine.multiprocessors
        self.rows.element_bytes, self.rows.sum_bytes = family.element_bytes, max(4, family.element_bytes)
        self.rows.warps = SKINNY_WARPS
        self._number_places()

    def _number_places(self):
        kind, count = self.family.kind, len(self.family.tiles)
        groups = {**{name: values * count for name, values in kind.rows.items()}, **kind.fields}
        self.initial = np.log(np.concatenate([np.array(values, float) for values in groups.values()]))
        ends = np.cumsum([len(values) for values in groups.values()])
        self.groups = {name: slice(end - len(groups[name]), end) for name, end in zip(groups, ends)}
        self.is_fixed, self.most = np.zeros(len(self.initial), bool), np.full(len(self.initial), np.inf)
        for name in kind.fixed:
            if name in self.groups:
                self.is_fixed[self.groups[name]][:: len(kind.rows.get(name, kind.fields.get(name)))] = True
        for name in SHARES & groups.keys():
            self.most[self.groups[name]] = 0
        uses = kind.uses(self.rows).items()
        self.places = {name: self.groups[group].start + index for name, (group, index) in uses}

    def _log_seconds(self, values):
        return np.log(self.family.kind.seconds(self.machine, self.rows, types.SimpleNamespace(**values)))

    def values(self, numbers):
        return {name: np.exp(numbers[places]) for name, places in self.places.items()}

    def log_seconds(self, numbers):
        return self._log_seconds(self.values(numbers))

    def slopes(self, numbers):
        """(places, derivatives of log_seconds) of each number that the formula uses."""
        values, step = self.values(numbers), 1e-4
        here = self._log_seconds(values)
        for name, places in self.places.items():
            there = self._log_seconds({**values, name: values[name] * np.exp(step)})
            yield places, np.where(self.is_fixed[places], 0, (there - here) / step)

    def jacobian(self, numbers):
        matrix = np.zeros((len(self.rows.m), len(numbers)))
        rows = np.arange(len(matrix))
        for places, slopes in self.slopes(numbers):
            matrix[rows, places] += slopes
        return matrix

    def gradient(self, numbers, by_row):
        """Of a function of log_seconds with these derivatives."""
        return sum(np.bincount(places, slopes * by_row, len(numbers)) for places, slopes in self.slopes(numbers))

    def by_group(self, numbers):
        """The numbers themselves."""
        return {name: np.exp(numbers[place]) for name, place in self.groups.items()}

    def from_groups(self, groups):
        return np.log(np.concatenate([groups[name] for name in self.groups]))
