# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rows that were measured in another process than Tegula's: they are put beside its rows of the same calls on the same
machine, by the same timer in the same mode, and their ratios are those of two medians."""

import dataclasses

import result_files
import runs as of_runs
from figures import seconds_text
from page import Cell, Section, details, escaped, paragraph, table

# What makes rows the same call. Of Tegula's, those count that the planner chose for.
KEY = ("machine", "call", *(field for field in result_files.IDENTITY if field not in ("program", "family", "tile")))

WHY = (
    "These rows were measured in another process than Tegula's, at another time. No round has both, so that the two "
    "may have met other clocks, other temperatures and other places in memory: a ratio is that of the two medians, and "
    "is shown to one decimal at most. Its quartiles are those that are farthest apart. Rows are put beside each other "
    "where machine, call, extents, types, operations, layer, timer and mode are the same."
)
HEAD = ("m x n x k", "layer", "elements", "mode", "peer", "time", "GFLOP/s", "ratio")


def key_of(row):
    return tuple(row[field] for field in KEY)


@dataclasses.dataclass
class Beside:
    """A run of another process."""

    run: of_runs.Run
    ratios: dict  # texts by number of the row and peer, where Tegula has the row


def side_beside(side, tegula):
    """The figures of another process with the ratio to Tegula's."""
    if "seconds" not in side:
        return {**side, "apart": True}
    ratio = side["seconds"] / tegula["seconds"]
    low, high = side["seconds_25"] / tegula["seconds_75"], side["seconds_75"] / tegula["seconds_25"]
    return {**side, "apart": True, "ratio": ratio, "ratio_25": low, "ratio_75": high}


def rows_by_key(runs):
    """Rows of Tegula's with the runs that they are of."""
    rows = [(key_of(row), run, row) for run in runs for row in run.rows]
    planned = [found for found in rows if not found[2]["family"] and not found[2]["tile"] and found[2]["error"] is None]
    return {key: [found[1:] for found in some] for key, some in of_runs.grouped(planned, lambda r: r[0]).items()}


def put_beside(other, rows):
    """Adds the sides of a run to the rows of Tegula's. A peer that a row has already stays."""
    beside = Beside(other, {})
    for number, row in enumerate(other.rows):
        for run, own in rows.get(key_of(row), ()):
            for name, side in row.get("sides", {}).items():
                if name in own["sides"]:
                    continue
                own["sides"][name] = side_beside(side, own["sides"]["tegula"])
                run.context["peers"].setdefault(name, other.context["peers"].get(name, name) + of_runs.APART)
                if "seconds" in side:
                    beside.ratios.setdefault((number, name), result_files.ratio(own["sides"][name]))
    return beside


def joined(runs):
    """The runs of Tegula, with what was measured apart beside their rows, and what that is."""
    own = [run for run in runs if not result_files.is_apart(run.context)]
    rows = rows_by_key(own)
    return own, [put_beside(run, rows) for run in runs if result_files.is_apart(run.context)]


# -------------------------------------------------------------------------------------------------------------- section


def side_cells(row, name, side, ratio):
    where = [Cell(row[field], "t") for field in ("case", "layer", "elements", "mode")]
    peer = Cell(result_files.PEERS.get(name, name), "t")
    if "seconds" in side:
        return [*where, peer, seconds_text(side["seconds"]), result_files.figure(side["gflops"]), ratio]
    return [*where, peer, "failed" if "failed" in side else "", "", ""]


def lines_of(beside):
    for number, row in enumerate(beside.run.rows):
        for name, side in row.get("sides", {}).items():
            yield side_cells(row, name, side, beside.ratios.get((number, name), ""))
        if row["error"] is not None:
            yield [*(Cell(row[field], "t") for field in ("case", "layer", "elements", "mode")), "", "failed", "", ""]


def facts(beside):
    context = beside.run.context
    texts = {"measured": context["date"], "device": context["device"], "driver": context.get("driver", "")}
    texts["peers"] = "; ".join(dict.fromkeys(context["peers"].values()))
    texts.update({"program": f"of Tegula {context['version']} at {context['commit']}, {context['build']}"})
    lines = "".join(f"<dt>{name}<dd>{escaped(text)}" for name, text in texts.items() if text)
    return f"<dl>{lines}<dt>command<dd><code>{escaped(context['command_line'])}</code></dl>\n"


def file_details(beside):
    run = beside.run
    found = len({number for number, _ in beside.ratios})
    title = f"{run.name}: {run.call}, {run.machine}, {len(run.rows)} rows, {found} of them beside rows of Tegula's"
    return details(title, facts(beside) + table(HEAD, lines_of(beside)))


def section(options, runs):
    if not options.apart:
        return None
    return Section("Measured in another process", paragraph(WHY) + "".join(map(file_details, options.apart)))
