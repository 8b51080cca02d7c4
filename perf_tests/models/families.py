# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The families that have models: their configurations, the numbers that are fitted, and where those stand in C++.
test_models.py compares what comes out with C++."""

import dataclasses

from calls import BYTES, LINES
from direct_kind import DIRECT, NARROW, direct_tiles, narrow_tiles
from kinds import DIRECTED_TILES, GATHERED, TILES, TILES_IN_TURNS, Kind
from thin_kinds import OUTER, OUTER_MMA, PANEL, STREAM, STREAM_MMA


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
    tile_teams: dict = dataclasses.field(default_factory=dict)  # that compute a tile together, where there are several
    at_once: dict = dataclasses.field(default_factory=dict)  # the same of second configurations, behind the first ones
    turns: frozenset = frozenset()  # tiles of teams that end one while they multiply for the next
    beside: dict = dataclasses.field(default_factory=dict)  # lanes along the short side, of tiles with more than one
    multiply_share: float = 1  # as in kernels/cuda/Tegula_TileModel.hpp

    @property
    def element_bytes(self):
        return BYTES[self.type]

    @property
    def key(self):
        return self.name, self.element_bytes


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


def constants(name, *instances):
    """In C++: of rates, of a model, and the configurations that rates are of, all of them if none is named. Rates without
    a model belong to the one before."""
    return tuple(
        (f"{name}_rates{rates}", model and f"{name}{model}", configs)
        for rates, model, configs in instances or [("", "_model", slice(None))]
    )


def gemv_constants(kind, tiles):
    return constants(
        "gemv",
        (f"<{kind}, Major::depth>", f"_model<{kind}>", slice(0, tiles)),
        (f"<{kind}, Major::lines>", None, slice(tiles, 2 * tiles)),
    )


def stream_constants(kind):
    return ((None, f"stream_model<{kind}>", slice(None)),)


def direct_constants(kind):
    return ((None, f"direct_model<{kind}>", slice(None)),)


def narrow_constants(kind):
    return ((None, f"narrow_model<{kind}>", slice(None)),)


def outer_constants(kind):
    return ((None, f"outer_model<{kind}>", slice(None)),)


def outer_tiles(teams):
    """outer_tiles in kernels/cuda/outer/Tegula_OuterTiles.hpp, from the teams of a multiprocessor by depth."""
    return {(rows, 128, depth): count for depth, count in teams.items() for rows in (16, 32, 128)}


def outer_mma_tiles(teams):
    """The same in kernels/cuda/outer_mma/Tegula_OuterMmaConfig.hpp."""
    shapes = [(rows, columns) for rows in (64, 128, 256) for columns in (128, 112)]
    return {(*shape, depth): count for shape in shapes for depth, count in teams.items()}


# Headers in kernels/cuda.
MMA, PORTABLE, GEMV = "mma/Tegula_MmaModel.hpp", "Tegula_CudaPortableModel.hpp", "gemv/Tegula_GemvModel.hpp"
WGMMA, SIMT, TF32 = "wgmma/Tegula_WgmmaModel.hpp", "simt/Tegula_SimtModel.hpp", "tf32/Tegula_Tf32Model.hpp"
SPLIT = "fp32_split/Tegula_Fp32SplitModel.hpp"
IN_PARTS = "tf32/Tegula_Tf32x3Model.hpp"
STREAMED, STRAIGHT = "stream/Tegula_StreamModel.hpp", "direct/Tegula_DirectModel.hpp"
SHORT, LONG = "outer/Tegula_OuterModel.hpp", "narrow/Tegula_NarrowModel.hpp"
SHORT_MMA = "outer_mma/Tegula_OuterMmaModel.hpp"

# fmt: off
FAMILIES = [
    Family("wgmma", "bf16", {(384, 192, 64): 1, (384, 176, 64): 1, (256, 256, 64): 1, (256, 192, 64): 1,
                             (256, 160, 64): 1, (192, 192, 64): 1, (256, 144, 64): 1, (128, 256, 64): 1,
                             (128, 192, 64): 1, (256, 128, 64): 1, (256, 96, 64): 1, (128, 128, 64): 1,
                             (256, 64, 64): 1, (64, 192, 64): 1, (64, 160, 64): 1, (128, 64, 64): 1, (64, 128, 64): 1,
                             (64, 96, 64): 1, (64, 64, 64): 1},
           "wgmma_half", WGMMA, constants("wgmma"), TILES_IN_TURNS, aligned_copies,
           {(384, 192, 64): 2, (384, 176, 64): 2, (256, 256, 64): 2, (256, 192, 64): 2, (256, 160, 64): 4, (256, 144, 64): 2,
            (256, 128, 64): 2, (256, 96, 64): 4, (256, 64, 64): 4},
           {(256, 192, 64): 4, (256, 128, 64): 4}, frozenset({(256, 128, 64), (128, 128, 64)})),
    Family("mma", "bf16", {(128, 256, 32): 1, (128, 128, 64): 2, (128, 128, 16): 2, (128, 64, 64): 2, (128, 64, 32): 2,
                           (64, 64, 64): 4, (64, 64, 32): 4},
           "mma_half", MMA, constants("mma_half"), GATHERED, aligned_copies),
    Family("mma", "f64", {(128, 128, 16): 1, (128, 64, 16): 2, (128, 64, 8): 2, (64, 64, 16): 2, (128, 32, 16): 3,
                          (32, 128, 16): 3, (64, 32, 32): 2, (64, 32, 16): 4, (32, 64, 16): 4, (32, 32, 16): 5,
                          (32, 16, 16): 8, (32, 32, 32): 2, (32, 16, 32): 4, (32, 16, 64): 2},
           "mma_double", MMA, constants("mma_double"), DIRECTED_TILES),
    Family("mma", "f32", {(128, 128, 32): 2, (128, 128, 16): 2, (128, 64, 32): 3, (128, 64, 16): 3, (64, 128, 16): 3,
                          (64, 64, 32): 4, (64, 64, 16): 4, (64, 32, 32): 4, (32, 64, 32): 4, (32, 32, 32): 4},
           "mma_half", MMA, constants("mma_tf32"), DIRECTED_TILES, multiply_share=0.5),
    Family("simt", "f32", {(64, 128, 16): 4, (128, 64, 16): 4, (64, 64, 32): 4, (32, 64, 64): 1, (32, 32, 32): 5,
                           (64, 64, 8): 5, (64, 32, 8): 10, (32, 64, 16): 8, (128, 32, 16): 5, (8, 128, 64): 2,
                           (128, 8, 64): 2},
           "fma_float", SIMT, constants("simt"), DIRECTED_TILES),
    Family("tf32", "f32", {(128, 256, 32): 1, (128, 192, 32): 1, (128, 128, 32): 1, (128, 64, 32): 1},
           "wgmma_tf32", TF32, constants("tf32"), TILES, tf32_copies),
    Family("fp32_split", "f32", {(128, 128, 64): 1, (128, 64, 64): 1, (64, 64, 64): 2},
           "wgmma_half", SPLIT, constants("fp32_split"), TILES, split_passes),
    Family("tf32x3", "f32", {(128, 64, 32): 1, (64, 64, 32): 2},
           "wgmma_tf32", IN_PARTS, constants("tf32x3"), TILES, tf32_copies),
    Family("gemv", "f32", {(64, 8, 128): 2, (64, 16, 128): 1, (128, 8, 64): 2, (128, 16, 64): 2},
           "fma_float", GEMV, gemv_constants("float", 2), TILES),
    Family("gemv", "f64", {(32, 8, 64): 2, (64, 8, 64): 2},
           "mma_double", GEMV, gemv_constants("double", 1), TILES),
    Family("portable", "bf16", {(128, 128, 8): 2, (64, 64, 16): 4, (32, 32, 32): 8},
           "fma_float", PORTABLE, constants("portable_half"), TILES),
    Family("portable", "f32", {(128, 128, 8): 2, (64, 64, 16): 4, (32, 32, 32): 8},
           "fma_float", PORTABLE, constants("portable_float"), TILES),
    Family("portable", "f64", {(128, 64, 8): 2, (64, 64, 16): 3, (32, 32, 16): 6},
           "fma_double", PORTABLE, constants("portable_double"), TILES),
    Family("stream", "f32", {(128, 4, 8): 6, (128, 8, 8): 5, (32, 8, 32): 5, (16, 8, 64): 5, (16, 8, 128): 2,
                             (128, 16, 16): 3, (32, 16, 32): 5, (64, 24, 24): 4, (32, 32, 32): 5, (64, 32, 32): 3},
           "fma_float", STREAMED, stream_constants("float"), STREAM,
           beside={(32, 8, 32): 2, (16, 8, 64): 2, (16, 8, 128): 2, (32, 16, 32): 2, (32, 32, 32): 4}),
    Family("stream", "f64", {(64, 4, 8): 6, (64, 8, 8): 5, (32, 8, 32): 3, (16, 8, 64): 2, (64, 16, 16): 3,
                             (16, 16, 32): 5, (16, 24, 24): 5, (32, 24, 24): 3, (16, 32, 32): 4, (32, 32, 32): 2},
           "fma_double", STREAMED, stream_constants("double"), STREAM,
           beside={(64, 8, 8): 2, (32, 8, 32): 2, (16, 8, 64): 2, (16, 16, 32): 4, (16, 24, 24): 4, (32, 24, 24): 4,
                   (16, 32, 32): 4, (32, 32, 32): 4}),
    Family("stream", "bf16", {(128, 8, 8): 6, (64, 8, 32): 4, (64, 16, 16): 5, (32, 64, 16): 4, (64, 32, 32): 3,
                              (32, 16, 64): 5, (32, 64, 64): 3, (32, 8, 128): 2, (32, 32, 128): 2},
           "mma_half", STREAMED, stream_constants("std::uint16_t"), STREAM_MMA),
    Family("direct", "bf16", direct_tiles(2), "fma_float", STRAIGHT, direct_constants("std::uint16_t"), DIRECT),
    Family("direct", "f32", direct_tiles(4), "fma_float", STRAIGHT, direct_constants("float"), DIRECT),
    Family("direct", "f64", direct_tiles(8), "fma_double", STRAIGHT, direct_constants("double"), DIRECT),
    Family("narrow", "bf16", narrow_tiles(2), "mma_half", LONG, narrow_constants("std::uint16_t"), NARROW),
    Family("narrow", "f64", narrow_tiles(8), "mma_double", LONG, narrow_constants("double"), NARROW),
    Family("panel", "f64", {(32, 128, 16): 1}, "mma_double", "panel/Tegula_PanelModel.hpp",
           ((None, "panel_rates", slice(None)),), PANEL),
    Family("outer", "bf16", outer_tiles({8: 6, 16: 4, 32: 3}), "fma_float", SHORT, outer_constants("std::uint16_t"), OUTER),
    Family("outer_mma", "bf16", outer_mma_tiles({16: 6, 32: 5, 64: 4}), "mma_half", SHORT_MMA,
           ((None, "outer_mma_model", slice(None)),), OUTER_MMA),
    Family("outer", "f32", outer_tiles({8: 6, 16: 4, 32: 3}), "fma_float", SHORT, outer_constants("float"), OUTER),
    Family("outer", "f64", outer_tiles({8: 4, 16: 2}), "fma_double", SHORT, outer_constants("double"), OUTER),
]
# fmt: on
