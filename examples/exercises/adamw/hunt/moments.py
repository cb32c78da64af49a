"""AdamW with an object for the moments of each parameter."""

import torch


class Moments:
    """What is remembered of one parameter's gradients."""

    def __init__(self, like):
        self.age = 0
        self.direction = torch.zeros_like(like)
        self.energy = torch.zeros_like(like)

    def add(self, gradient, keep_direction, keep_energy):
        self.age = self.age + 1
        self.direction = self.direction * keep_direction + gradient * (1.0 - keep_direction)
        self.energy = self.energy * keep_energy + gradient * gradient * (1.0 - keep_energy)

    def without_bias(self, keep_direction, keep_energy):
        direction = self.direction / (1.0 - keep_direction**self.age)
        energy = self.energy / (1.0 - keep_energy**self.age)
        return direction, energy


class AdamW:
    """Each parameter is paired with its moments."""

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
        for name, number in {"lr": lr, "eps": eps, "weight_decay": weight_decay}.items():
            if number < 0:
                raise ValueError(f"{name} is {number}, which is negative")
        for beta in betas:
            if beta < 0 or beta >= 1:
                raise ValueError(f"a beta of {beta} is not between 0 and 1")
        self.pairs = [(parameter, Moments(parameter)) for parameter in params]
        self.lr = lr
        self.betas = betas
        self.eps = eps
        self.weight_decay = weight_decay

    def step(self):
        with torch.no_grad():
            for parameter, moments in self.pairs:
                gradient = parameter.grad
                if gradient is None:
                    continue
                moments.add(gradient, *self.betas)
                direction, energy = moments.without_bias(*self.betas)
                parameter *= 1.0 - self.lr * self.weight_decay
                parameter -= self.lr * direction / (torch.sqrt(energy) + self.eps)

    def zero_grad(self):
        for parameter, _ in self.pairs:
            parameter.grad = None
