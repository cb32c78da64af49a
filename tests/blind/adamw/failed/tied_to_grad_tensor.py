"""The gradients are collected in the constructor, so later ones, which are other tensors, are not seen."""
import torch


class AdamW:
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
        if lr < 0 or eps < 0 or weight_decay < 0 or any(not 0 <= b < 1 for b in betas):
            raise ValueError("invalid setting")
        self.params = [p for p in params if p.requires_grad]
        self.lr, self.betas, self.eps, self.weight_decay = lr, betas, eps, weight_decay
        self.m = [torch.zeros_like(p) for p in self.params]
        self.v = [torch.zeros_like(p) for p in self.params]
        self.t = [0] * len(self.params)
        self.grads = [None] * len(self.params)

    @torch.no_grad()
    def step(self):
        b1, b2 = self.betas
        for i, p in enumerate(self.params):
            if self.grads[i] is None:
                self.grads[i] = p.grad  # the tensor stays the same, only its values change
            g = self.grads[i]
            if g is None or p.grad is None:
                continue
            self.t[i] += 1
            self.m[i].mul_(b1).add_(g, alpha=1 - b1)
            self.v[i].mul_(b2).addcmul_(g, g, value=1 - b2)
            p.mul_(1 - self.lr * self.weight_decay)
            p.addcdiv_(self.m[i] / (1 - b1 ** self.t[i]), (self.v[i] / (1 - b2 ** self.t[i])).sqrt() + self.eps, value=-self.lr)

    def zero_grad(self):
        for p in self.params:
            p.grad = None
