# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the clocks of torch_clocks.py ask of torch.cuda, on a device whose time passes by the work that is queued."""

import types


class FakeCuda:
    def __init__(self):
        self.milliseconds, self.captured = 0.0, None
        device = self

        class Event:
            def __init__(self, enable_timing):
                assert enable_timing

            def record(self):
                self.at = device.milliseconds

            def synchronize(self):
                """It is past."""

            def elapsed_time(self, later):
                return later.at - self.at

        class CUDAGraph:
            def replay(self):
                for milliseconds in self.calls:
                    device.milliseconds += milliseconds

        class graph:
            def __init__(self, graph, stream):
                self.graph = graph

            def __enter__(self):
                device.captured = []

            def __exit__(self, *_):
                self.graph.calls, device.captured = device.captured, None

        self.torch = types.SimpleNamespace(
            cuda=types.SimpleNamespace(Event=Event, CUDAGraph=CUDAGraph, graph=graph, current_stream=lambda: "stream")
        )

    def queue(self, milliseconds):
        if self.captured is None:
            self.milliseconds += milliseconds
        else:
            self.captured.append(milliseconds)
