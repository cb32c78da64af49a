"""Wrong: averages and counts are kept by the parameter's shape and dtype, so parameters of one shape share them."""
from dataclasses import dataclass

import torch


@dataclass
class State:
    mean: torch.Tensor
    square: torch.Tensor
    count: int = 0

    def see(self, g, beta1, beta2):
        self.count += 1
        self.mean.lerp_(g, 1 - beta1)
        self.square.mul_(beta2).addcmul_(g, g, value=1 - beta2)


class AdamW:
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
        if min(lr, eps, weight_decay) < 0:
            raise ValueError("lr, eps and weight_decay are 0 or more")
        if min(betas) < 0 or max(betas) >= 1:
            raise ValueError("betas lie from 0 up to, but not including, 1")
        self.states = {}
        self.params = tuple(params)
        self.lr, self.weight_decay = lr, weight_decay
        self.beta1, self.beta2 = betas
        self.eps = eps

    def step(self):
        with torch.no_grad():
            for p in self.params:
                if p.grad is not None:
                    place = (tuple(p.shape), p.dtype)
                    if place not in self.states:
                        self.states[place] = State(torch.zeros_like(p), torch.zeros_like(p))
                    self.update(p, self.states[place])

    def update(self, p, s):
        s.see(p.grad, self.beta1, self.beta2)
        p.mul_(1 - self.lr * self.weight_decay)
        root = s.square.sqrt().div_((1 - self.beta2**s.count) ** 0.5).add_(self.eps)
        p.addcdiv_(s.mean, root, value=-self.lr / (1 - self.beta1**s.count))

    def zero_grad(self):
        for p in self.params:
            p.grad = None
