# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The times that a family's formula predicts for ways that were measured, as a function of its numbers."""

import types

import numpy as np

from calls import ceil_div
from formulas import clusters_at_once
from kinds import SHARES, computes_transpose, config_of, of_call
from thin_kinds import STREAM, STREAM_MMA, STREAM_WARPS


def runs_at_once(family, call, way, multiprocessors):
    """choice_of_cut() in kernels/cuda/Tegula_TileModel.cpp: whether the second configuration of a tile computes this."""
    if way.tile not in family.at_once:
        return False
    works = ceil_div(call.m, way.tile[0]) * ceil_div(call.n, way.tile[1]) * way.split
    return works <= clusters_at_once(multiprocessors, family.at_once[way.tile])


def known(family, call, way, multiprocessors):
    config = config_of(family, way.tile)
    own, is_transpose = list(family.tiles)[config], computes_transpose(family, way.tile)
    tile = own if family.kind in (STREAM, STREAM_MMA) or is_transpose else way.tile
    tile_teams, takes_turns = family.tile_teams.get(own, 1), own in family.turns
    if runs_at_once(family, call, way, multiprocessors):
        config = len(family.tiles) + list(family.at_once).index(own)
        tile_teams, takes_turns = family.at_once[own], False
    of_config = {"config": config, "teams": family.tiles[own], "tile_teams": tile_teams}
    of_config |= {"takes_turns": takes_turns, "beside": family.beside.get(own, 1)}
    of_config["clusters"] = clusters_at_once(multiprocessors, tile_teams)  # with a multiprocessor a team
    extents = dict(zip(("tile_m", "tile_n", "tile_k"), tile))
    if is_transpose:
        extents["m"], extents["n"] = call.n, call.m
    return {**of_call(call), **of_config, **extents, **family.kind.known(family, call, way)}


class Model:
    """A family and the ways that were measured of it. Its numbers are one vector of logarithms."""

    def __init__(self, family, ways, machine):
        """`ways`: (call, way)."""
        self.family, self.machine = family, machine
        columns = [known(family, call, way, machine.multiprocessors) for call, way in ways]
        self.rows = types.SimpleNamespace(**{name: np.array([c[name] for c in columns]) for name in columns[0]})
        self.rows.multiply_adds = family.multiply_share * getattr(machine, family.multiply_adds)
        self.rows.multiprocessors = machine.multiprocessors
        self.rows.element_bytes, self.rows.sum_bytes = family.element_bytes, max(4, family.element_bytes)
        self.rows.warps = STREAM_WARPS
        self._number_places()

    def _number_places(self):
        kind, count = self.family.kind, len(self.family.tiles) + len(self.family.at_once)
        groups = {**{name: values * count for name, values in kind.rows.items()}, **kind.fields}
        self.initial = np.log(np.concatenate([np.array(values, float) for values in groups.values()]))
        ends = np.cumsum([len(values) for values in groups.values()])
        self.groups = {name: slice(end - len(groups[name]), end) for name, end in zip(groups, ends)}
        self.is_fixed, self.most = np.zeros(len(self.initial), bool), np.full(len(self.initial), np.inf)
        for name in kind.fixed & self.groups.keys():
            self.is_fixed[self.groups[name]][:: len(kind.groups[name])] = True
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

    def start_from(self, groups, names):
        """Numbers of other names stay what they are in these groups."""
        self.initial = self.from_groups(groups)
        for name, place in self.groups.items():
            if name not in names:
                self.is_fixed[place] = True

    def from_groups(self, groups):
        return np.log(np.concatenate([groups[name] for name in self.groups]))
