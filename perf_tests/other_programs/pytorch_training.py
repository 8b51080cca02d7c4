#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times training steps in PyTorch, to stand beside those of tegula_train_mlp --steps with the same options.

  masters           float masters and velocities, rounded to what products read, as tegula_train_mlp has them
  plain             parameters, gradients and velocities of the type itself, by torch.optim.SGD (fused)
  masters_compiled  loss, gradients and update of the first one by torch.compile
  plain_compiled    loss and gradients of the second one by torch.compile

On a GPU sixteen steps are captured in a CUDA graph, which is replayed. A step gathers its batch from grey values on the
device; --static-inputs leaves that out. Sums of half and bhalf are formed in float. It needs torch 2.3 or newer.

  pytorch_training.py --hidden 1024,1024 --batch 4096 --type bhalf
"""

import argparse
import json
import math
import pathlib
import statistics
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "report"))

from output_files import write_whole  # noqa: E402
from program import TYPES, listed, version  # noqa: E402
from shapes import UsageError  # noqa: E402
from torch_training import Problem, Step, loss_of  # noqa: E402

VARIANTS = {  # masters, compiled
    "masters": (True, False),
    "plain": (False, False),
    "masters_compiled": (True, True),
    "plain_compiled": (False, True),
}
STEPS_A_GRAPH = 16
NOT_TIMED = 3  # steps, in which libraries get ready
FEWEST_TIMES = 5
ALLOWED = {"double": 1e-9, "float": 1e-4, "half": 0.01, "bhalf": 0.05}  # of the loss, from rounding


def whole_numbers(text):
    return tuple(int(word) for word in text.split(","))


def parsed(arguments):
    parser = argparse.ArgumentParser(
        prog="pytorch_training.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--hidden", type=whole_numbers, default=(256,), help="Width of every hidden layer (default: 256)")
    add("--batch", type=int, default=128)
    add("--inputs", type=int, default=784)
    add("--classes", type=int, default=10)
    add("--type", choices=TYPES, default="float")
    add("--steps", type=int, default=200, help="To time, at least (default: 200)")
    add("--variants", default=",".join(VARIANTS), help="With commas between (default: all)")
    add("--static-inputs", action="store_true", help="All steps have the same batch")
    add("--device", choices=("cuda", "cpu"), default="cuda")
    add("--threads", type=int, default=1, help="Of a CPU (default: 1)")
    add("--seed", type=int, default=1)
    add("--json", metavar="FILE", help="Write the times to this file")
    return parser.parse_args(arguments)


def problem_of(options):
    widths = (options.inputs, *options.hidden, options.classes)
    if min(*widths, options.batch, options.steps) < 1:
        raise UsageError("--hidden, --batch, --inputs, --classes and --steps are positive")
    return Problem(widths, options.batch, options.type, seed=options.seed)


class WrongLoss(Exception):
    """A variant computes something else."""


def check_first_loss(torch, step, problem):
    """Against products and sums in double, of the same parameters and samples."""
    inputs = step.batch[0] if step.batch else step.data.inputs(step.data.order[1])
    labels = step.batch[1] if step.batch else step.data.labels[step.data.order[1]]
    stored = [parameter.detach().double() for parameter in step.parameters]
    expected = loss_of(torch, stored, inputs.double(), labels).item()
    found = step().item()
    if not abs(found - expected) <= ALLOWED[problem.type] * expected:
        raise WrongLoss(f"its first loss is {found:g}, in double {expected:g}")


def seconds_of(library, step, steps):
    """Of a step, for each batch of steps that is timed."""
    for _ in range(NOT_TIMED):
        step()
    timer = "graph" if library.device == "cuda" else "wall"
    batch = library.clock(timer).batch(STEPS_A_GRAPH, step)
    batch()
    return [batch()[0] for _ in range(max(FEWEST_TIMES, math.ceil(steps / STEPS_A_GRAPH)))]


def figures_of(library, name, problem, options):
    """Of a variant; what fails is said, and the others go on."""
    torch = library.torch
    try:
        step = Step(torch, problem, library.device, *VARIANTS[name], not options.static_inputs)
        check_first_loss(torch, step, problem)
        seconds = seconds_of(library, step, options.steps)
    except Exception as error:
        return {"failed": f"{type(error).__name__}: {error}"[:500]}
    quarter, median, three_quarters = statistics.quantiles(seconds, n=4, method="inclusive")
    return {"seconds": median, "seconds_25": quarter, "seconds_75": three_quarters, "samples": len(seconds)}


def line_of(name, figures, problem):
    if "failed" in figures:
        return f"  {name:18} failed: {figures['failed']}"
    middle = f"(middle half {1e3 * figures['seconds_25']:.4f} to {1e3 * figures['seconds_75']:.4f})"
    rate = 1e-12 * problem.flops / figures["seconds"]
    return f"  {name:18} {1e3 * figures['seconds']:.4f} ms a step {middle}, {rate:.4g} TFLOP/s in products"


def run(options, make_library):
    problem = problem_of(options)
    names = listed(options.variants, VARIANTS, "--variants")
    library = make_library(options)
    facts = library.facts()
    network = "-".join(map(str, problem.widths))
    gathers = "the same batch each" if options.static_inputs else "a batch of its own each"
    print(f"{library.described}, on {facts['device']}: {network}, batch {problem.batch}, {problem.type}, {gathers}")
    variants = {}
    for name in names:
        variants[name] = figures_of(library, name, problem, options)
        print(line_of(name, variants[name], problem), flush=True)
    if options.json:
        context = {"program": "pytorch_training", "version": version(), "peer": library.described, **facts}
        run = {"network": network, "batch": problem.batch, "type": TYPES[problem.type], "flops": problem.flops}
        results = {"context": context, **run, "static_inputs": options.static_inputs, "variants": variants}
        write_whole(options.json, json.dumps(results, indent=1, allow_nan=False) + "\n")
    return 1 if any("failed" in figures for figures in variants.values()) else 0


def make_library(options):
    import torch  # here, so that --help needs none

    from torch_library import TorchLibrary

    return TorchLibrary(torch, f"PyTorch {torch.__version__}", {}, options)


def main(arguments=None, make_library=make_library):
    """Exit code: 0, 1 if a variant failed, 2 after wrong usage."""
    try:
        return run(parsed(arguments), make_library)
    except (UsageError, ImportError, OSError) as error:
        print(f"pytorch_training.py: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
