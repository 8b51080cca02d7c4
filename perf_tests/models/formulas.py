# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The formulas of C++, a measured way a row: tile_seconds() and copies_seconds() in kernels/cuda/Tegula_TileModel.cpp,
seconds_of() in kernels/cuda/stream, panel, outer and outer_mma. `r` has what is known of the ways, `v` the fitted numbers that each uses,
both as arrays; names are those of C++."""

import numpy as np

from calls import LINES_ONE_BY_ONE, ceil_div


def slowest_of(*seconds):
    return sum(s**4 for s in seconds) ** 0.25


def epilogue_seconds(r, v):
    """Until a C that is read, or a bias, is there."""
    return r.adds * v.added + r.biases * v.biased


def least_seconds(machine, r):
    """Nothing is faster than the machine."""
    arithmetic = r.m * r.n * r.k / (r.multiply_adds * machine.multiprocessors * machine.clock)
    return np.maximum(arithmetic, (r.operand_bytes + r.result_bytes) / machine.memory)


def finish_of(r, v, widened=1):
    """What an activation that takes an exponential, and a Z, add."""
    return r.takes_exponentials * v.activated + r.stores_Z * v.kept * widened


def fetch_cycles(r, left, missed_left, right, missed_right):
    """For a step of one element along the inner dimension of a team's part of a tile."""
    team_m = r.tile_m // r.tile_teams
    rows, columns = np.minimum(team_m, r.m), np.minimum(r.tile_n, r.n)
    return (rows + (team_m - rows) * missed_left) * left + (columns + (r.tile_n - columns) * missed_right) * right


def at_once(cluster, teams):
    """sharing_at_once in kernels/cuda/Tegula_SharingTeams.hpp, where a multiprocessor has room for so many teams."""
    of_4 = {1: 30 / 33, 2: 62 / 66}.get(teams, 92 / 99)
    return {1: 1, 2: 1, 4: of_4, 8: 30 / 33}[cluster]


def clusters_at_once(multiprocessors, cluster):
    """Clusters of so many teams, each of which has a multiprocessor."""
    return max(1, round(at_once(cluster, 1) * multiprocessors) // cluster)


def cut_extents(r):
    """Rows and columns that are cut along k: those behind waves of whole tiles (whole_part() in
    kernels/product/Tegula_ProductPlan.cpp)."""
    rows, columns, most = ceil_div(r.m, r.tile_m), ceil_div(r.n, r.tile_n), r.waves * r.clusters * r.teams
    by_rows, by_columns = most // columns, most // rows
    is_by_rows = by_rows * columns >= by_columns * rows
    return r.m - is_by_rows * by_rows * r.tile_m, r.n - ~is_by_rows * by_columns * r.tile_n


def counts_of_tiles(r):
    """Of whole tiles, and of parts of the others."""
    m, n = cut_extents(r)
    rest = ceil_div(m, r.tile_m) * ceil_div(n, r.tile_n)
    return ceil_div(r.m, r.tile_m) * ceil_div(r.n, r.tile_n) - rest, rest * r.parts


def crowded(r, v, by, fetched, teams=1):
    """Cycles for an element whose lines many multiprocessors fetch one by one, each of so many teams a part for all."""
    crowd = np.minimum(1, sum(counts_of_tiles(r)) * r.tile_teams / r.multiprocessors)
    return fetched * np.where(by == LINES_ONE_BY_ONE, (1 + getattr(v, "crowded", 0) * crowd) / teams, 1)


def straddled(v):
    """By which factors fetching takes longer of the left and of the right operand. Not every family has numbers for them."""
    return getattr(v, "straddled_left", 1), getattr(v, "straddled_right", 1)


def cycles_in_turns(v, multiplying, around, tiles, has_last):
    """Of a team that begins and ends a tile while it multiplies for another, if there is one behind it."""
    shown = np.maximum(getattr(v, "beside", 0) * around, (around - multiplying) / 2)
    return tiles * (multiplying + shown) + has_last * (around - shown)


def stores_of(r, v, is_slice):
    """Cycles of the end of a tile. Slices are finished by another kernel."""
    team_m = r.tile_m // r.tile_teams
    inside, whole = np.minimum(team_m, r.m) * np.minimum(r.tile_n, r.n), team_m * r.tile_n
    if is_slice:
        return (inside * v.slice_stored + whole * v.slice_walked) / v.stored_rate
    widened = np.where(r.is_widened == 1, getattr(v, "widened", 1), 1)
    return widened * (inside * v.stored + whole * v.walked) / v.stored_rate + whole * finish_of(r, v, widened)


def cycles_of_tiles(r, v, fetched, parts, stores, tiles, has_first, has_last):
    """Cycles of so many tiles of a multiprocessor, in so many parts, and the square of what they vary by."""
    depth = r.tile_k * ceil_div(ceil_div(r.k, r.tile_k), parts)
    rate = r.multiply_adds * getattr(v, "directions", 1)  # Not every family has a number for them.
    products, fetches = r.tile_m // r.tile_teams * r.tile_n * depth / rate, fetched * depth

    def both(multiplying, fetching):
        return np.maximum(multiplying, fetching) + v.exposed * np.minimum(multiplying, fetching)

    alone, full = both(products / v.alone, v.waiting * fetches), both(products / v.full, fetches)

    def round_of(teams):
        return v.start + np.maximum(alone, teams * full) + teams * stores

    rest, rounds = tiles % r.teams, ceil_div(tiles, r.teams)
    is_ready = (depth == r.tile_k) & (r.adds == 0)
    begun = (1 - np.where(is_ready, 0, v.again)) * v.start * (rounds - has_first) if hasattr(v, "again") else 0
    in_rounds = tiles // r.teams * round_of(r.teams) + np.where(rest > 0, round_of(rest), 0) - begun
    in_turns = cycles_in_turns(v, np.maximum(alone, full), v.start + stores, tiles, has_last)
    usual = np.where(tiles > 0, np.where(r.takes_turns, in_turns, in_rounds), 0)
    return usual, (v.uneven * usual) ** 2 / np.maximum(1, rounds)


def cycles_of(r, v, fetched):
    """Cycles of the multiprocessor with most tiles, of which whole ones come first."""
    whole, parts = counts_of_tiles(r)
    most, most_whole = ceil_div(whole + parts, r.clusters), ceil_div(whole, r.clusters)
    stores = np.where(r.parts > 1, stores_of(r, v, True), stores_of(r, v, False))
    first = cycles_of_tiles(r, v, fetched, 1, stores_of(r, v, False), most_whole, 1, most == most_whole)
    last = cycles_of_tiles(r, v, fetched, r.parts, stores, most - most_whole, most_whole == 0, True)
    return first[0] + last[0] + np.sqrt(first[1] + last[1])


def shows_scattered(machine, r):
    """As in kernels/cuda/Tegula_TileModel.cpp."""
    m, n = cut_extents(r)
    return (r.is_scattered == 1) & (m * n > 2048 * machine.multiprocessors)


def tile_seconds(machine, r, v, fetched):
    """`fetched`: fetch_cycles()."""
    arithmetic = cycles_of(r, v, fetched) / machine.clock
    memory = (r.operand_bytes + r.result_bytes * v.results) / (v.memory * machine.memory)
    left, right = straddled(v)
    loaded = r.element_bytes * r.k * (r.m * ceil_div(r.n, r.tile_n) * left + r.n * ceil_div(r.m, r.tile_m) * right)
    slowest = slowest_of(arithmetic, memory, loaded / (v.cache * machine.cache))
    kernel = np.maximum(least_seconds(machine, r), slowest + v.apart * np.minimum(arithmetic, memory))
    m, n = cut_extents(r)
    scattered = np.where(shows_scattered(machine, r), getattr(v, "scattered", 1), 1)
    added = scattered * r.sum_bytes * m * n * (r.parts + 1) / (v.slice_bytes * machine.memory)
    slices = v.slices * machine.kernel + added + v.slice * r.parts
    return machine.kernel + kernel + epilogue_seconds(r, v) + np.where(r.parts > 1, slices, 0)


def copies_seconds(machine, r, v):
    return r.copies * v.copy * machine.kernel + 2 * r.copied_bytes / (v.copy_bytes * machine.memory)


def with_copies(machine, r, v):
    """Seconds of a kernel and of the copies before it."""
    left, right = crowded(r, v, r.left, v.fetched_left), crowded(r, v, r.right, v.fetched_right, r.tile_teams)
    by_left, by_right = straddled(v)
    fetched = fetch_cycles(r, left * by_left, v.missed_left, right * by_right, v.missed_right)
    return tile_seconds(machine, r, v, fetched) + copies_seconds(machine, r, v)


def with_copies_or_gathered(machine, r, v):
    """Operands that are not aligned are copied, or gathered by the kernel: what takes less time."""
    here = fetch_cycles(r, v.fetched_left, v.missed_left, v.fetched_right, v.missed_right)
    there = fetch_cycles(r, v.copied_left, v.missed_copied_left, v.copied_right, v.missed_copied_right)
    gathered = tile_seconds(machine, r, v, here)
    copied = tile_seconds(machine, r, v, there) + copies_seconds(machine, r, v)
    return np.where(r.copies > 0, np.minimum(gathered, copied), gathered)


def stream_seconds(machine, r, v):
    block, words = 16 // r.element_bytes, r.element_bytes / 4
    lane_lines, lane_width, stored = r.tile_m * r.beside / 32, r.tile_n / r.beside, r.tile_m / 32
    loaded = r.k * (lane_lines / np.where((r.form_in == 0) & (r.has_elements == 0), block, 1) + lane_width / block)
    multiplied = r.k * lane_lines * lane_width * words
    results = r.columns * (1 + r.adds)
    moved = moved_lines(r, v, np.minimum(r.lines, r.tile_m) / (block * 32))
    instructions = v.tile + multiplied + loaded + (results + r.columns * finish_of(r, v)) * stored + moved
    turns_in = r.k * (lane_lines * r.turns_in + lane_width / block * words)
    scratch = v.turn * (turns_in + results * stored * r.turns_out)
    return held_seconds(machine, r, v, r.k) + streamed_seconds(machine, r, v, instructions, scratch)


def stream_mma_seconds(machine, r, v):
    block, once = 8, 32
    lines = np.minimum(r.lines, r.tile_m)
    parts, chunks = ceil_div(r.columns, block), lines / (block * 32)
    multiplied = ceil_div(r.k, 16) * (v.read + r.tile_n / block * v.multiplied) + parts * v.put
    finished = chunks * r.columns * finish_of(r, v)
    instructions = v.tile + ceil_div(lines, once) * multiplied + moved_lines(r, v, chunks) + finished
    return held_seconds(machine, r, v, ceil_div(r.k, 16) * 16) + streamed_seconds(machine, r, v, instructions, 0)


def held_seconds(machine, r, v, depth):
    """Until a team has the short operand."""
    return v.held * ceil_div(depth * r.tile_n, 32 * r.warps) / machine.clock


def moved_lines(r, v, chunks):
    """Instructions of a warp that moves lines, a lane so many chunks of a column of theirs, to scratch and from it."""
    of_operand = r.k * (chunks * v.chunk_in + (r.form_in > 0) * v.column)
    return of_operand + r.columns * (1 + r.adds) * (chunks * v.chunk_out + (r.form_out > 0) * v.column)


def streamed_seconds(machine, r, v, instructions, scratch):
    """Of tiles that take a warp so many instructions, and so many cycles of scratch."""
    warps, tiles = r.teams * r.warps, ceil_div(r.lines, r.tile_m)
    alone = ceil_div(tiles, machine.multiprocessors * warps) * instructions * v.alone
    together = np.maximum(instructions * (warps + v.warps) / (4 * warps), scratch)
    cycles = np.maximum(alone, ceil_div(tiles, machine.multiprocessors) * together)
    bytes_moved = r.operand_bytes + r.result_bytes
    kernel = slowest_of(bytes_moved / (v.memory * machine.memory), cycles / machine.clock)
    units = r.multiply_adds * machine.multiprocessors * machine.clock
    least = np.maximum(bytes_moved / machine.memory, r.lines * r.tile_n * r.k / units)
    return machine.kernel + v.start + epilogue_seconds(r, v) + np.maximum(least, kernel)


def direct_seconds(machine, r, v):
    teams = ceil_div(r.all_teams, machine.multiprocessors)
    rounds = np.ceil(r.all_teams / (r.at_once * r.teams * machine.multiprocessors))
    reads = (
        r.reads_by_depth * v.read_by_depth
        + r.reads_by_lines * v.read_by_lines
        + r.reads_by_elements_of_depth * v.read_by_elements_of_depth
        + r.reads_by_elements_of_lines * v.read_by_elements_of_lines
    )
    work = r.chunks * (reads + r.multiplied * v.multiply)
    waiting = v.first_wait + (r.batches - 1) * v.next_wait + work * v.alone + r.turns * (v.store + finish_of(r, v))
    cycles = rounds * waiting + teams * r.warps_inside * work + r.has_cluster * v.cluster
    memory = (r.operand_bytes + r.result_bytes) / (v.memory * machine.memory)
    return machine.kernel + v.start + np.maximum(least_seconds(machine, r), memory + cycles / machine.clock)


def panel_seconds(machine, r, v):
    rows, panels = ceil_div(r.m, r.tile_m), ceil_div(r.n, r.tile_n)
    even = machine.multiprocessors // panels * panels
    is_even = 20 * even >= 19 * machine.multiprocessors
    teams = np.minimum(rows * panels, np.where(is_even, even, machine.multiprocessors))
    products = r.tile_m * r.tile_n * ceil_div(r.k, 8) * 8 / (v.full * r.multiply_adds)
    arithmetic = ceil_div(rows * panels, teams) * (products + v.tile + r.adds * v.added) / machine.clock
    memory = (r.operand_bytes + r.result_bytes) / (v.memory * machine.memory)
    return machine.kernel + v.start + np.maximum(least_seconds(machine, r), slowest_of(arithmetic, memory))


def outer_seconds(machine, r, v):
    tiles = ceil_div(r.m, r.tile_m) * ceil_div(r.n, r.tile_n)
    most = ceil_div(tiles, machine.multiprocessors)
    work = r.k * v.hold + np.minimum(r.tile_m, r.m) * (v.row + ceil_div(r.k, 4) * 4 * v.step + finish_of(r, v))
    waiting = ceil_div(most, r.teams) * (v.wait + v.alone * work) / machine.clock
    memory = (r.operand_bytes + r.result_bytes) / (v.memory * machine.memory)
    kernel = np.maximum(least_seconds(machine, r), slowest_of(memory, most * work / machine.clock, waiting))
    return machine.kernel + v.start + epilogue_seconds(r, v) + kernel


def outer_mma_seconds(machine, r, v):
    tiles = ceil_div(r.m, r.tile_m) * ceil_div(r.n, r.tile_n)
    most = ceil_div(tiles, machine.multiprocessors)
    work = r.k * v.hold + np.minimum(r.tile_m, r.m) * (v.row + ceil_div(r.k, 16) * 16 * v.step)
    waiting = ceil_div(most, r.teams) * (v.wait + v.alone * work) / machine.clock
    memory = (r.operand_bytes + r.result_bytes) / (v.memory * machine.memory)
    kernel = np.maximum(least_seconds(machine, r), slowest_of(memory, most * work / machine.clock, waiting))
    return machine.kernel + v.start + r.biases * v.biased + kernel
