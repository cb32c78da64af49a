"""A dataclass for what is known of each parameter."""

from dataclasses import dataclass, field

import torch
from torch import Tensor


@dataclass
class State:
    parameter: Tensor
    steps: int = 0
    first: Tensor = field(init=False)
    second: Tensor = field(init=False)

    def __post_init__(self):
        self.first = torch.zeros_like(self.parameter)
        self.second = torch.zeros_like(self.parameter)

    def direction(self, beta1, beta2, eps):
        grad = self.parameter.grad
        self.steps += 1
        self.first = beta1 * self.first + (1.0 - beta1) * grad
        self.second = beta2 * self.second + (1.0 - beta2) * grad.pow(2)
        first = self.first / (1.0 - beta1**self.steps)
        second = self.second / (1.0 - beta2**self.steps)
        return first / (second.sqrt() + eps)


class AdamW:
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
        if min(lr, eps, weight_decay) < 0:
            raise ValueError("negative setting")
        if any(beta < 0 or beta >= 1 for beta in betas):
            raise ValueError("beta outside [0, 1)")
        self.states = [State(each) for each in params]
        self.lr, self.betas, self.eps, self.weight_decay = lr, betas, eps, weight_decay

    @torch.no_grad()
    def step(self):
        for state in self.states:
            p = state.parameter
            if p.grad is not None:
                decayed = p - self.lr * self.weight_decay * p
                p.copy_(decayed - self.lr * state.direction(*self.betas, self.eps))

    def zero_grad(self):
        for state in self.states:
            state.parameter.grad = None
