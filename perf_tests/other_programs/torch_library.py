# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A library whose matrices are tensors of PyTorch: its device, clocks, cases and facts, as program.py wants them."""

import dataclasses
import pathlib
import platform
import re
import subprocess
import typing

from shapes import UsageError
from torch_cases import case_of
from torch_clocks import EventClock, GraphClock, WallClock

COPY_BYTES = {"cpu": 256 << 20, "cuda": 2 << 30}
ATTEMPTS = 5  # the best counts: a roof is what the machine can do, not what it did
GPU_FACTS = {
    "temperature_c": "temperature.gpu",
    "sm_clock_mhz": "clocks.sm",
    "memory_clock_mhz": "clocks.mem",
    "power_w": "power.draw",
}


@dataclasses.dataclass
class Way:
    """A way to compute. make(torch, spec) returns run(x, y, bias, C), which returns the result; x and y are op(A) and
    op(B), bias is None without a layer, and C is memory that it may use, or None where autograd follows."""

    name: str
    path: str
    make: typing.Callable
    absent: typing.Callable = lambda spec: ""


def nvidia_smi(query, torch):
    """What the driver says of the GPU at hand; nothing where it does not."""
    uuid = str(getattr(torch.cuda.get_device_properties(0), "uuid", "")).removeprefix("GPU-")
    command = [
        "nvidia-smi",
        f"--query-gpu={query}",
        "--format=csv,noheader,nounits",
        *(["-i", f"GPU-{uuid}"] if uuid else []),
    ]
    try:
        line = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[0]
    except (OSError, subprocess.CalledProcessError, IndexError):
        return []
    return [text.strip() for text in line.split(",")]


class TorchLibrary:
    """ways: of each call, by its name in files of results."""

    def __init__(self, torch, described, ways, options):
        self.torch, self.described, self.device = torch, described, options.device
        self.by_call = {call: {way.name: way for way in some} for call, some in ways.items()}
        self.build = f"Python {platform.python_version()}"
        if self.device == "cpu":
            torch.set_num_threads(options.threads)
        elif not torch.cuda.is_available():
            raise UsageError("--device cuda: PyTorch finds no GPU; --device cpu is a CPU")
        else:
            # A stream of its own, which can be captured. It stays the current one.
            torch.cuda.set_stream(torch.cuda.Stream())
            # Sums of 16 bits are formed in float on every side.
            torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction = False
            torch.backends.cuda.matmul.allow_bf16_reduced_precision_reduction = False

    def ways(self, call):
        return self.by_call[call]

    def case(self, spec, peers):
        ways = self.by_call["gemm_backward" if spec.epilogue == "backward" else "gemm"]
        cache = self.torch.cuda.get_device_properties(0).L2_cache_size if self.device == "cuda" else 0
        return case_of(self.torch, self.device, spec, [ways[name] for name in peers], cache)

    def clock(self, timer):
        if timer == "wall":
            return WallClock(self.torch.cuda.synchronize if self.device == "cuda" else lambda: None)
        return GraphClock(self.torch) if timer == "graph" else EventClock(self.torch)

    def bandwidth_gbs(self):
        """Of a copy, bytes read and written."""
        source = self.torch.empty(COPY_BYTES[self.device], dtype=self.torch.uint8, device=self.device).zero_()
        to = self.torch.empty_like(source)
        batch = self.clock("wall" if self.device == "cpu" else "events").batch(ATTEMPTS, lambda: to.copy_(source))
        return 2e-9 * source.numel() / min(min(batch()) for _ in range(ATTEMPTS))

    def facts(self):
        if self.device == "cpu":
            found = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8"))
            name = found[1] if found else "unknown processor"
            return {"execution_space": "CPU", "concurrency": self.torch.get_num_threads(), "device": name}
        device = self.torch.cuda.get_device_properties(0)
        text = f"{device.name} ({device.multi_processor_count} multiprocessors, L2 {device.L2_cache_size >> 20} MiB)"
        threads = device.multi_processor_count * device.max_threads_per_multi_processor
        facts = {"execution_space": "Cuda", "concurrency": threads, "device": text}
        facts["cuda_runtime"] = self.torch.version.cuda
        return {**facts, **dict(zip(("driver", "power_limit_w"), nvidia_smi("driver_version,power.limit", self.torch)))}

    def moment(self, when):
        if self.device == "cpu":
            return {}
        return {when: dict(zip(GPU_FACTS, nvidia_smi(",".join(GPU_FACTS.values()), self.torch)))}
