"""The averages in float64, whatever the parameter is."""

import torch


class AdamW:
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
        if lr < 0 or eps < 0 or weight_decay < 0:
            raise ValueError("lr, eps, weight_decay >= 0")
        if not (0 <= betas[0] < 1 and 0 <= betas[1] < 1):
            raise ValueError("0 <= beta < 1")
        self.params = [p for p in params]
        self.moments = [torch.zeros(2, *p.shape, dtype=torch.float64) for p in self.params]
        self.steps = [0] * len(self.params)
        self.lr, self.eps, self.weight_decay = lr, eps, weight_decay
        self.betas = betas

    def step(self):
        for number, p in enumerate(self.params):
            if p.grad is None:
                continue
            self.steps[number] += 1
            moments = self.moments[number]
            new = torch.stack([p.grad.double(), p.grad.double().square()])
            for order, beta in enumerate(self.betas):
                moments[order] = beta * moments[order] + (1 - beta) * new[order]
            mean, square = (moments[o] / (1 - b ** self.steps[number]) for o, b in enumerate(self.betas))
            value = p.detach().double() * (1 - self.lr * self.weight_decay)
            value = value - self.lr * mean / (square.sqrt() + self.eps)
            with torch.no_grad():
                p.copy_(value)

    def zero_grad(self):
        for p in self.params:
            p.grad = None
