"""Wrong: the decay comes last and so also shrinks what the step has just added."""
import math

import torch


class AdamW:
    """m / (1 - b1^t) is sum(b1^k g) / sum(b1^k), and likewise for the squares."""

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
        self._check(lr, betas, eps, weight_decay)
        self.lr, self.eps, self.weight_decay = lr, eps, weight_decay
        self.b1, self.b2 = betas
        self.params = list(params)
        self.sums = [(torch.zeros_like(p), torch.zeros_like(p)) for p in self.params]
        self.weights = [(0.0, 0.0) for _ in self.params]

    @staticmethod
    def _check(lr, betas, eps, weight_decay):
        if lr < 0 or eps < 0 or weight_decay < 0 or any(not (0 <= b < 1) for b in betas):
            raise ValueError("lr, eps, weight_decay >= 0 and 0 <= beta < 1, please")

    @torch.no_grad()
    def step(self):
        for i, p in enumerate(self.params):
            if (g := p.grad) is None:
                continue
            gs, squares = self.sums[i]
            a, b = self.weights[i]
            a, b = 1 + self.b1 * a, 1 + self.b2 * b
            self.weights[i] = a, b
            gs.mul_(self.b1).add_(g)
            squares.mul_(self.b2).add_(g.pow(2))
            p.sub_(self.lr * math.sqrt(b) / a * gs / (squares.sqrt() + self.eps * math.sqrt(b)))
            p.sub_(p, alpha=self.lr * self.weight_decay)

    def zero_grad(self):
        for p in self.params:
            p.grad = None
