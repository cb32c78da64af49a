import collections
import math

import torch


class AdamW:
    """Shaped like torch's optimisers: a defaultdict of states, one for each parameter."""

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
        if not 0.0 <= lr:
            raise ValueError(f"Invalid learning rate: {lr}")
        if not 0.0 <= eps:
            raise ValueError(f"Invalid epsilon: {eps}")
        beta1, beta2 = betas
        if not 0.0 <= beta1 < 1.0 or not 0.0 <= beta2 < 1.0:
            raise ValueError(f"Invalid betas: {betas}")
        if not 0.0 <= weight_decay:
            raise ValueError(f"Invalid weight decay: {weight_decay}")
        self.params = list(params)
        self.lr, self.beta1, self.beta2, self.eps, self.weight_decay = lr, beta1, beta2, eps, weight_decay
        self.state = collections.defaultdict(dict)

    @torch.no_grad()
    def step(self):
        for p in self.params:
            if p.grad is None:
                continue
            state = self.state[p]
            if not state:
                state["t"] = 0
                state["m"] = torch.zeros_like(p, memory_format=torch.preserve_format)
                state["v"] = torch.zeros_like(p, memory_format=torch.preserve_format)
            state["t"] += 1
            t, m, v, g = state["t"], state["m"], state["v"], p.grad
            p.add_(p, alpha=-self.lr * self.weight_decay)
            m.mul_(self.beta1).add_(g, alpha=1 - self.beta1)
            v.mul_(self.beta2).addcmul_(g, g, value=1 - self.beta2)
            denominator = v.sqrt().div_(math.sqrt(1 - self.beta2**t)).add_(self.eps)
            p.addcdiv_(m, denominator, value=-self.lr / (1 - self.beta1**t))

    def zero_grad(self, set_to_none=True):
        for p in self.params:
            p.grad = None
