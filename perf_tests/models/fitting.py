# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The numbers of all families, fitted in two stages: so that times are predicted, then so that the planner, which takes
the way with the least predicted time, takes one that is about as fast as the best."""

import collections
import time

import numpy as np
from scipy.optimize import least_squares

from families import FAMILIES
from kinds import has_tile
from model import Model


def without_gone(calls):
    """Takes ways of tiles that are no more from calls, and counts them by family and tile."""
    families, gone = {family.key: family for family in FAMILIES}, collections.Counter()
    for call in calls:
        ways, call.ways = call.ways, []
        for way in ways:
            if (way.family, call.element_bytes) not in families:
                raise ValueError(f"{way.family} has no model for {call.type}")
            if has_tile(families[way.family, call.element_bytes], way.tile):
                call.ways.append(way)
            else:
                gone[f"{way.family} {'x'.join(map(str, way.tile))}"] += 1
    return gone


class Measured:
    """All ways of all families that have models and were measured, one after the other."""

    def __init__(self, calls, machine):
        by_family = {family.key: [] for family in FAMILIES}
        self.gone = without_gone(calls)
        for number, call in enumerate(calls):
            for way in call.ways:
                by_family[way.family, call.element_bytes].append((number, call, way))
        self.calls, self.models, self.rows = calls, {}, {}
        numbers, seconds, end = [], [], 0
        for family in FAMILIES:
            ways = by_family[family.key]
            if not ways:
                continue
            self.models[family.key] = Model(family, [way[1:] for way in ways], machine)
            self.rows[family.key] = slice(end, end + len(ways))
            end += len(ways)
            numbers += [way[0] for way in ways]
            seconds += [way[2].seconds for way in ways]
        self.call, self.log_seconds = np.array(numbers), np.log(seconds)
        self.is_held = np.array([call.is_held for call in calls])
        self.best = np.array([call.best for call in calls])
        self.log_regret = self.log_seconds - np.log(self.best)[self.call]
        # Ways far from the best are never taken, however badly they are predicted.
        self.weights = np.exp(-0.7 * self.log_regret)

    def predicted(self, numbers):
        return np.concatenate([self.models[key].log_seconds(numbers[key]) for key in self.models])

    def chosen(self, predicted):
        """Of each call the way with the least predicted time."""
        order = np.lexsort((predicted, self.call))
        return order[np.unique(self.call[order], return_index=True)[1]]


def fit_times(measured, key, pull=0.02):
    """Least squares of logarithms. Numbers that few ways depend on are pulled to where they began. Ways that take three
    times as long as the best one are left out. A call with many ways counts more than one with few, but not by as much
    as it has ways, whose errors are alike."""
    model, rows = measured.models[key], measured.rows[key]
    is_fitted = ~measured.is_held[measured.call[rows]] & (measured.log_regret[rows] < np.log(3))
    weights, log_seconds = measured.weights[rows][is_fitted], measured.log_seconds[rows][is_fitted]
    call = measured.call[rows][is_fitted]
    weights = weights / np.bincount(call, weights**2)[call] ** 0.25

    def errors(numbers):
        errors = (model.log_seconds(numbers)[is_fitted] - log_seconds) * weights
        return np.concatenate([errors, pull * (numbers - model.initial)])

    def jacobian(numbers):
        slopes = model.jacobian(numbers)[is_fitted] * weights[:, None]
        return np.concatenate([slopes, pull * np.eye(len(numbers))])

    bounds = -np.inf, model.most
    return least_squares(errors, model.initial, jacobian, bounds, loss="soft_l1", f_scale=0.1, max_nfev=120).x


def calls_of_the_shape(calls):
    """Of each call: how many are of its type and extents."""
    shapes = [(call.types, call.compute, call.m, call.n, call.k) for call in calls]
    counts = collections.Counter(shapes)
    return np.array([counts[shape] for shape in shapes])


class Regret:
    """What is minimised: the mean of the logarithms of the regret of a planner that takes a way with a probability of
    exp(-log(predicted seconds) / softness), and a share of the errors of predictions: squares of small ones. The ways of
    a call by one family err alike and count as one, so that families with few tiles keep to what was measured, too."""

    def __init__(self, measured, weight, softness=0.03):
        self.measured, self.softness = measured, softness
        # Long calls are few among those that are drawn, and most of the time of those who have them. Calls of one shape,
        # which differ by their directions, tell less than as many others would.
        calls = np.where(measured.is_held, 0, measured.best**0.1) / np.sqrt(calls_of_the_shape(measured.calls))
        self.fitted = calls / np.sum(calls)
        counts = np.zeros(len(measured.call))
        for rows in measured.rows.values():
            call = measured.call[rows]
            counts[rows] = self.fitted[call] / np.bincount(call)[call] if len(call) else 0
        self.error_weights = weight * counts / np.sum(counts) * measured.weights**2
        self.log_regret = np.minimum(measured.log_regret, 1.5)

    def __call__(self, predicted):
        """The value, and its derivatives by the logarithms of predicted times."""
        call, count = self.measured.call, len(self.measured.calls)
        least = np.full(count, np.inf)
        np.minimum.at(least, call, predicted)
        share = np.exp((least[call] - predicted) / self.softness)
        share /= np.bincount(call, share, count)[call]
        regret = np.bincount(call, share * self.log_regret, count)
        slopes = -share * (self.log_regret - regret[call]) / self.softness * self.fitted[call]

        error, large = predicted - self.measured.log_seconds, 0.3
        root = np.sqrt(1 + (error / large) ** 2)
        value = regret @ self.fitted + np.sum(self.error_weights * 2 * large**2 * (root - 1))
        return value, slopes + self.error_weights * 2 * error / root


class Adam:
    """Steps down a gradient, of about one size for each number."""

    def __init__(self, count):
        self.mean, self.square, self.steps = np.zeros(count), np.zeros(count), 0

    def step(self, gradient, rate):
        self.steps += 1
        self.mean += 0.1 * (gradient - self.mean)
        self.square += 0.01 * (gradient**2 - self.square)
        mean, square = self.mean / (1 - 0.9**self.steps), self.square / (1 - 0.99**self.steps)
        return -rate * mean / (np.sqrt(square) + 1e-7)


def fit_regret(measured, numbers, weight, steps, seconds, pull=2e-5):
    """Gradient steps, of all families together; the best numbers that were met."""
    objective, begin, start = Regret(measured, weight), time.monotonic(), numbers
    paths = {key: Adam(len(start[key])) for key in start}
    best_value, best = np.inf, start
    for step in range(steps):
        value, slopes = objective(measured.predicted(numbers))
        if value < best_value:
            best_value, best = value, numbers
        if step % 20 == 0:
            print(f"step {step}: {value:.4f}", flush=True)
        if time.monotonic() - begin > seconds:
            print(f"stopped after {step} of {steps} steps: another run need not end with the same numbers")
            break
        rate = 0.02 * 0.1 ** (step / steps)
        next_numbers = {}
        for key, model in measured.models.items():
            gradient = model.gradient(numbers[key], slopes[measured.rows[key]]) + pull * (numbers[key] - start[key])
            next_numbers[key] = np.minimum(numbers[key] + paths[key].step(gradient, rate), model.most)
        numbers = next_numbers
    return best
