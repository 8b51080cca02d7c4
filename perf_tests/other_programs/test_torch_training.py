# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of the training steps in PyTorch, on its CPU. 77: no PyTorch, or one that is too old."""

import pathlib
import sys
import unittest

try:
    import torch
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)
if not hasattr(torch, "_foreach_copy_"):
    print(f"skipped: PyTorch {torch.__version__} is too old")
    sys.exit(77)

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "report"))

import pytorch_training  # noqa: E402
from torch_training import Problem, Step  # noqa: E402

PROBLEM = Problem((30, 20, 5), 16, "double", batches=4)


def gradients_by_formulas(parameters, inputs, labels):
    """Of the mean cross-entropy of a network with one hidden layer."""
    W0, b0, W1, b1 = parameters
    hidden = (inputs @ W0.t() + b0).clamp_min(0)
    dlogits = torch.softmax(hidden @ W1.t() + b1, 1)
    dlogits[torch.arange(len(labels)), labels] -= 1
    dlogits /= len(labels)
    dhidden = (dlogits @ W1) * (hidden > 0)
    return dhidden.t() @ inputs, dhidden.sum(0), dlogits.t() @ hidden, dlogits.sum(0)


class Steps(unittest.TestCase):
    def test_are_those_of_the_formulas(self):
        for masters in (True, False):
            step = Step(torch, PROBLEM, "cpu", masters, False, True)
            expected = [parameter.detach().clone() for parameter in step.parameters]
            velocities = [torch.zeros_like(parameter) for parameter in expected]
            for number in (1, 2, 3, 0, 1):
                samples = step.data.order[number]
                gradients = gradients_by_formulas(expected, step.data.inputs(samples), step.data.labels[samples])
                for parameter, velocity, gradient in zip(expected, velocities, gradients):
                    velocity.mul_(PROBLEM.momentum).add_(gradient)
                    parameter.sub_(PROBLEM.learning_rate * velocity)
                step()
                for found, parameter in zip(step.parameters, expected):
                    self.assertLess((found - parameter).abs().max().item(), 1e-12, (masters, number))

    def test_masters_are_float_and_are_rounded_to_what_is_stored(self):
        problem = Problem((30, 20, 5), 16, "bhalf", batches=4)
        step = Step(torch, problem, "cpu", True, False, True)
        for _ in range(3):
            step()
        for master, parameter in zip(step.masters, step.parameters):
            self.assertEqual((master.dtype, parameter.dtype), (torch.float32, torch.bfloat16))
            self.assertTrue(torch.equal(master.to(torch.bfloat16), parameter))
        self.assertFalse(torch.equal(step.masters[0], step.parameters[0].float()))

    def test_static_inputs_are_one_batch(self):
        step = Step(torch, PROBLEM, "cpu", True, False, False)
        losses = [step().item() for _ in range(30)]
        self.assertEqual(step.data.number.item(), 1)
        self.assertLess(losses[-1], losses[0])

    def test_flops_are_those_of_our_program(self):
        """As tegula_train_mlp --steps --json writes them for 784-64-32-10 and 100 samples."""
        self.assertEqual(Problem((784, 64, 32, 10), 100, "bhalf").flops, 21491200)

    def test_another_loss_is_found(self):
        for static in (False, True):
            step = Step(torch, PROBLEM, "cpu", True, False, not static)
            pytorch_training.check_first_loss(torch, step, PROBLEM)
            step = Step(torch, PROBLEM, "cpu", True, False, not static)
            right = step.loss
            step.loss = lambda samples, right=right: 1.001 * right(samples)
            with self.assertRaisesRegex(pytorch_training.WrongLoss, "its first loss is .*, in double "):
                pytorch_training.check_first_loss(torch, step, PROBLEM)


if __name__ == "__main__":
    unittest.main()
