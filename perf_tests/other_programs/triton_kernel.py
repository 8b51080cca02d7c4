# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""C = act(X Y + bias) in Triton: a program forms a tile of C, and programs run by groups of rows of tiles, so that
those that run at the same time share what they read."""

import triton
import triton.language as tl

# (tile_m, tile_n, tile_k, stages, warps)
TILES = (
    *((128, 256, 64, 3, 8), (256, 128, 64, 3, 8), (128, 256, 64, 4, 8), (128, 128, 64, 4, 8), (128, 128, 64, 4, 4)),
    *((128, 128, 32, 4, 4), (128, 64, 64, 4, 4), (64, 128, 64, 4, 4), (64, 256, 32, 4, 4), (64, 64, 64, 5, 4)),
    *((32, 64, 64, 5, 4), (64, 32, 64, 5, 4), (16, 64, 128, 4, 4), (16, 128, 128, 4, 4)),
)
GROUP = 8  # rows of tiles


def config(tile_m, tile_n, tile_k, stages, warps):
    sides = {"TILE_M": tile_m, "TILE_N": tile_n, "TILE_K": tile_k, "GROUP": GROUP}
    return triton.Config(sides, num_stages=stages, num_warps=warps)


@triton.jit
def activated(z, ACTIVATION: tl.constexpr):
    if ACTIVATION == "relu":
        z = tl.where(z < 0, 0.0, z)
    elif ACTIVATION == "leaky_relu":
        z = tl.where(z > 0, z, 0.01 * z)
    elif ACTIVATION == "tanh":
        z = 2 * tl.sigmoid(2 * z) - 1
    elif ACTIVATION == "sigmoid":
        z = tl.sigmoid(z)
    elif ACTIVATION == "silu":
        z = z * tl.sigmoid(z)
    elif ACTIVATION == "gelu_tanh":
        # 1 + tanh(t) = 2 sigmoid(2 t)
        z = z * tl.sigmoid(1.5957691216057308 * z * (1 + 0.044715 * z * z))
    elif ACTIVATION == "gelu_erf":
        z = 0.5 * z * (1 + tl.erf(z * 0.7071067811865476))
    return z


@triton.jit
def layer_kernel(
    X, Y, bias, C,
    m, n, k,
    x_row, x_column, y_row, y_column, c_row,
    HAS_BIAS: tl.constexpr, ACTIVATION: tl.constexpr, PRECISION: tl.constexpr,
    TILE_M: tl.constexpr, TILE_N: tl.constexpr, TILE_K: tl.constexpr, GROUP: tl.constexpr,
):  # fmt: skip
    number = tl.program_id(0)
    tiles_m, tiles_n = tl.cdiv(m, TILE_M), tl.cdiv(n, TILE_N)
    first_m = number // (GROUP * tiles_n) * GROUP
    rows_of_group = min(tiles_m - first_m, GROUP)
    tile_m = first_m + number % (GROUP * tiles_n) % rows_of_group
    tile_n = number % (GROUP * tiles_n) // rows_of_group

    i = tile_m * TILE_M + tl.arange(0, TILE_M)
    j = tile_n * TILE_N + tl.arange(0, TILE_N)
    q = tl.arange(0, TILE_K)
    # Rows and columns beyond the edge read others again, and are not stored.
    x = X + (i % m).to(tl.int64)[:, None] * x_row + q[None, :] * x_column
    y = Y + q[:, None] * y_row + (j % n).to(tl.int64)[None, :] * y_column
    sums = tl.zeros((TILE_M, TILE_N), dtype=tl.float32)
    for step in range(0, tl.cdiv(k, TILE_K)):
        left = k - step * TILE_K
        x_tile = tl.load(x, mask=q[None, :] < left, other=0.0)
        y_tile = tl.load(y, mask=q[:, None] < left, other=0.0)
        sums = tl.dot(x_tile, y_tile, sums, input_precision=PRECISION)
        x += TILE_K * x_column
        y += TILE_K * y_row

    if HAS_BIAS:
        sums += tl.load(bias + j, mask=j < n, other=0.0).to(tl.float32)[None, :]
    sums = activated(sums, ACTIVATION)
    c = C + i.to(tl.int64)[:, None] * c_row + j[None, :]
    tl.store(c, sums.to(C.dtype.element_ty), mask=(i[:, None] < m) & (j[None, :] < n))


def worth_trying(configs, arguments, **constants):
    """Native products of float have no matrix units: large tiles take minutes to compile, and are slow."""
    if arguments["X"].element_size() < 4 or constants["PRECISION"] == "tf32":
        return configs
    return [each for each in configs if each.kwargs["TILE_M"] * each.kwargs["TILE_N"] <= 64 * 128]


tuned_kernel = triton.autotune(
    configs=[config(*tile) for tile in TILES],
    key=["m", "n", "k", "x_row", "y_row"],
    prune_configs_by={"early_config_prune": worth_trying},
)(layer_kernel)


def layer(x, y, bias, C, activation, tf32):
    """C, row-major, of x and y of any strides."""
    (m, k), n = x.shape, y.shape[1]

    def grid(sides):
        return (triton.cdiv(m, sides["TILE_M"]) * triton.cdiv(n, sides["TILE_N"]),)

    constants = {"HAS_BIAS": bias is not None, "ACTIVATION": activation, "PRECISION": "tf32" if tf32 else "ieee"}
    arguments = (x, y, bias, C, m, n, k, *x.stride(), *y.stride(), C.stride(0))
    if x.is_cuda:
        tuned_kernel[grid](*arguments, **constants)
    else:  # interpreted, where there is nothing to tune
        layer_kernel[grid](*arguments, **constants, **config(32, 64, 64, 1, 4).kwargs)
    return C
