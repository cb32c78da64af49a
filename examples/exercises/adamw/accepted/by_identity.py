"""A dictionary by the parameters' identity."""

from collections import defaultdict

import torch


class AdamW:
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
        if not (lr >= 0 and eps >= 0 and weight_decay >= 0 and 0 <= betas[0] < 1 and 0 <= betas[1] < 1):
            raise ValueError("a setting is out of range")
        self.params = tuple(params)
        self.lr, self.eps, self.weight_decay = lr, eps, weight_decay
        self.beta1, self.beta2 = betas
        self.state = defaultdict(lambda: [0, 0.0, 0.0])

    def step(self):
        for p in self.params:
            if p.grad is None:
                continue
            grad = p.grad.detach()
            count, mean, square = self.state[id(p)]
            count += 1
            mean = mean * self.beta1 + grad * (1 - self.beta1)
            square = square * self.beta2 + grad * grad * (1 - self.beta2)
            self.state[id(p)] = [count, mean, square]
            update = mean / (1 - self.beta1**count)
            update = update / (torch.sqrt(square / (1 - self.beta2**count)) + self.eps)
            p.data = p.data * (1 - self.lr * self.weight_decay) - self.lr * update

    def zero_grad(self):
        for p in self.params:
            p.grad = None
