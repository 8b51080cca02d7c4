#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts the instructions of calls on a host and holds them against counts.csv: a guard that no noise can fool.

valgrind's callgrind counts one call of each line of calls.txt on one thread, for each set of instructions that it
knows: that is none of AVX-512. Counts are those of one compiler with its flags and of one Kokkos, which the file names;
other builds are skipped. Neither the processor nor its caches count: valgrind shows every program the same ones, and
the library plans by records of its own.

A count that has grown by more than the tolerance is an error. So is one that has fallen by more, or the file would stop
saying what is so, and would allow the loss of what was gained.

  count_instructions.py --program build/host/perf_tests/tegula_counted_calls --build TEXT [--write]

The build's text is what the test `perf.instruction_counts` is called with (ctest -R instruction_counts -V shows it).

Exit code: 0, 1 if a count is not that of the file, 2 if a count cannot be had, 77 if this build is not counted.
"""

import argparse
import csv
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
CALLS = HERE / "calls.txt"
COUNTS = HERE / "counts.csv"
SETS = ("baseline", "avx2")
HEAD = ("build", "call", *SETS)
TOLERANCE = 0.01  # what another C library may change: less than a pass over any operand does
SKIPPED = 77


class CountError(Exception):
    """Why there is no count."""


# ------------------------------------------------------------------------------------------------------------- counting


def total_of(text):
    """The instructions that a file of callgrind's sums up."""
    found = re.search(r"^(?:totals|summary): (\d+)$", text, re.MULTILINE)
    return int(found[1]) if found else 0


def counted(valgrind, program, instructions):
    """The instructions of each call, by its line."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "out"
        function = "tegula_counted_call"
        command = [valgrind, "--tool=callgrind", "--collect-atstart=no", f"--toggle-collect={function}"]
        command += [f"--dump-after={function}", f"--callgrind-out-file={out}", program, str(CALLS)]
        # No variable of the caller's, since some of them choose how calls are planned.
        environment = {"TEGULA_INSTRUCTIONS": instructions, "PATH": os.defpath}
        environment.update({name: os.environ[name] for name in ("LD_LIBRARY_PATH",) if name in os.environ})
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        if "which this processor lacks" in done.stderr:
            return None
        if done.returncode:
            raise CountError(f"{' '.join(command)}: exit code {done.returncode}: {done.stderr.strip()[-2000:]}")
        lines = dict(line.split(" ", 1) for line in done.stdout.splitlines())
        counts = {line: total_of(pathlib.Path(f"{out}.{number}").read_text()) for number, line in lines.items()}
    if not counts or not all(counts.values()):
        raise CountError(f"callgrind counted nothing of {[line for line in counts if not counts[line]] or CALLS}")
    return counts


# ----------------------------------------------------------------------------------------------------------------- file


def read(path):
    """Counts by build, set and call."""
    with open(path, encoding="utf-8", newline="") as lines:
        rows = csv.reader(line for line in lines if not line.startswith("#"))
        if tuple(next(rows, ())) != HEAD:
            raise CountError(f"{path}: the heading {','.join(HEAD)} is missing")
        return {
            (build, name, call): int(count)
            for build, call, *counts in rows
            for name, count in zip(SETS, counts)
            if count
        }


def write(path, counts):
    lines = dict.fromkeys((build, call) for build, _, call in counts)
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write("# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n# Written by count_instructions.py.\n")
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(HEAD)
        for build, call in lines:
            rows.writerow((build, call, *(counts.get((build, name, call), "") for name in SETS)))


# ----------------------------------------------------------------------------------------------------------- comparison


def differences(expected, found, tolerance=TOLERANCE):
    """A line for every count that is not as expected; both are by set and call."""
    for (instructions, call), count in found.items():
        before = expected.get((instructions, call))
        if before is None:
            yield f"{instructions}: {call}: {count} instructions, and the file has no count of it"
        elif abs(count - before) > tolerance * before:
            word = "MORE" if count > before else "less"
            change = f"{100 * (count / before - 1):+.1f} %"
            yield f"{instructions}: {call}: {before} -> {count} instructions, {change}: {word}"
    sets = {instructions for instructions, _ in found}
    for instructions, call in expected:
        if instructions in sets and (instructions, call) not in found:
            yield f"{instructions}: {call}: is in the file and no longer counted"


def reason_to_skip(valgrind, build, known):
    """Why counts of this build cannot be judged; None if they can."""
    if "-fsanitize" in build:
        return "valgrind does not run programs with sanitizers"
    if valgrind is None:
        return "there is no valgrind (Debian: valgrind)"
    if build not in known:
        return f"no counts of this build, {build}; there are those of {', '.join(sorted(known)) or 'none'}"
    return None


# ----------------------------------------------------------------------------------------------------------------- main


def parsed(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, help="tegula_counted_calls")
    parser.add_argument("--build", required=True, help="Compiler, flags and Kokkos that it was built with")
    parser.add_argument("--counts", type=pathlib.Path, default=COUNTS, help=argparse.SUPPRESS)
    parser.add_argument("--write", action="store_true", help="Write the counts of this build anew")
    return parser.parse_args(arguments)


def run(options):
    valgrind = shutil.which("valgrind")
    known = read(options.counts) if options.counts.exists() else {}
    builds = {build for build, _, _ in known} | ({options.build} if options.write else set())
    reason = reason_to_skip(valgrind, options.build, builds)
    if reason:
        print(f"skipped: {reason}")
        return SKIPPED
    by_set = {instructions: counted(valgrind, options.program, instructions) for instructions in SETS}
    for instructions in [name for name in SETS if by_set[name] is None]:
        print(f"not counted: {instructions}, which this processor lacks")
    found = {(name, call): count for name in SETS for call, count in (by_set[name] or {}).items()}
    if options.write:
        kept = {key: count for key, count in known.items() if key[0] != options.build or by_set[key[1]] is None}
        write(options.counts, {**kept, **{(options.build, *key): count for key, count in found.items()}})
        return 0
    expected = {(name, call): count for (build, name, call), count in known.items() if build == options.build}
    wrong = list(differences(expected, found))
    print(*wrong, f"{len(found)} counts, {len(wrong)} not as in {options.counts.name}", sep="\n")
    if wrong:
        again = f"{sys.argv[0]} --program {options.program} --build '{options.build}' --write"
        print(f"The tolerance is {100 * TOLERANCE:g} %. If this is as it should be, write the file anew:\n  {again}")
    return 1 if wrong else 0


def main(arguments=None):
    options = parsed(arguments)
    try:
        return run(options)
    except (CountError, OSError) as error:
        print(f"count_instructions: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
