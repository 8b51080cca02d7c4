# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The clocks of Tegula_PerfTimer.cpp: batch(calls, call) returns what runs so many calls and returns their seconds.

All work is on torch's current stream, which must not be the default one where calls are captured in a graph.
"""

import time


class WallClock:
    """The host's clock around the batch: one time, the mean."""

    def __init__(self, wait, now=time.perf_counter):
        self.wait, self.now = wait, now

    def batch(self, calls, call):
        def seconds():
            self.wait()
            start = self.now()
            for _ in range(calls):
                call()
            self.wait()
            return [(self.now() - start) / calls]

        return seconds


class EventClock:
    """An event between each call and the next, after one call that is not timed: a time a call."""

    def __init__(self, torch):
        self.torch, self.events = torch, []

    def batch(self, calls, call):
        while len(self.events) <= calls:
            self.events.append(self.torch.cuda.Event(enable_timing=True))
        events = self.events[: calls + 1]

        def seconds():
            call()  # gives the host a lead
            events[0].record()
            for event in events[1:]:
                call()
                event.record()
            events[-1].synchronize()
            return [1e-3 * first.elapsed_time(second) for first, second in zip(events, events[1:])]

        return seconds


class GraphClock:
    """Events around the batch as a CUDA graph, launched behind itself: one time, the mean."""

    def __init__(self, torch):
        self.torch = torch
        self.ends = [torch.cuda.Event(enable_timing=True) for _ in range(2)]

    def batch(self, calls, call):
        graph = self.torch.cuda.CUDAGraph()
        with self.torch.cuda.graph(graph, stream=self.torch.cuda.current_stream()):
            for _ in range(calls):
                call()

        def seconds():
            graph.replay()  # gives the host a lead
            self.ends[0].record()
            graph.replay()
            self.ends[1].record()
            self.ends[1].synchronize()
            return [1e-3 * self.ends[0].elapsed_time(self.ends[1]) / calls]

        return seconds
