# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tuning files, which tegula_tune writes: reading them, and their entries in words.

The library reads them by Tegula_TuningFile.cpp, Tegula_ProblemClass.cpp and Tegula_TunedWay.cpp, and refuses what is
refused here: a page must not show what no call is planned by.
"""

import dataclasses
import json
import pathlib
import re

from result_files import NUMBER, TYPES, ResultError, check_fields, elements_of, listed, not_a_number, require
from verdict import and_listed

FORMAT = 1
ENTRY_FIELDS = {
    **dict.fromkeys(("version", "commit", "method"), str),
    **dict.fromkeys(("device", "call", "way", "model_way"), dict),
    **dict.fromkeys(("seconds", "model_seconds", "predicted", "ways"), NUMBER),
}
SHORTEST, LONGEST = 1e-9, 1e5  # seconds of a call
MOST = 1 << 20  # multiprocessors, threads, extents of a tile, parts of a split, ways
LONGEST_SIDE = 1 << 50

MATRICES = {
    "gemm": ("A", "B", "C", "bias", "Z"),
    "gemm_backward": ("dC", "A", "B", "saved", "dA", "dB", "dbias"),
}
NEEDED = 3  # of the matrices: they come first
GRADIENTS = ("dA", "dB")  # each is a product
LAYOUTS = ("left_out", "right", "left", "vector", "strided")
UPDATES = ("update_dA", "update_dB", "update_dbias")
# What a call need not name, and what it is then: the first one.
CHOICES = {
    "activation": ("identity", "relu", "leaky_relu", "tanh", "sigmoid", "silu", "gelu_tanh", "gelu_erf"),
    "compute": ("native", "tf32", "fp32_split"),
    "alpha": ("one", "zero", "other"),
    "beta": ("zero", "one", "other"),
}
FLAGS = ("transposed", "inner", "packs_left", "packs_right")
WHOLE_LINE = 16  # bytes: no kernel asks for more


@dataclasses.dataclass(frozen=True)
class Entry:
    """A call that was tuned. Device and ways are as text, which is the same for what is the same."""

    device: tuple  # name, and what tells it from others of that name
    version: str
    commit: str
    function: str
    call: str  # in words, which leave out what is usual
    key: tuple  # the same for equal calls only
    flops: int  # of the products
    way: str
    seconds: float
    model_way: str  # the planner's own
    model_seconds: float
    predicted: float  # seconds of model_way; 0: not known
    ways: int  # that were measured
    method: str

    @property
    def gain(self):
        return self.model_seconds / self.seconds

    @property
    def stayed(self):
        """Whether nothing beat the planner's own way."""
        return self.way == self.model_way


# ------------------------------------------------------------------------------------------------------------- checking


def check_keys(holder, known, where):
    """A key that is not known may be misspelt."""
    require(isinstance(holder, dict), f"{where} is no object")
    for key in holder:
        require(key in known, f'{where} has "{key}", which is none of {", ".join(known)}')


def number(holder, key, least, most, where):
    check_fields(holder, {key: NUMBER}, where)
    value = holder[key]
    is_in_range = least <= value <= most
    require(is_in_range, f'"{key}" of {where} is {json.dumps(value)[:40]}, not from {least:g} to {most:g}')
    return value


def integer(holder, key, least, most, where):
    value = number(holder, key, least, most, where)
    require(value == int(value), f'"{key}" of {where} is {value:g}, no integer')
    return int(value)


def text(holder, key, where):
    check_fields(holder, {key: str}, where)
    return holder[key]


def one_of(value, known, where):
    require(value in known, f'{where} is "{value}", none of {", ".join(known)}')
    return value


def chosen(holder, key, known, where):
    return one_of(text(holder, key, where), known, f'"{key}" of {where}') if key in holder else known[0]


# -------------------------------------------------------------------------------------------------------------- devices


def device_of(written, where):
    where = f"the device of {where}"
    check_keys(written, ("name", "space", "instructions", "threads", "multiprocessors", "memory_gib"), where)
    name, space = (text(written, key, where) for key in ("name", "space"))
    if "multiprocessors" in written:
        facts = f"{integer(written, 'multiprocessors', 1, MOST, where)} multiprocessors"
        return name, f"{space}, {facts}, {integer(written, 'memory_gib', 0, MOST, where)} GiB"
    instructions, threads = text(written, "instructions", where), integer(written, "threads", 1, MOST, where)
    return name, f"{space}, {instructions}, {threads} thread" + "s" * (threads > 1)


# ---------------------------------------------------------------------------------------------------------------- calls


@dataclasses.dataclass(frozen=True)
class Matrix:
    """ "f32 right 16" """

    element: str
    layout: str
    alignment: int  # 1: planners do not ask


def matrix_of(written, key, where):
    words = text(written, key, where).split()
    where = f'"{key}" of {where}'
    require(2 <= len(words) <= 3, f'{where} is "{written[key]}", not such as "f32 right 16"')
    one_of(words[0], tuple(TYPES), where)
    one_of(words[1], LAYOUTS, where)
    alignment = one_of(words[2], ("2", "4", "8", "16"), f"the alignment in {where}") if len(words) == 3 else 1
    return Matrix(words[0], words[1], int(alignment))


def elements_text(matrices, compute):
    """ "float", or of mixed ones "A half_t, B half_t, C float" """
    if len({matrix.element for matrix in matrices.values()}) == 1:
        return elements_of({"type": next(iter(matrices.values())).element, "compute": compute})
    by_element = keys_by(matrices, lambda matrix: TYPES[matrix.element])
    words = (f"{and_listed(keys)} {element}" for element, keys in by_element)
    return listed(*words, compute if compute != "native" else "")


def keys_by(matrices, what):
    """What matrices have, each with those that have it: ("left", "A and B")."""
    found = {}
    for key, matrix in matrices.items():
        found.setdefault(what(matrix), []).append(key)
    return list(found.items())


def memory_text(matrices):
    """What is not the usual: rows that are contiguous, a bias for all rows, lines on 16 bytes."""
    biases = dict.fromkeys(("bias", "dbias"), "vector")
    usual = {**dict.fromkeys(matrices, "right"), **biases}

    def names(keys):
        return "all" if {*keys, *biases} >= {*matrices} else and_listed(keys)

    unusual = {key: matrix for key, matrix in matrices.items() if matrix.layout != usual[key]}
    layouts = (f"{names(keys)} {layout}" for layout, keys in keys_by(unusual, lambda matrix: matrix.layout))
    narrow = {key: matrix for key, matrix in matrices.items() if 1 < matrix.alignment < WHOLE_LINE}
    bytes_of = (f"{names(keys)} on {count} bytes" for count, keys in keys_by(narrow, lambda matrix: matrix.alignment))
    return listed(*layouts, *bytes_of)


def layer_text(function, matrices, choices, updates):
    """What is computed with the product: "bias, relu", "plain, beta one", "relu, without dA"."""
    activation = choices["activation"]
    factors = [f"{key} {choices[key]}" for key in ("alpha", "beta") if choices[key] != CHOICES[key][0]]
    if function == "gemm":
        layers = ["bias" if "bias" in matrices else "", "Z kept" if "Z" in matrices else ""]
        layers.append(activation if activation != "identity" else "")
        return listed(*(layers if any(layers) else ["plain"]), *factors)
    left_out = [key for key in ("dA", "dB", "dbias") if key not in matrices]
    added = [key.replace("update_", "") for key in updates]
    without = "without " + and_listed(left_out) if left_out else ""
    return listed(activation, without, f"added to {and_listed(added)}" if added else "", *factors)


def call_of(written, where):
    """Function, words, key and flops."""
    where = f"the call of {where}"
    function = one_of(text(written, "function", where), tuple(MATRICES), f'"function" of {where}')
    is_backward = function == "gemm_backward"
    updates = UPDATES if is_backward else ()
    check_keys(written, ("function", "m", "n", "k", *MATRICES[function], *CHOICES, *updates), where)
    m, n, k = (integer(written, key, 0, LONGEST_SIDE, where) for key in "mnk")
    matrices = {key: matrix_of(written, key, where) for key in MATRICES[function] if key in written}
    matrices = {key: matrix for key, matrix in matrices.items() if matrix.layout != "left_out"}
    for key in MATRICES[function][:NEEDED]:
        require(key in matrices, f'{where} has no "{key}"')
    choices = {key: chosen(written, key, known, where) for key, known in CHOICES.items()}
    added = [key for key in updates if chosen(written, key, ("overwrite", "accumulate"), where) == "accumulate"]
    extents = f"{m} cube" if m == n == k else f"{m} x {n} x {k}"
    layer = layer_text(function, matrices, choices, added)
    elements = elements_text(matrices, choices["compute"])
    words = listed(f"{function} {elements}", extents, memory_text(matrices), layer)
    key = (function, m, n, k, *matrices.items(), *choices.values(), *added)
    products = sum(key in matrices for key in GRADIENTS) if is_backward else 1
    return function, words, key, 2 * m * n * k * products


# ----------------------------------------------------------------------------------------------------------------- ways


def tile_of(written, where):
    tile = text(written, "tile", where)
    found = re.fullmatch(r"([1-9][0-9]*)x([1-9][0-9]*)x([1-9][0-9]*)", tile)
    is_tile = found and all(len(side) < 8 and int(side) <= MOST for side in found.groups())
    require(is_tile, f'"tile" of {where} is "{tile}", not such as 64x128x16')
    return tile


def product_of(written, where):
    """ "host 512x1024x256/1 by 2 threads transposed packs_left" """
    check_keys(written, ("family", "tile", "split_k", "whole_waves", "threads", "kind"), where)
    family = text(written, "family", where)
    require(family, f'"family" of {where} is empty')
    waves = f"{integer(written, 'whole_waves', 1, MOST, where)}+" if "whole_waves" in written else ""
    words = f"{family} {tile_of(written, where)}/{waves}{integer(written, 'split_k', 1, MOST, where)}"
    if "threads" not in written:
        return words
    threads = integer(written, "threads", 1, 1 << 16, where)
    asked = [one_of(flag, FLAGS, f'"kind" of {where}') for flag in text(written, "kind", where).split()]
    by = f"by {threads} thread" + "s" * (threads > 1)
    return " ".join([words, by, *(flag for flag in FLAGS if flag in asked)])


def way_of(written, where):
    """The words of Tegula_TunedWay.cpp, and of the gradients on hosts which is which."""
    if "family" in written:
        return product_of(written, where)
    check_keys(written, ("block_bytes", *GRADIENTS), where)
    products = []
    for key in GRADIENTS:
        if key in written:
            require(isinstance(written[key], dict), f'"{key}" of {where} is no object')
            products.append(f"{key} {product_of(written[key], f'{key} of {where}')}")
    if "block_bytes" in written:
        return f"gradients together in blocks of {integer(written, 'block_bytes', 1, 1 << 40, where)} bytes"
    return "; ".join(products) or "the planner's own"


# -------------------------------------------------------------------------------------------------------------- reading


def entry_of(written, where):
    check_keys(written, tuple(ENTRY_FIELDS), where)
    check_fields(written, ENTRY_FIELDS, where)
    device = device_of(written["device"], where)
    function, call, key, flops = call_of(written["call"], where)
    way, model_way = (way_of(written[key], f'"{key}" of {where}') for key in ("way", "model_way"))
    seconds, model_seconds = (number(written, key, SHORTEST, LONGEST, where) for key in ("seconds", "model_seconds"))
    return Entry(
        device,
        written["version"],
        written["commit"],
        function,
        call,
        key,
        flops,
        way,
        seconds,
        model_way,
        model_seconds,
        number(written, "predicted", 0, LONGEST, where),
        integer(written, "ways", 1, MOST, where),
        written["method"],
    )


def object_of(pairs):
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f'"{next(key for key in keys if keys.count(key) > 1)}" is there twice')
    return found


def entries_of(path):
    """The entries of a file, in its order."""
    try:
        contents = pathlib.Path(path).read_text(encoding="utf-8")
        whole = json.loads(contents, parse_constant=not_a_number, object_pairs_hook=object_of)
        json.dumps(whole, ensure_ascii=False).encode()  # halves of characters, which no page can have
    except OSError as error:
        raise ResultError(f"{path}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise ResultError(f"{path}: {error}") from error
    if not isinstance(whole, dict) or "tegula_tuning" not in whole:
        raise ResultError(f"{path} is no file that tegula_tune wrote")
    try:
        check_keys(whole, ("tegula_tuning", "entries"), "the file")
        written_as = integer(whole, "tegula_tuning", 0, MOST, "the file")
        require(written_as == FORMAT, f"its format is {written_as}, not {FORMAT}")
        check_fields(whole, {"entries": list}, "the file")
        return [entry_of(written, f"entry {place}") for place, written in enumerate(whole["entries"], 1)]
    except ResultError as error:
        raise ResultError(f"{path}: {error}") from error


def read(paths):
    """The entries of all files. Of one device, version and call the last one counts, as in the library."""
    found = {}
    for path in paths:
        for entry in entries_of(path):
            found[(entry.device, entry.version, entry.key)] = entry
    if not found:
        raise ResultError(f"{', '.join(map(str, paths))}: there are no entries")
    return list(found.values())
