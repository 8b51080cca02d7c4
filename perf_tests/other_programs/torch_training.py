# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The training step of tegula_train_mlp in PyTorch: a perceptron with ReLU and biases, softmax and mean cross-entropy,
and gradient descent with momentum, on grey values that lie on the device.
"""

import dataclasses

MEAN, DEVIATION = 127.5, 73.9  # of grey values that are all equally likely


@dataclasses.dataclass(frozen=True)
class Problem:
    """widths: of inputs, hidden layers and classes."""

    widths: tuple
    batch: int
    type: str
    batches: int = 16
    learning_rate: float = 0.05
    momentum: float = 0.9
    seed: int = 1

    @property
    def flops(self):
        """Of the products of a step; nobody needs the gradient of the inputs."""
        weights = [rows * columns for rows, columns in zip(self.widths, self.widths[1:])]
        return 2.0 * self.batch * (3 * sum(weights) - weights[0])


def type_of(torch, name):
    return {"double": torch.float64, "float": torch.float32, "half": torch.float16, "bhalf": torch.bfloat16}[name]


class Data:
    """Noise, and the batch that is next: the device counts them, so that a step is the same work every time."""

    def __init__(self, torch, problem, device):
        self.torch, self.problem = torch, problem
        drawn = torch.Generator(device).manual_seed(problem.seed)
        count, inputs, classes = problem.batches * problem.batch, problem.widths[0], problem.widths[-1]

        def integers(high, shape, dtype):
            return torch.randint(0, high, shape, generator=drawn, device=device).to(dtype)

        self.images = integers(256, (count, inputs), torch.uint8)
        self.labels = integers(classes, (count,), torch.int64)
        order = torch.randperm(count, generator=drawn, device=device)
        self.order = order.reshape(problem.batches, problem.batch)
        self.number = torch.zeros(1, dtype=torch.int64, device=device)

    def next(self):
        """Numbers of the samples of a batch."""
        samples = self.order.index_select(0, self.number).reshape(-1)
        self.number.add_(1).remainder_(self.problem.batches)
        return samples

    def inputs(self, samples):
        grey = self.images.index_select(0, samples).to(self.torch.float32)
        return ((grey - MEAN) * (1 / DEVIATION)).to(type_of(self.torch, self.problem.type))


def first_parameters(torch, problem, device):
    """Weights and bias of each layer in the type of masters: uniform weights of variance 2 / inputs, biases 0."""
    dtype = torch.float64 if problem.type == "double" else torch.float32
    drawn = torch.Generator(device).manual_seed(problem.seed)
    parameters = []
    for rows, columns in zip(problem.widths, problem.widths[1:]):
        unit = torch.rand(columns, rows, generator=drawn, device=device, dtype=dtype)
        parameters += [(2 * unit - 1) * (6.0 / rows) ** 0.5, torch.zeros(columns, dtype=dtype, device=device)]
    return parameters


def loss_of(torch, parameters, inputs, labels):
    """Mean cross-entropy; logits become float, or double, before their softmax."""
    layers = list(zip(parameters[::2], parameters[1::2]))
    for weights, bias in layers[:-1]:
        inputs = torch.nn.functional.linear(inputs, weights, bias).relu()
    logits = torch.nn.functional.linear(inputs, *layers[-1])
    logits = logits if logits.dtype == torch.float64 else logits.float()
    return torch.nn.functional.cross_entropy(logits, labels)


class Step:
    """A step of training, call by call.

    masters: parameters, velocities and updates are float (or double) and are rounded to what products read, as in
    tegula_train_mlp; else all are of the type itself, by torch.optim.SGD. compiled: by torch.compile. gathers: each step
    has a batch of its own; else all have the first one.
    """

    def __init__(self, torch, problem, device, masters, compiled, gathers):
        self.torch, self.problem = torch, problem
        self.data = Data(torch, problem, device)
        dtype = type_of(torch, problem.type)
        self.masters = first_parameters(torch, problem, device)
        self.parameters = [master.to(dtype, copy=True).requires_grad_() for master in self.masters]
        self.velocities = [torch.zeros_like(master) for master in self.masters]
        self.gradients = [torch.zeros_like(master) for master in self.masters]
        self.optimiser = None if masters else self.sgd(device)
        samples = self.data.next()
        self.batch = None if gathers else (self.data.inputs(samples), self.data.labels[samples])
        self.loss, self.update = self.batch_loss, self.update_masters if masters else self.update_plain
        if compiled:
            torch._dynamo.reset()
            self.loss = torch.compile(self.batch_loss, fullgraph=True, dynamic=False)
            if masters:
                self.update = torch.compile(self.update_masters, fullgraph=True, dynamic=False)

    def sgd(self, device):
        rates = {"lr": self.problem.learning_rate, "momentum": self.problem.momentum}
        fused = {"fused": True} if device == "cuda" else {}  # the fastest one
        return self.torch.optim.SGD(self.parameters, **rates, **fused)

    def batch_loss(self, samples):
        batch = self.batch or (self.data.inputs(samples), self.data.labels.index_select(0, samples))
        return loss_of(self.torch, self.parameters, *batch)

    def update_masters(self, gradients):
        torch = self.torch
        torch._foreach_copy_(self.gradients, gradients)
        torch._foreach_mul_(self.velocities, self.problem.momentum)
        torch._foreach_add_(self.velocities, self.gradients)
        torch._foreach_add_(self.masters, self.velocities, alpha=-self.problem.learning_rate)
        torch._foreach_copy_(self.parameters, self.masters)

    def update_plain(self, gradients):
        for parameter, gradient in zip(self.parameters, gradients):
            parameter.grad = gradient
        self.optimiser.step()

    def __call__(self):
        loss = self.loss(None if self.batch else self.data.next())
        gradients = self.torch.autograd.grad(loss, self.parameters)
        with self.torch.no_grad():
            self.update(list(gradients))
        return loss
