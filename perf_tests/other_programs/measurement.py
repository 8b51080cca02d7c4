# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The method of Tegula_PerfMeasurement.cpp for sides in Python: checked before anything is timed, batches of about a
millisecond in rounds whose order rotates, rested or sustained, medians and quartiles.

A side has calls, one for each set of operands, that queue work and do not wait for it. A clock's batch(calls, call)
returns what runs so many calls and returns their seconds. There is no Tegula here: the first side that goes well says
when a repetition is long enough, as Tegula does there.
"""

import dataclasses
import math
import time

from figures import quantile

BATCH_SECONDS, MOST_CALLS = 1e-3, 10**6
REST_SECONDS, WORK_SECONDS = 0.4, 0.2
FEWEST_ROUNDS, PATIENCE = 3, 4  # patience: a limit on the time of all sides, in min_time for each


@dataclasses.dataclass
class Side:
    """What forms the results of a case."""

    name: str
    path: str  # what runs
    calls: list = dataclasses.field(default_factory=list)
    absent: str = ""  # why it does not take the case
    failure: str = ""


@dataclasses.dataclass
class Timed:
    """A side whose results were right."""

    side: Side
    error: float
    calls: int = 0  # of a batch
    batch: object = None
    seconds: list = dataclasses.field(default_factory=list)  # of calls


def mean(values):
    return math.fsum(values) / len(values)


def operand_sets(operand_bytes, cache_bytes):
    """So many that three times the last cache lies between two uses of one."""
    return min(max(math.ceil(3 * cache_bytes / operand_bytes), 1), 256)


class Measurement:
    """A case, which has sides, reset(side), wait() and check(side): the error of its results, or an exception."""

    def __init__(self, case, clock, now=time.perf_counter, sleep=time.sleep):
        self.case, self.clock, self.now, self.sleep = case, clock, now, sleep
        self.next_set = self.first_turn = 0  # of whatever side
        self.timed = []
        for side in case.sides:
            if side.calls:
                self.attempt(side, lambda side=side: self.check(side))
        for timed in list(self.timed):
            self.attempt(timed.side, lambda timed=timed: self.choose_calls(timed))

    def attempt(self, side, work):
        """A side that fails is measured no more."""
        try:
            work()
        except Exception as error:  # whatever it is, the others go on
            side.failure = f"{type(error).__name__}: {error}"[:500]
            self.timed = [timed for timed in self.timed if timed.side is not side]

    def check(self, side):
        self.case.reset(side)
        for call in side.calls:
            call()
        self.case.wait()
        self.timed.append(Timed(side, self.case.check(side)))

    def choose_calls(self, timed):
        """As many as are long beside a clock's resolution; at least one for each set, which a graph repeats."""
        sets = timed.side.calls

        def call():
            self.next_set += 1
            sets[(self.next_set - 1) % len(sets)]()

        timed.calls = len(sets)
        while True:
            timed.batch = None  # frees what it holds before there is another, as do results that lie in it
            self.case.reset(timed.side)
            timed.batch = self.clock.batch(timed.calls, call)
            call_seconds = max(mean(timed.batch()), 1e-9)
            if call_seconds * timed.calls >= BATCH_SECONDS or timed.calls >= MOST_CALLS:
                return
            needed = math.ceil(1.1 * BATCH_SECONDS / call_seconds)
            timed.calls = min(needed, 100 * timed.calls, MOST_CALLS)

    def round(self):
        """A batch of each side, another of which begins each time. Seconds of the first side, and of all."""
        of_all = of_first = 0.0
        sides = list(self.timed)
        for turn in range(len(sides)):
            timed = sides[(self.first_turn + turn) % len(sides)]
            times = []
            self.attempt(timed.side, lambda timed=timed, times=times: times.extend(timed.batch()))
            if times:
                timed.seconds += times
                of_all += mean(times) * timed.calls
                of_first += mean(times) * timed.calls if timed is sides[0] else 0
        self.first_turn = (self.first_turn + 1) % max(1, len(self.timed))
        return of_first, of_all

    def prepare(self, mode):
        """Rounds that make the load are not kept."""
        if mode == "rested":
            self.sleep(REST_SECONDS)
        if mode != "sustained":
            return
        kept = [(timed, len(timed.seconds)) for timed in self.timed]
        start = self.now()
        while self.timed and self.now() - start < WORK_SECONDS:
            self.round()
        for timed, count in kept:
            del timed.seconds[count:]

    def time(self, mode, min_time):
        """One repetition: the load, then rounds."""
        self.prepare(mode)
        of_first = of_all = 0.0
        rounds = 0
        while self.timed and of_first < min_time:
            if rounds >= FEWEST_ROUNDS and of_all > PATIENCE * min_time * len(self.timed):
                break
            first, every = self.round()
            of_first, of_all, rounds = of_first + first, of_all + every, rounds + 1

    def clear(self):
        for timed in self.timed:
            timed.seconds.clear()

    def figures(self, flops, moved_bytes):
        """Of each side, as files with results have them."""
        by_name = {timed.side.name: timed for timed in self.timed}
        return {side.name: side_figures(side, by_name.get(side.name), flops, moved_bytes) for side in self.case.sides}


def side_figures(side, timed, flops, moved_bytes):
    if side.failure:
        return {"failed": side.failure}
    if side.absent:
        return {"absent": side.absent}
    low, median, high = (quantile(timed.seconds, part) for part in (0.25, 0.5, 0.75))
    times = {"seconds": median, "seconds_25": low, "seconds_75": high}
    rates = {"gflops": 1e-9 * flops / median, "gbs": 1e-9 * moved_bytes / median}
    return {"path": side.path, "error": timed.error, "samples": len(timed.seconds), **times, **rates}
