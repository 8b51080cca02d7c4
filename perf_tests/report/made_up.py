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
