#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds the local memory of CUDA kernels against stacks.csv: a guard that needs no GPU and knows no noise.

What a kernel keeps in local memory, because its registers are not enough or an address of it is taken, costs every
thread stores and loads, and once made kernels a tenth slower for days before anybody measured. cuobjdump tells the
stack of each kernel; the file has their sum for each object file. Stacks are those of one nvcc and its architectures,
which the file names; other builds are skipped. A sum that has fallen is an error, too, or the file would allow the loss
of what was gained.

  kernel_stacks.py --library build/cuda/libtegula.a --build TEXT [--cuobjdump PROGRAM] [--write]

The build's text is what the test `perf.kernel_stacks` is called with (ctest -R kernel_stacks -V shows it).

Exit code: 0, 1 if a sum is not that of the file, 2 if stacks cannot be had, 77 if this build is not held.
"""

import argparse
import csv
import pathlib
import re
import shutil
import subprocess
import sys

FILE = pathlib.Path(__file__).resolve().parent / "stacks.csv"
HEAD = ("build", "object", "kernels", "bytes")
SKIPPED = 77


class StackError(Exception):
    """Why there are no stacks."""


def stacks_in(text):
    """Kernels and the bytes of their stacks, by object file, as cuobjdump --dump-resource-usage prints them."""
    found, name = {}, None
    for line in text.splitlines():
        if member := re.match(r"member .*:([^:]+)\.o:$", line):
            name = member[1]
        elif stack := re.search(r"\bREG:\d+ STACK:(\d+)", line):
            if name is None:
                raise StackError("cuobjdump tells of kernels, but not of which object file: is this an archive?")
            kernels, stack_bytes = found.get(name, (0, 0))
            found[name] = kernels + 1, stack_bytes + int(stack[1])
    return found


def stacks_of(cuobjdump, library):
    command = [cuobjdump, "--dump-resource-usage", library]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = stacks_in(done.stdout)
    if not found:
        raise StackError(f"{' '.join(command)}: exit code {done.returncode}, no kernel: {done.stderr.strip()[-2000:]}")
    return found


def read(path):
    """Kernels and bytes by build and object file."""
    with open(path, encoding="utf-8", newline="") as lines:
        rows = csv.reader(line for line in lines if not line.startswith("#"))
        if tuple(next(rows, ())) != HEAD:
            raise StackError(f"{path}: the heading {','.join(HEAD)} is missing")
        return {(build, name): (int(kernels), int(stack_bytes)) for build, name, kernels, stack_bytes in rows}


def write(path, stacks):
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write("# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n# Written by kernel_stacks.py.\n")
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(HEAD)
        rows.writerows((*key, *values) for key, values in sorted(stacks.items()))


def differences(expected, found):
    """A line for every object file whose kernels or bytes are not as expected; both are by object file."""
    text = "{} kernels with {} bytes".format
    for name in sorted(expected.keys() | found.keys()):
        before, now = expected.get(name), found.get(name)
        if now is None:
            yield f"{name}: is in the file, and has no kernels any more"
        elif before is None:
            yield f"{name}: {text(*now)}, and the file does not have it"
        elif before != now:
            yield f"{name}: {text(*before)} -> {text(*now)}{': MORE' if now[1] > before[1] else ''}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", required=True, help="the archive with the kernels")
    parser.add_argument("--build", required=True, help="compiler and architectures, as the file names them")
    parser.add_argument("--cuobjdump", default="cuobjdump", help="of the CUDA Toolkit; default: that in PATH")
    parser.add_argument("--file", type=pathlib.Path, default=FILE, help="default: stacks.csv")
    parser.add_argument("--write", action="store_true", help="write what is so for this build to the file")
    options = parser.parse_args()
    known = read(options.file)
    if not shutil.which(options.cuobjdump):
        print(f"skipped: there is no {options.cuobjdump}")
        return SKIPPED
    expected = {name: stacks for (build, name), stacks in known.items() if build == options.build}
    if not expected and not options.write:
        print(f'skipped: {options.file.name} has no stacks of "{options.build}"')
        return SKIPPED
    found = stacks_of(options.cuobjdump, options.library)
    if options.write:
        others = {key: stacks for key, stacks in known.items() if key[0] != options.build}
        write(options.file, {**others, **{(options.build, name): stacks for name, stacks in found.items()}})
        return 0
    lines = list(differences(expected, found))
    print("\n".join(lines) or f"{len(found)} object files as in {options.file.name}")
    return 1 if lines else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (StackError, OSError) as error:
        print(f"kernel_stacks.py: {error}", file=sys.stderr)
        sys.exit(2)
