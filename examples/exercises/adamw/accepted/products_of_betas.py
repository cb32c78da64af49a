"""Powers of the betas as running products."""

import torch


class AdamW:
    def __init__(self, params, lr=0.001, betas=(0.9, 0.999), eps=1e-08, weight_decay=0.01):
        if lr < 0 or eps < 0 or weight_decay < 0 or betas[0] < 0 or betas[1] < 0 or betas[0] >= 1 or betas[1] >= 1:
            raise ValueError
        self.rows = [[p, 1.0, 1.0, torch.zeros_like(p), torch.zeros_like(p)] for p in params]
        self.lr, self.eps, self.weight_decay = lr, eps, weight_decay
        self.b1, self.b2 = betas

    def step(self):
        with torch.no_grad():
            for row in self.rows:
                p = row[0]
                if p.grad is None:
                    continue
                row[1] *= self.b1
                row[2] *= self.b2
                row[3] += (1 - self.b1) * (p.grad - row[3])
                row[4] += (1 - self.b2) * (p.grad**2 - row[4])
                shrunk = p * (1 - self.lr * self.weight_decay)
                p[...] = shrunk - self.lr * (row[3] / (1 - row[1])) / ((row[4] / (1 - row[2])) ** 0.5 + self.eps)

    def zero_grad(self):
        for row in self.rows:
            row[0].grad = None
