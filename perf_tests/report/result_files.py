# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files with results that the programs wrote: reading them, and their fields in words.

What tables.py, tegula_report and tegula_compare share.
"""

import json
import math
import pathlib

TYPES = {"f64": "double", "f32": "float", "f16": "half_t", "bf16": "bhalf_t"}  # in the order of the lines
PEERS = {
    "kokkoskernels": "Kokkos Kernels",
    "openblas": "OpenBLAS",
    "onednn": "oneDNN",
    "libxsmm": "libxsmm",
    "cublas": "cuBLAS",
    "cublas_plain": "cuBLAS alone",
    "cublaslt": "cuBLASLt",
    "pytorch_eager": "PyTorch",
    "pytorch_addmm": "PyTorch addmm",
    "pytorch_compiled": "PyTorch compiled",
    "triton": "Triton",
}
WITH_PASSES = ("kokkoskernels", "openblas", "libxsmm", "cublas")  # for what is not a product
PROGRAMS = {
    **{"tegula_gemm_perf": "gemm", "tegula_backward_perf": "gemm_backward"},
    **{"pytorch_gemm": "gemm", "pytorch_backward": "gemm_backward", "triton_gemm": "gemm"},
}
LAYERS = ("none", "bias", "backward")

# What makes two rows the same measurement. The machine is none of it, so that machines can be compared.
IDENTITY = ("program", "timer", "family", "tile", "type", "compute", "layouts", "ops", "m", "n", "k")
IDENTITY += ("epilogue", "activation", "alpha", "beta", "mode", "phase")  # phase: how ranks shared a node
# Tegula's B packed before any call; what the backward pass needs stored, too. Rows of other runs say neither.
IDENTITY += ("packed", "saved")

NUMBER = (int, float)
CONTEXT_FIELDS = {
    **dict.fromkeys(("program", "date", "version", "commit", "command_line", "build", "kokkos", "device"), str),
    **dict.fromkeys(("execution_space", "timer", "family", "tile"), str),
    **dict.fromkeys(("concurrency", "random_shapes", "bandwidth_gbs"), NUMBER),
    **dict.fromkeys(("peers", "peak_gflops"), dict),
}
ROW_FIELDS = {
    **dict.fromkeys(("shape", "type", "layouts", "ops", "epilogue", "activation", "compute", "mode"), str),
    **dict.fromkeys(("m", "n", "k", "alpha", "beta"), NUMBER),
    "error": (str, type(None)),
}
FIGURE_FIELDS = {
    **dict.fromkeys(("flops", "bytes"), NUMBER),
    **dict.fromkeys(("roof_percent", "copy_percent"), (*NUMBER, type(None))),
    "sides": dict,
}
SIDE_FIELDS = ("seconds", "seconds_25", "seconds_75", "samples", "gflops", "gbs")
RATIO_FIELDS = ("ratio", "ratio_25", "ratio_75")
RANK_FIELDS = {"rank": int, "host": str, "pci": str, "failure": (str, type(None))}  # of files of several devices
CARD_FIELDS = {"time_over_median_card": dict, "kept_speed": (*NUMBER, type(None))}
PHASES = ("alone", "together")


class ResultError(Exception):
    """What is wrong with a file."""


def message_of(error):
    """What is wrong, with the name of the file."""
    is_of_file = isinstance(error, OSError) and error.filename
    return f"{error.filename}: {error.strerror}" if is_of_file else str(error)


# -------------------------------------------------------------------------------------------------------------- reading


def not_a_number(name):
    raise ValueError(f"{name} is no figure")


def load(path, name=None):
    """The contents of a file of a run that came to its end; `name` is what errors call it."""
    name = name or path
    try:
        results = json.loads(pathlib.Path(path).read_text(encoding="utf-8"), parse_constant=not_a_number)
    except OSError as error:
        raise ResultError(f"{name}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise ResultError(f"{name}: {error}") from error
    if not isinstance(results, dict) or "complete" not in results:
        raise ResultError(f"{name} is no file that a program wrote with --json")
    if results["complete"] is not True:
        rows = results.get("rows")
        count = len(rows) if isinstance(rows, list) else 0
        raise ResultError(f"{name} is not a complete run: it was interrupted, or still runs, after {count} rows")
    return results


def load_checked(path):
    """The contents of a file, all of whose fields are what the programs write."""
    results = load(path)
    try:
        check(results)
    except ResultError as error:
        raise ResultError(f"{path}: {error}") from error
    return results


def require(has, what):
    if not has:
        raise ResultError(what)


def check_fields(holder, fields, where):
    require(isinstance(holder, dict), f"{where} is no object")
    for field, kinds in fields.items():
        if field not in holder:
            raise ResultError(f'{where} has no "{field}"')
        if not isinstance(holder[field], kinds) or isinstance(holder[field], bool):
            raise ResultError(f'"{field}" of {where} is {json.dumps(holder[field])[:40]}')


def are_positive(holder, fields):
    """Whether all is well; tells it more quickly than what follows tells what is not."""
    return all(type(holder.get(field)) in NUMBER and 0 < holder[field] < math.inf for field in fields)


def check_positive(holder, fields, where):
    if are_positive(holder, fields):
        return
    check_fields(holder, dict.fromkeys(fields, NUMBER), where)
    for field in fields:
        is_positive = math.isfinite(holder[field]) and holder[field] > 0
        require(is_positive, f'"{field}" of {where} is {holder[field]}, not above 0')


def check_side(name, side, where, has_ratio):
    if not isinstance(side, dict):
        raise ResultError(f"{name} in {where} is no object")
    if "failed" in side or "absent" in side:
        return
    check_positive(side, SIDE_FIELDS + (RATIO_FIELDS if has_ratio else ()), f"{name} in {where}")


def check_row(row, where, apart):
    check_fields(row, ROW_FIELDS, where)
    require(row["epilogue"] in LAYERS, f'"epilogue" of {where} is "{row["epilogue"]}"')
    if row["error"] is not None:
        return
    check_fields(row, FIGURE_FIELDS, where)
    check_positive(row, ("flops", "bytes"), where)
    if apart:
        require("tegula" not in row["sides"], f"{where} of another process than Tegula's has figures of Tegula")
    else:
        require("tegula" in row["sides"], f"{where} has no figures of Tegula")
    for name, side in row["sides"].items():
        check_side(name, side, where, has_ratio=name != "tegula" and not apart)


def is_apart(context):
    """Whether Tegula was not measured in the same process, so that there are no ratios."""
    return context.get("process") == "another"


def check_context(context):
    check_fields(context, CONTEXT_FIELDS, "its context")
    require(context["program"] in PROGRAMS, f"\"{context['program']}\" is no known program")
    check_positive(context, ("concurrency", "bandwidth_gbs"), "its context")
    check_fields(context["peers"], dict.fromkeys(context["peers"], str), "its peers")
    check_positive(context["peak_gflops"], context["peak_gflops"], "its peaks")
    for moment in ("start", "end"):
        require(isinstance(context.get(moment, {}), dict), f'"{moment}" of its context is no object')


def check_ranks(results):
    """Of a file of several devices: who they are, and that each row is of one of them."""
    check_fields(results, {"ranks": list}, "the file")
    for place, rank in enumerate(results["ranks"]):
        check_fields(rank, RANK_FIELDS, f"rank {place}")
        require(rank["rank"] == place, f'"rank" of rank {place} is {rank["rank"]}')
        if rank.get("context") is not None:
            check_context(rank["context"])
        if "card" in rank:
            check_fields(rank["card"], CARD_FIELDS, f"the card of rank {place}")
            times = rank["card"]["time_over_median_card"]
            check_positive(times, times, f"the card of rank {place}")
    for number, row in enumerate(results["rows"], 1):
        check_fields(row, {"rank": int, "phase": str}, f"row {number}")
        require(row["rank"] in range(len(results["ranks"])), f'"rank" of row {number} is {row["rank"]}')
        require(row["phase"] in PHASES, f'"phase" of row {number} is "{row["phase"]}"')


def check(results):
    check_fields(results, {"context": dict, "rows": list}, "the file")
    check_context(results["context"])
    for number, row in enumerate(results["rows"], 1):
        check_row(row, f"row {number}", is_apart(results["context"]))
    if "ranks" in results:
        check_ranks(results)


# ------------------------------------------------------------------------------------------------------ fields in words


def listed(*words):
    return ", ".join(filter(None, words))


def elements_of(row):
    """ "float, tf32", "bhalf_t to float" of the type "bf16>f32" """
    types = " to ".join(TYPES.get(element, element) for element in row["type"].split(">"))
    return listed(types, row["compute"] if row["compute"] != "native" else "")


def case_of(row):
    """Extents, and ops and layouts where they are not the usual ones: "4096 cube, NT, LLL"."""
    m, n, k = row["m"], row["n"], row["k"]
    extents = f"{m} cube" if m == n == k else f"{m} x {n} x {k}"
    return listed(extents, *(row[field] for field, usual in (("ops", "NN"), ("layouts", "RRR")) if row[field] != usual))


def layer_of(row):
    """ "bias, relu", "plain, beta 1", "bias, relu, B packed beforehand", "bias, gelu_tanh, saved" """
    layers = {"none": "plain", "backward": row["activation"], "bias": f"bias, {row['activation']}"}
    factors = (f"{name} {row[name]:g}" for name, usual in (("alpha", 1), ("beta", 0)) if row[name] != usual)
    flags = (text for field, text in (("packed", "B packed beforehand"), ("saved", "saved")) if row.get(field))
    return listed(layers[row["epilogue"]], *factors, *flags)


def machine_of(context):
    """ "NVIDIA H200", "AMD EPYC, 2 threads" """
    threads = context["concurrency"]
    is_device = "cuda_runtime" in context
    return listed(context["device"].split(" (")[0], "" if is_device else f"{threads} thread" + "s" * (threads > 1))


def rank_text(rank):
    """ "rank 3, 0000:9b:00.0" """
    return listed(f"rank {rank['rank']}", rank["pci"] or rank["host"])


def rank_of(row, results):
    """Who measured a row, in words; nothing in a file of one device."""
    return rank_text(results["ranks"][row["rank"]]) if "ranks" in results else ""


def rows_of(results):
    """The rows of a file with all their fields. Of one device they have no rank and no phase."""
    context = results["context"]
    common = {"program": context["program"], "timer": context["timer"], "machine": machine_of(context)}
    common.update({field: context.get(field, "") for field in ("family", "tile")})
    common.update({"rank": "", "phase": "", "packed": False, "saved": False})
    worded = {"elements": elements_of, "case": case_of, "layer": layer_of}
    return [{**common, **row, **{name: text(row) for name, text in worded.items()}} for row in results["rows"]]


def place_of(element):
    """Where lines of an element type stand; of operands, where results have another one."""
    operands = element.split(">")[0]
    return list(TYPES).index(operands) if operands in TYPES else len(TYPES)


def figure(value):
    """Three significant digits, as far as a decimal point can give them."""
    return f"{value:.{2 if value < 10 else 1 if value < 100 else 0}f}"


def coarse(value):
    """One decimal at most: of ratios between processes, which have met other clocks, no second one means something."""
    return "below 0.1" if value < 0.1 else f"{value:.{1 if value < 10 else 0}f}"


def ratio(side):
    """Two decimals where the quartiles let the second one mean something, else one."""
    if side.get("apart"):
        return coarse(side["ratio"])
    is_sure = side["ratio_75"] - side["ratio_25"] < 0.02
    return f"{side['ratio']:.{2 if is_sure else 1}f}"
