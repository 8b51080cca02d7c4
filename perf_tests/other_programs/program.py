# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the programs for other libraries share: the command line, the rows, and the file with results.

A program gives a function that makes its library of the options. A library has ways(call), the peers that it has for a
call, case(spec, peers) and clock(timer) for a measurement, and what a file says of it: described, build, facts(),
moment(when) and bandwidth_gbs(); see torch_library.py.
"""

import argparse
import datetime
import gc
import json
import pathlib
import re
import shlex
import subprocess
import sys

import result_files
from figures import seconds_text
from measurement import Measurement
from output_files import write_whole
from shapes import ACTIVATIONS, COMPUTES, Shape, Spec, UsageError, read_shapes, spec_of

ROOT = pathlib.Path(__file__).resolve().parents[2]
TYPES = {"double": "f64", "float": "f32", "half": "f16", "bhalf": "bf16"}
MODES = ("rested", "sustained")
CLOCKS = ("graph", "events", "wall")


def listed(text, known, option):
    values = text.split(",")
    for value in values:
        if value not in known:
            raise UsageError(f'{option}: "{value}" is unknown; there are {", ".join(known)}')
    return values


def parsed(program, text, arguments):
    parser = argparse.ArgumentParser(
        prog=program, description=text, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--rows", metavar="JSON", help="The rows of a file that a program of Tegula's wrote, with its timer and modes")
    add("--shapes", metavar="CSV", help="A list of shapes, or the name of one of Tegula's (default: mlp.csv)")
    add("--m", type=int, help="Rows of C, for a single shape")
    add("--n", type=int, help="Columns of C")
    add("--k", type=int, help="Length of the sums")
    add("--types", default="float,double", help="Of double, float, half, bhalf (default: float,double)")
    add("--op-a", choices="NT", default="N", help="A as it is (N) or transposed (T)")
    add("--op-b", choices="NT", default="N", help="B likewise")
    add("--backward", action="store_true", help="The gradients, not C")
    add("--epilogue", choices=("none", "bias"), default="bias", help="Bias and activation, or none")
    add("--activation", choices=ACTIVATIONS, default="relu")
    add("--compute", choices=COMPUTES, default="native", help="How products of float may be formed")
    add("--peers", help="Ways of the library to compute, with commas between (default: all)")
    add("--device", choices=("cuda", "cpu"), default="cuda")
    add("--threads", type=int, default=1, help="Of a CPU: as many as Tegula's file was measured with (default: 1)")
    add("--timer", choices=CLOCKS, help="default: graph on a GPU, wall on a CPU, or that of --rows")
    add("--gpu-mode", help="Of rested, sustained (default: both, or those of --rows)")
    add("--repetitions", type=int, default=5)
    add("--min-time", type=float, default=0.05, help="Seconds that a repetition spends in the first way, at least")
    add("--seed", type=int, default=1)
    add("--bandwidth-gbs", type=float, help="Instead of measuring that of a copy")
    add("--json", metavar="FILE", help="Write the figures to this file")
    options = parser.parse_args(arguments)
    options.command_line = shlex.join([program, *(sys.argv[1:] if arguments is None else arguments)])
    return options


# ----------------------------------------------------------------------------------------------------------------- rows


def specs_of_file(options):
    """The rows of Tegula's file that other programs compute, too, each once; takes its timer and modes over."""
    try:
        results = result_files.load_checked(options.rows)
    except result_files.ResultError as error:
        raise UsageError(str(error)) from error
    context = results["context"]
    options.backward = result_files.PROGRAMS[context["program"]] == "gemm_backward"
    options.timer = options.timer or context["timer"]
    options.gpu_mode = options.gpu_mode or context.get("modes") or None
    specs = [spec_of(row, options.seed) for row in results["rows"]]
    if None in specs:
        print(f"{options.rows}: {specs.count(None)} rows are left out, which other programs do not compute alike")
    return list(dict.fromkeys(spec for spec in specs if spec))


def shapes_of(options):
    extents = (options.m, options.n, options.k)
    if extents == (None, None, None):
        return read_shapes(options.shapes or "mlp.csv")
    if None in extents or min(extents) < 1 or options.shapes:
        raise UsageError("--m, --n and --k are for a single shape, and need each other")
    return [Shape("shape", *extents)]


def specs_of(options):
    if options.rows:
        return specs_of_file(options)
    epilogue = "backward" if options.backward else options.epilogue
    activation = "identity" if epilogue == "none" else options.activation
    types = [TYPES[name] for name in listed(options.types, TYPES, "--types")]
    ops = options.op_a + options.op_b
    return [
        Spec(shape, element, ops, epilogue, activation, options.compute, options.seed)
        for shape in shapes_of(options)
        for element in types
    ]


def modes_of(options):
    if options.device == "cpu":
        if options.gpu_mode:
            raise UsageError("--gpu-mode needs --device cuda")
        return [""]
    return listed(options.gpu_mode, MODES, "--gpu-mode") if options.gpu_mode else list(MODES)


def timer_of(options):
    timer = options.timer or ("wall" if options.device == "cpu" else "graph")
    if options.device == "cpu" and timer != "wall":
        raise UsageError(f"--timer {timer} needs --device cuda")
    return timer


# ----------------------------------------------------------------------------------------------------------------- file


def version():
    """Of Tegula, whose rows these are."""
    header = (ROOT / "core/Tegula_Version.hpp").read_text(encoding="utf-8")
    return ".".join(re.findall(r"define TEGULA_VERSION_[A-Z]+ (\d+)", header))


def commit():
    command = ["git", "-C", str(ROOT), "describe", "--always", "--dirty", "--abbrev=12"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def context_of(program, options, library):
    """What a file says of its run; "process" tells readers that a ratio to Tegula is one of two runs."""
    now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    tegula = {"program": program, "process": "another", "date": now, "version": version(), "commit": commit()}
    python = {"command_line": options.command_line, "build": library.build, "kokkos": "none"}
    ways = {name: library.described for name in options.peers}
    run = {"timer": options.timer, "modes": ",".join(filter(None, options.modes)), "min_time": options.min_time}
    run.update(repetitions=options.repetitions, seed=options.seed, random_shapes=0, family="", tile="")
    given = options.bandwidth_gbs
    roofs = {"bandwidth_gbs": given or library.bandwidth_gbs(), "bandwidth_measured": not given, "peak_gflops": {}}
    return {**tegula, **python, **library.facts(), "peers": ways, **run, **roofs}


class ResultFile:
    """Written anew after each row, so that a run that is interrupted leaves what it has found."""

    def __init__(self, path, context):
        self.path, self.context, self.rows = path, context, []

    def put(self, row):
        self.rows.append(row)
        self.write(False)

    def write(self, complete):
        if self.path:
            results = {"complete": complete, "context": self.context, "rows": self.rows}
            write_whole(self.path, json.dumps(results, indent=1, allow_nan=False) + "\n")


# ------------------------------------------------------------------------------------------------------------------ run


def row_of(spec, mode, measured, options):
    """A row of the file, after all its repetitions."""
    measured.clear()
    for _ in range(options.repetitions):
        measured.time(mode, options.min_time)
    figures = {"flops": spec.flops, "bytes": spec.bytes, "roof_percent": None, "copy_percent": None, "error": None}
    return {**spec.fields, "mode": mode, **figures, "sides": measured.figures(spec.flops, spec.bytes)}


def rows_of(spec, options, library):
    """A row for each mode. What is wrong with the operands, above all with their size, is wrong with all sides."""
    try:
        measured = Measurement(library.case(spec, options.peers), library.clock(options.timer))
    except Exception as error:  # the next rows go on
        failed = f"{type(error).__name__}: {error}"[:500]
        return [{**spec.fields, "mode": mode, "error": failed} for mode in options.modes]
    return [row_of(spec, mode, measured, options) for mode in options.modes]


def text_of(name, side):
    if "seconds" in side:
        return f"{name} {seconds_text(side['seconds'])}, {side['gflops']:.4g} GFLOP/s"
    return f"{name} failed: {side['failed']}" if "failed" in side else f"{name} absent: {side['absent']}"


def show(row):
    where = result_files.listed(result_files.elements_of(row), result_files.case_of(row), result_files.layer_of(row))
    sides = [text_of(name, side) for name, side in row.get("sides", {}).items()] or [f"failed: {row['error']}"]
    print(f"{row['shape']}: {where}{', ' + row['mode'] if row['mode'] else ''}", *sides, sep="\n  ", flush=True)


def is_bad(row):
    return row["error"] is not None or any("failed" in side for side in row["sides"].values())


def run(names, options, make_library):
    specs = specs_of(options)
    if not specs:
        raise UsageError(f"{options.rows}: there is no row that other programs compute, too")
    options.timer, options.modes = timer_of(options), modes_of(options)
    call = "gemm_backward" if options.backward else "gemm"
    if call not in names:
        raise UsageError("--backward: there is no backward pass of this library")
    library = make_library(options)
    known = list(library.ways(call))
    options.peers = listed(options.peers, known, "--peers") if options.peers else known
    file = ResultFile(options.json, context_of(names[call], options, library))
    file.context.update(library.moment("start"))
    print(f"{library.described}, on {file.context['device']}; {len(specs)} rows, timer {options.timer}")
    for spec in specs:
        for row in rows_of(spec, options, library):
            file.put(row)
            show(row)
        gc.collect()  # only here, so that none falls into a batch
    file.context.update(library.moment("end"))
    file.write(True)
    return 1 if any(map(is_bad, file.rows)) else 0


def main(program, names, text, make_library, arguments=None):
    """names: of the program in the file, by call. Exit code: 0, 1 if a row failed, 2 after wrong usage."""
    options = parsed(program, text, arguments)
    gc.disable()
    try:
        return run(names, options, make_library)
    except (UsageError, ImportError) as error:  # the library may not be there
        print(f"{program}: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"{program}: {result_files.message_of(error)}", file=sys.stderr)
        return 2
