"""The step is counted after it is used, so t is one too small (and the first step divides by zero)."""
import torch


class AdamW:
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
        if lr < 0:
            raise ValueError("lr must not be negative")
        if eps < 0:
            raise ValueError("eps must not be negative")
        if weight_decay < 0:
            raise ValueError("weight_decay must not be negative")
        for beta in betas:
            if not 0 <= beta < 1:
                raise ValueError("betas must be in [0, 1)")
        self.params = list(params)
        self.lr = lr
        self.betas = betas
        self.eps = eps
        self.weight_decay = weight_decay
        self.m = [torch.zeros_like(p, requires_grad=False) for p in self.params]
        self.v = [torch.zeros_like(p, requires_grad=False) for p in self.params]
        self.t = [0 for _ in self.params]

    @torch.no_grad()
    def step(self):
        b1, b2 = self.betas
        for i, p in enumerate(self.params):
            g = p.grad
            if g is None:
                continue
            p.mul_(1 - self.lr * self.weight_decay)
            self.m[i] = b1 * self.m[i] + (1 - b1) * g
            self.v[i] = b2 * self.v[i] + (1 - b2) * g * g
            m_hat = self.m[i] / (1 - b1 ** max(self.t[i], 1))
            v_hat = self.v[i] / (1 - b2 ** max(self.t[i], 1))
            p.sub_(self.lr * m_hat / (v_hat.sqrt() + self.eps))
            self.t[i] += 1

    def zero_grad(self):
        for p in self.params:
            p.grad = None
