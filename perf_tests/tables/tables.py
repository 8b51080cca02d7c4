#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the tables of figures in README.md and perf_tests/README.md from the files in perf_tests/results.

  tables.py           rewrites what stands between `<!-- table: NAME -->` and `<!-- end -->`
  tables.py --check   changes nothing; exits with 1 and a diff if a document differs

tables.json lists the tables. Each has a document, a name, the files with the results (a pattern such as
"h200/gemm_*.json" stands for all that match) and a kind:

  "cases"         A line for every combination of the fields in "by", ordered by element type, then as in the files. A
                  cell shows one measured row: that of the line, of the column's file and of its "where". "show" names
                  values, such as "tegula tflops", "cublas ratio" or "roof". No such row leaves the cell empty.
  "distribution"  A line for every distribution in the files, of time of the peer / time of Tegula over random shapes;
                  in "distribution by peer" the peers are columns.
  "ranks"         A line for every row of files of several cards: the median over the cards (least to most), alone and
                  together.
  "files"         A line for every file: when, where and by which command it was measured.

"where" keeps the rows whose fields are as given, by one value or by a list. The fields of a row are those of the file
(shape, type, layouts, ops, epilogue, activation, compute, mode, m, n, k), "program", "timer" and "machine" of its
context, and three in words: "elements" (type and compute), "case" (extents, ops, layouts) and "layer" (what is done to
the product).

A file that is missing, and a file in perf_tests/results that no table shows, are errors.
"""

import argparse
import difflib
import json
import os
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "report"))

import result_files  # noqa: E402
from result_files import PEERS, PROGRAMS, WITH_PASSES  # noqa: E402
from result_files import case_of, elements_of, figure, machine_of, place_of, ratio, rows_of  # noqa: E402


class TableError(Exception):
    """What keeps a table from being written."""


def is_like(row, where):
    for field, wanted in where.items():
        if field not in row:
            raise TableError(f'rows have no field "{field}"')
        if row[field] not in (wanted if isinstance(wanted, list) else [wanted]):
            return False
    return True


# ------------------------------------------------------------------------------------------------------ figures as text


UNITS = {
    "tflops": lambda side: figure(side["gflops"] / 1e3),
    "gflops": lambda side: figure(side["gflops"]),
    "tbs": lambda side: figure(side["gbs"] / 1e3),
    "gbs": lambda side: figure(side["gbs"]),
    "us": lambda side: figure(side["seconds"] * 1e6),
    "ratio": ratio,
}


def shown(show, row):
    """The text of one value of a row; empty if there is none."""
    side_name, _, unit = show.rpartition(" ")
    if unit in ("roof", "copy"):
        percent = row[f"{unit}_percent"]
        return "" if percent is None else f"{percent:.0f} %"
    if unit not in UNITS:
        raise TableError(f'"{show}" is no value of a row')
    side = row["sides"].get(side_name, {})
    if row["error"] is not None or "failed" in side:
        return "failed"
    return UNITS[unit](side) if "seconds" in side else ""


# --------------------------------------------------------------------------------------------------------------- tables


def cases(table, files):
    """A line for every combination of fields that was measured; `files` holds the contents of each name of files."""
    by, columns = table["by"], table["columns"]
    common = table.get("where", {})
    files = {name: [row for results in contents for row in rows_of(results)] for name, contents in files.items()}
    all_rows = sorted((row for rows in files.values() for row in rows), key=lambda row: place_of(row["type"]))
    keys = dict.fromkeys(tuple(row[field] for field in by) for row in all_rows if is_like(row, common))
    titles = {"case": "m x n x k"}
    yield [titles.get(field, field) for field in by] + [column["title"] for column in columns]
    for key in keys:
        yield [*key, *(cell(column, dict(zip(by, key)), common, files) for column in columns)]


def cell(column, key, common, files):
    rows = files[column["file"]] if "file" in column else [row for rows in files.values() for row in rows]
    wheres = (key, common, column.get("where", {}))
    found = [row for row in rows if all(is_like(row, where) for where in wheres)]
    if len(found) > 1:
        raise TableError(f'column "{column["title"]}": {len(found)} rows for {key}')
    shows = column["show"] if isinstance(column["show"], list) else [column["show"]]
    return ", ".join(filter(None, (shown(show, row) for row in found for show in shows)))


def distributions(table, files):
    """The distributions of the files, with the results that each is of; `files` holds the contents of each name."""
    for results in (results for contents in files.values() for results in contents):
        for entry in sorted(results["distributions"], key=lambda entry: place_of(entry["type"])):
            if entry["count"] > 0 and is_like(entry, table.get("where", {})):
                yield results, entry


def measured_by(results, entry):
    """Machine, call and elements of a distribution. All rows of a file form their products alike."""
    context = results["context"]
    elements = elements_of({"type": entry["type"], "compute": results["rows"][0]["compute"]})
    return machine_of(context), PROGRAMS[context["program"]], elements


def peer_of(results, entry):
    """ "cuBLAS and passes" """
    peer = entry["peer"]
    makes_passes = peer in WITH_PASSES and results["rows"][0]["epilogue"] != "none"
    return PEERS[peer] + (" and passes" if makes_passes else "")


def distribution(table, files):
    """A line for every distribution."""
    quantiles = ["mean", "10 %", "50 %", "worst"]
    yield ["machine", "call", "elements", "mode", "peer", "shapes", *quantiles, "peer faster"]
    for results, entry in distributions(table, files):
        ratios = [
            row["sides"].get(entry["peer"], {}).get("ratio", 1)
            for row in results["rows"]
            if row["type"] == entry["type"] and row["mode"] == entry["mode"]
        ]
        yield [
            *measured_by(results, entry),
            entry["mode"],
            peer_of(results, entry),
            str(entry["count"]),
            *(f"{entry[name]:.2f}" for name in ("geometric_mean", "percentile_10", "percentile_50", "worst")),
            str(sum(ratio < 1 for ratio in ratios)),
        ]


def distribution_by_peer(table, files):
    """A line for every machine, call and element type, a column for every peer."""
    lines, peers = {}, {}  # peers: in the order of the files
    for results, entry in distributions(table, files):
        shape = "{geometric_mean:.2f} ({percentile_10:.2f}, {percentile_50:.2f}, {worst:.2f})"
        lines.setdefault(measured_by(results, entry), {})[peer_of(results, entry)] = shape.format(**entry)
        peers[peer_of(results, entry)] = None
    yield ["machine", "call", "elements", *peers]
    for line, cells in lines.items():
        yield [*line, *(cells.get(peer, "") for peer in peers)]


def ranks(table, files):
    """A line for every row that several cards measured, of Tegula."""
    phases = ("alone", "together")
    yield ["machine", "cards", "elements", "m x n x k", *(f"TFLOP/s {phase}" for phase in phases), "change"]
    for results in (results for contents in files.values() for results in contents):
        spreads = {}
        for spread in results["spreads"]:
            if spread["side"] == "tegula":
                key = tuple(spread[field] for field in ("type", "shape", "mode"))
                spreads.setdefault(key, {})[spread["phase"]] = spread
        if any(phase not in row for row in spreads.values() for phase in phases):
            raise TableError("a row was not measured both alone and together")
        for row in sorted(spreads.values(), key=lambda row: place_of(row["alone"]["type"])):
            alone, together = (row[phase] for phase in phases)
            change = 100 * (together["gflops_median"] / alone["gflops_median"] - 1)
            yield [
                machine_of(results["context"]),
                str(alone["ranks"]),
                elements_of({**alone, "compute": "native"}),
                case_of({"ops": "NN", "layouts": "RRR", **alone}),
                *(spread_text(row[phase]) for phase in phases),
                f"{change:+.1f} %",
            ]


def spread_text(spread):
    """ "704 (682 to 720)" """
    least, median, most = (figure(spread[f"gflops_{name}"] / 1e3) for name in ("least", "median", "most"))
    return f"{median} ({least} to {most})"


KINDS = {"cases": cases, "distribution": distribution, "distribution by peer": distribution_by_peer, "ranks": ranks}


def markdown(lines):
    """A table: text on the left, figures on the right."""
    head, *body = lines
    if not body:
        raise TableError("there are no rows")
    columns = [[line[column] for line in body] for column in range(len(head))]
    is_figures = [any(cells) and all(re.fullmatch(r"[0-9., %]*|failed", cell) for cell in cells) for cells in columns]
    rule = "|" + "|".join("--:" if is_right else "---" for is_right in is_figures) + "|"
    rows = ["| " + " | ".join(line) + " |" for line in (head, *body)]
    return [rows[0], rule, *rows[1:]]


# ------------------------------------------------------------------------------------------------------------ documents


def joined(contexts, text):
    """What the contexts say, each thing once."""
    return "; ".join(dict.fromkeys(text(context) for context in contexts))


class Documents:
    """The documents below a folder, and the results that their tables are written from."""

    def __init__(self, root, tables):
        self.root = root
        self.results = root / "perf_tests" / "results"
        self.tables = tables

    def paths(self, pattern):
        """The files that a name or a pattern stands for."""
        found = sorted(str(path.relative_to(self.results)) for path in self.results.glob(pattern))
        if not found:
            raise TableError(f"there is no perf_tests/results/{pattern}")
        return found

    def patterns(self, table):
        """Patterns of files by the names that columns use."""
        files = table["files"]
        return files if isinstance(files, dict) else {pattern: pattern for pattern in files}

    def read(self, path):
        try:
            return result_files.load(self.results / path, f"perf_tests/results/{path}")
        except result_files.ResultError as error:
            raise TableError(str(error)) from error

    def lines(self, table):
        """The lines between the marks of a table."""
        paths = {name: self.paths(pattern) for name, pattern in self.patterns(table).items()}
        all_paths = list(dict.fromkeys(path for some in paths.values() for path in some))
        contents = {path: self.read(path) for path in all_paths}
        if table["kind"] == "files":
            return markdown(self.files(table, contents))
        by_name = {name: [contents[path] for path in some] for name, some in paths.items()}
        return markdown(KINDS[table["kind"]](table, by_name)) + ["", self.caption(table, contents)]

    def caption(self, table, contents):
        """Where the figures are, and what they were measured on."""
        contexts = [results["context"] for results in contents.values()]
        machine = joined(contexts, machine_of)
        kokkos = joined(contexts, lambda context: context["kokkos"])
        commit = joined(contexts, lambda context: context["commit"])
        links = ", ".join(self.link(table, path) for path in contents)
        return f"{machine}, Kokkos {kokkos}, Tegula at {commit}: {links}."

    def link(self, table, path):
        place = os.path.relpath(self.results / path, (self.root / table["document"]).parent)
        return f"[{pathlib.Path(path).stem}]({place})"

    def files(self, table, contents):
        """The lines of a table of files."""
        yield ["file", "measured", "Tegula", "machine", "Kokkos", "libraries", "command"]
        for path, results in contents.items():
            context = results["context"]
            device = context["device"]
            if "driver" in context:
                device += f"; driver {context['driver']}, power limit {context['power_limit_w']} W"
            libraries = "; ".join(dict.fromkeys(context["peers"].values()))
            yield [
                self.link(table, path),
                context["date"][:10],
                f"{context['version']}, {context['commit']}",
                device,
                f"{context['kokkos']}, {context['execution_space']}",
                libraries.replace("|", ","),
                f"`{context['command_line']}`",
            ]

    def unused(self):
        """Results that no table shows. A table of files shows where they are, not what is in them; folders of a machine
        hold what is no table's."""
        used = set()
        for table in self.tables:
            if table["kind"] == "files":
                continue
            for pattern in self.patterns(table).values():
                used.update(self.results.glob(pattern))
        return [str(path.relative_to(self.results)) for path in sorted(set(self.results.glob("*/*.json")) - used)]

    def written(self, document, text, errors):
        """The text of a document with its tables as the results have them. A table with an error stays as it is."""
        tables = {table["name"]: table for table in self.tables if table["document"] == document}
        for name, table in tables.items():
            mark = f"<!-- table: {name} -->\n"
            before, found, rest = text.partition(mark)
            _, end, after = rest.partition("<!-- end -->")
            if not found or not end:
                errors.append(f'{document} has no place for the table "{name}"')
                continue
            try:
                text = before + mark + "\n".join(self.lines(table)) + "\n" + end + after
            except TableError as error:
                errors.append(f'{document}, table "{name}": {error}')
        for name in re.findall(r"<!-- table: (.*?) -->", text):
            if name not in tables:
                errors.append(f'{document}: tables.json has no table "{name}"')
        return text

    def update(self, check):
        """Writes the documents, or compares them. Returns what is wrong."""
        errors = [f"perf_tests/results/{path} is in no table" for path in self.unused()]
        for document in dict.fromkeys(table["document"] for table in self.tables):
            path = self.root / document
            old = path.read_text()
            new = self.written(document, old, errors)
            if not check:
                path.write_text(new)
            elif new != old:
                lines = (text.splitlines() for text in (old, new))
                errors.append("\n".join(difflib.unified_diff(*lines, document, "from the results", lineterm="")))
        return errors


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare, and change nothing")
    arguments = parser.parse_args()
    tables = json.loads((HERE / "tables.json").read_text())
    errors = Documents(HERE.parents[1], tables).update(arguments.check)
    for error in errors:
        print(error, file=sys.stderr)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
