# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Results that nobody measured, for tests."""

import contextlib
import copy
import io
import json
import pathlib
import tempfile
import unittest

CONTEXT = {
    "program": "tegula_gemm_perf",
    "date": "2026-11-22T17:40:12Z",
    "version": "0.1.0",
    "commit": "abc1234",
    "command_line": "tegula_gemm_perf --types float",
    "build": "Release by GNU 12.2.0",
    "kokkos": "5.0.2",
    "execution_space": "Cuda",
    "concurrency": 270336,
    "device": "NVIDIA H200 (132 multiprocessors)",
    "driver": "580",
    "power_limit_w": "700",
    "cuda_runtime": "13.0",
    "peers": {"cublas": "cuBLAS 13.1.0", "cublaslt": "cuBLASLt 13.1.0"},
    "timer": "events",
    "modes": "sustained",
    "family": "",
    "tile": "",
    "random_shapes": 0,
    "bandwidth_gbs": 4000.0,
    "peak_gflops": {"f32": 60000.0},
}


def side(seconds, ratio=None, spread=0.01, samples=100):
    """Figures whose quartiles are `spread` of the median apart from it."""
    ends = {"": 1, "_25": 1 - spread, "_75": 1 + spread}
    figures = {"path": "kernel", "error": 1e-8, "samples": samples, "gflops": 1e-9 / seconds, "gbs": 1.0}
    figures.update({f"seconds{end}": seconds * factor for end, factor in ends.items()})
    if ratio is not None:
        figures.update({f"ratio{end}": ratio * factor for end, factor in ends.items()})
    return figures


def row(m, seconds=1e-3, spread=0.01, samples=100, peers=(), **fields):
    """A row of a product of extents m; peers: their times by name."""
    sides = {"tegula": side(seconds, spread=spread, samples=samples)}
    for name, time in dict(peers).items():
        sides[name] = side(time, time / seconds, spread, samples)
    shape = {"shape": f"cube-{m}", "m": m, "n": m, "k": m, "type": "f32", "layouts": "RRR", "ops": "NN"}
    layer = {"epilogue": "bias", "activation": "relu", "alpha": 1, "beta": 0, "compute": "native", "mode": "sustained"}
    figures = {"flops": 2 * m**3, "bytes": 12 * m**2, "roof_percent": 50.0, "copy_percent": 5.0, "error": None}
    return {**shape, **layer, **figures, "sides": sides, **fields}


def results(rows, complete=True, **context):
    return {"complete": complete, "context": {**copy.deepcopy(CONTEXT), **context}, "rows": rows}


def rank(number, **fields):
    """A rank of a file of several devices."""
    card = {"time_over_median_card": {"alone sustained": 1.0, "together sustained": 1.01}, "kept_speed": 0.97}
    who = {"rank": number, "host": "node1", "pci": f"0000:{number:x}b:00.0", "failure": None}
    return {**who, "card": {**card, "is_slow": False}, "context": copy.deepcopy(CONTEXT), **fields}


def of_ranks(seconds, together=1.05, **fields):
    """Results of ranks that take so many seconds for each of two rows alone, and so many times as long together."""
    rows = [
        row(m, factor * time, rank=number, phase=phase, peers={"cublas": 2.0})
        for m in (8, 16)
        for phase, factor in (("alone", 1), ("together", together))
        for number, time in enumerate(seconds)
    ]
    return {**results(rows), "ranks": [rank(number) for number in range(len(seconds))], **fields}


def apart(rows, **context):
    """Results of a process without Tegula, of rows that have peers."""
    for each in rows:
        del each["sides"]["tegula"]
        for side_of_peer in each["sides"].values():
            for field in ("ratio", "ratio_25", "ratio_75"):
                side_of_peer.pop(field, None)
    peers = {"pytorch_eager": "PyTorch 2.15", "triton": "Triton 3.9"}
    return results(rows, **{"program": "pytorch_gemm", "process": "another", "peers": peers, **context})


GPU = {"name": "NVIDIA H200", "space": "Cuda", "multiprocessors": 132, "memory_gib": 140}
HOST = {"name": "AMD EPYC 9B14", "space": "OpenMP", "instructions": "avx512", "threads": 2}


def way(tile="64x64x32", split_k=1, family="simt", **host):
    return {"family": family, "tile": tile, "split_k": split_k, **host}


def host_way(*flags, tile="512x1024x256", threads=2):
    return way(tile, family="host", threads=threads, kind=" ".join(flags))


def tuned_call(m, n=64, k=64, **fields):
    matrix = "f32 right 16"
    matrices = {"A": matrix, "B": matrix, "C": matrix, "bias": "f32 vector 16"}
    return {"function": "gemm", "m": m, "n": n, "k": k, **matrices, "activation": "relu", **fields}


def tuned_backward(m, n=64, k=64, **fields):
    matrices = dict.fromkeys(("dC", "A", "B", "saved", "dA", "dB"), "f32 right 16")
    layer = {"dbias": "f32 vector 16", "activation": "relu"}
    return {"function": "gemm_backward", "m": m, "n": n, "k": k, **matrices, **layer, **fields}


def tuned(call, gain=1.0, seconds=1e-5, tuned_way=None, **fields):
    """An entry of a tuning file; without a way the planner's own one stayed."""
    return {
        "device": GPU,
        "version": "0.1.0",
        "call": call,
        "commit": "abc1234",
        "way": tuned_way or way(),
        "seconds": seconds,
        "model_way": way(),
        "model_seconds": gain * seconds,
        "predicted": 1.1 * gain * seconds,
        "ways": 40,
        "method": "CUDA graphs with cold caches, lower quartile",
        **fields,
    }


def tuning(*entries):
    return {"tegula_tuning": 1, "entries": list(entries)}


class FilesTest(unittest.TestCase):
    """A folder for files, and a program that is called as from a shell."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, contents):
        path = self.folder / name
        path.write_text(contents if isinstance(contents, str) else json.dumps(contents), encoding="utf-8")
        return str(path)

    def call(self, program, *arguments):
        """Exit code, output and errors."""
        output, errors = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
            code = program([str(argument) for argument in arguments])
        return code, output.getvalue(), errors.getvalue()
