"""A right AdamW that changes the parameters through NumPy arrays, which share their memory."""
import numpy as np
import torch


class AdamW:
    """Averages are NumPy arrays too."""

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
        for value in (lr, eps, weight_decay):
            if value < 0:
                raise ValueError("lr, eps and weight_decay must be at least 0")
        for beta in betas:
            if beta < 0 or beta >= 1:
                raise ValueError("betas must be at least 0 and below 1")
        self.lr = lr
        self.betas = betas
        self.eps = eps
        self.weight_decay = weight_decay
        self.params = list(params)
        self.averages = [None for _ in self.params]

    def step(self):
        b1, b2 = self.betas
        for number, parameter in enumerate(self.params):
            if parameter.grad is None:
                continue
            values = parameter.detach().numpy()
            g = parameter.grad.detach().numpy()
            t, m, v = self.averages[number] or (0, np.zeros_like(g), np.zeros_like(g))
            t = t + 1
            m = (b1 * m + (1 - b1) * g).astype(g.dtype)
            v = (b2 * v + (1 - b2) * g * g).astype(g.dtype)
            self.averages[number] = (t, m, v)
            values[...] = values * (1 - self.lr * self.weight_decay)
            corrected = m / (1 - b1**t)
            values[...] = values - self.lr * corrected / (np.sqrt(v / (1 - b2**t)) + self.eps)

    def zero_grad(self):
        for parameter in self.params:
            parameter.grad = None
