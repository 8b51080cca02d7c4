# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Two files with results, row by row: what became slower or faster beyond the noise.

The noise of a row comes from the quartiles that the files hold: a time has changed if the middle halves of its samples
lie apart, and the medians by more than a threshold. Two runs differ by more than the samples of one of them, above all
where others use the machine. What is known of that are the peers, which ran in turn with Tegula in both runs and are
the same libraries: what they moved is the machine's doing, and widens the noise.
"""

import dataclasses
import statistics
import typing

import result_files

# What else must be the same for a change to be one of Tegula.
CIRCUMSTANCES = {
    "machines": lambda context: context["device"],
    "numbers of threads": lambda context: str(context["concurrency"]),
    "execution spaces": lambda context: context["execution_space"],
    "modes": lambda context: context.get("modes", ""),
    "timers": lambda context: context["timer"],
    "families asked for": lambda context: context["family"],
    "tiles asked for": lambda context: context["tile"],
    "drivers": lambda context: context.get("driver", ""),
    "power limits": lambda context: context.get("power_limit_w", ""),
    "governors": lambda context: context.get("governor", ""),
    "builds": lambda context: context["build"],
    "versions of Kokkos": lambda context: context["kokkos"],
    "peers": lambda context: "; ".join(sorted(context["peers"].values())),
}


def cards(results):
    """The cards of the ranks, by which figures of another node are told apart."""
    places = [result_files.listed(rank["host"], rank["pci"]) for rank in results.get("ranks", ())]
    return "; ".join(places)


FEW_SAMPLES = 8  # the quartiles of fewer say little


@dataclasses.dataclass
class Change:
    """How a figure changed: time of new / time of old, and by which factors noise may have changed it."""

    factor: float
    own: float  # by the quartiles and the threshold
    machine: float = 1  # by what the peers moved

    @property
    def noise(self):
        return self.own * self.machine

    def verdict(self, noise=None):
        noise = noise or self.noise
        if self.factor > noise:
            return "slower"
        return "faster" if self.factor < 1 / noise else "same"


@dataclasses.dataclass
class Line:
    """A row of either file or of both."""

    row: dict
    verdict: str
    old: typing.Optional[float] = None  # the figure that is judged
    new: typing.Optional[float] = None
    change: typing.Optional[Change] = None
    peers: dict = dataclasses.field(default_factory=dict)  # time of new / time of old, by peer

    def moved_with_peers(self):
        """Whether it would have changed beyond the noise, had the peers not moved as much."""
        return self.change is not None and self.verdict == "same" != self.change.verdict(self.change.own)


@dataclasses.dataclass
class Figure:
    """What is judged of a row: a time, or a ratio, of which less is slower."""

    name: str
    side: str
    is_time: bool

    def of(self, row):
        """Median, quartiles and the number of samples, as times or as what stands for one; None if there are none."""
        side = row.get("sides", {}).get(self.side, {}) if row["error"] is None else {}
        if self.name not in side:
            return None
        median, low, high = (side[self.name + end] for end in ("", "_25", "_75"))
        times = (median, low, high) if self.is_time else (1 / median, 1 / high, 1 / low)
        return (*times, side["samples"])


def time_of(side):
    return Figure("seconds", side, True)


def ratio_to(peer):
    """Time of the peer / time of Tegula: what falls is slower."""
    return Figure("ratio", peer, False)


def change_of(old, new, threshold):
    """Beyond the noise are changes that set the middle halves apart, and more than the threshold."""
    (old_median, old_low, old_high, old_samples), (new_median, new_low, new_high, new_samples) = old, new
    factor = new_median / old_median
    to_slower = (old_high / old_median) * (new_median / new_low)
    to_faster = (old_median / old_low) * (new_high / new_median)
    least = 1 + threshold * (2 if min(old_samples, new_samples) < FEW_SAMPLES else 1)
    return Change(factor, max(least, to_slower if factor > 1 else to_faster))


def keyed(results):
    """The rows by what identifies them, and how often that came before: lists may name a shape twice."""
    rows, seen = {}, {}
    for row in result_files.rows_of(results):
        key = (*(row[field] for field in result_files.IDENTITY), row["rank"])
        seen[key] = seen.get(key, 0) + 1
        rows[(*key, seen[key])] = row
    return rows


def common_peers(old, new):
    """Peers that are the same library in both runs: others are no control."""
    before, after = old["context"]["peers"], new["context"]["peers"]
    return [name for name, what in after.items() if before.get(name) == what]


def peers_changes(old, new, peers):
    """Time of new / time of old of each peer that has both."""
    changes = {}
    for name in peers:
        before, after = (row["sides"].get(name, {}) for row in (old, new))
        if "seconds" in before and "seconds" in after:
            changes[name] = after["seconds"] / before["seconds"]
    return changes


def compared(old, new, figure, threshold, peers):
    """The line of a row that both files have; None where neither has the figure."""
    before, after = figure.of(old), figure.of(new)
    if before is None and after is None:
        return None
    if after is None:
        return Line(new, "failed in new")
    if before is None:
        return Line(new, "failed in old")
    change = change_of(before, after, threshold)
    moved = peers_changes(old, new, [name for name in peers if name != figure.side or not figure.is_time])
    if moved and figure.is_time:  # a ratio is free of it
        change.machine = statistics.median(max(factor, 1 / factor) for factor in moved.values())
    values = (before[0], after[0]) if figure.is_time else (1 / before[0], 1 / after[0])
    return Line(new, change.verdict(), *values, change, moved)


def compare(old, new, figure, threshold):
    """A line for every row, in the order of the new file; those that one file alone has come last."""
    old_rows, new_rows = keyed(old), keyed(new)
    peers = common_peers(old, new)
    common = [key for key in new_rows if key in old_rows]
    lines = [compared(old_rows[key], new_rows[key], figure, threshold, peers) for key in common]
    lines += [Line(row, "only in new") for key, row in new_rows.items() if key not in old_rows]
    lines += [Line(row, "only in old") for key, row in old_rows.items() if key not in new_rows]
    return [line for line in lines if line is not None]


def warnings(old, new):
    """What differs between the runs beside Tegula."""
    for what, text in CIRCUMSTANCES.items():
        before, after = text(old["context"]), text(new["context"])
        if before != after:
            yield f'different {what}: "{before}" in old, "{after}" in new'
    if cards(old) != cards(new):
        yield f'different cards: "{cards(old)}" in old, "{cards(new)}" in new'
    for name, results in (("old", old), ("new", new)):
        for rank in results.get("ranks", ()):
            if rank["failure"] is not None:
                yield f"{result_files.rank_text(rank)} failed in {name}: {rank['failure']}"
