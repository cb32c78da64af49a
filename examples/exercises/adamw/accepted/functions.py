"""Functions, and a class around them."""

import torch


def valid(lr, betas, eps, weight_decay):
    return lr >= 0 and eps >= 0 and weight_decay >= 0 and all(b >= 0 and b < 1 for b in betas)


def ema(old, new, beta):
    return new if old is None and beta == 0 else (1 - beta) * new + (0 if old is None else beta * old)


def unbiased(average, beta, t):
    return average / (1 - beta**t)


def updated(p, memory, lr, betas, eps, weight_decay):
    t, m, v = memory
    m, v = ema(m, p.grad, betas[0]), ema(v, p.grad**2, betas[1])
    direction = unbiased(m, betas[0], t + 1) / (unbiased(v, betas[1], t + 1) ** 0.5 + eps)
    return (1 - lr * weight_decay) * p - lr * direction, (t + 1, m, v)


class AdamW:
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
        if not valid(lr, betas, eps, weight_decay):
            raise ValueError("settings")
        self.lr, self.betas, self.eps, self.weight_decay = lr, betas, eps, weight_decay
        self.params = [*params]
        self.memories = [(0, None, None)] * len(self.params)

    @torch.no_grad()
    def step(self):
        for index, p in enumerate(self.params):
            if p.grad is not None:
                settings = (self.lr, self.betas, self.eps, self.weight_decay)
                values, self.memories[index] = updated(p, self.memories[index], *settings)
                p.copy_(values)

    def zero_grad(self):
        for p in self.params:
            p.grad = None
