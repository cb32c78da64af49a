"""Lists beside the parameters."""

import torch


class AdamW:
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
        if lr < 0.0:
            raise ValueError(f"learning rate {lr}")
        if eps < 0.0:
            raise ValueError(f"eps {eps}")
        if weight_decay < 0.0:
            raise ValueError(f"weight decay {weight_decay}")
        for beta in betas:
            if not 0.0 <= beta < 1.0:
                raise ValueError(f"beta {beta}")
        self.params = list(params)
        self.lr = lr
        self.betas = betas
        self.eps = eps
        self.weight_decay = weight_decay
        self.m = [torch.zeros_like(p) for p in self.params]
        self.v = [torch.zeros_like(p) for p in self.params]
        self.t = [0 for _ in self.params]

    @torch.no_grad()
    def step(self):
        beta1, beta2 = self.betas
        for i, p in enumerate(self.params):
            if p.grad is None:
                continue
            g = p.grad
            self.t[i] += 1
            p.mul_(1 - self.lr * self.weight_decay)
            self.m[i].mul_(beta1).add_(g, alpha=1 - beta1)
            self.v[i].mul_(beta2).addcmul_(g, g, value=1 - beta2)
            m_hat = self.m[i] / (1 - beta1 ** self.t[i])
            v_hat = self.v[i] / (1 - beta2 ** self.t[i])
            p.addcdiv_(m_hat, v_hat.sqrt().add_(self.eps), value=-self.lr)

    def zero_grad(self):
        for p in self.params:
            p.grad = None
