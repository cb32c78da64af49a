"""Wrong: the count is raised after the averages are corrected, so t is too small by one, and a first step (t = 0) is made without correction."""
from collections import defaultdict

import torch


class AdamW:
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
        if not (lr >= 0 and eps >= 0 and weight_decay >= 0):
            raise ValueError("negative lr, eps or weight_decay")
        if not (0.0 <= betas[0] < 1.0 and 0.0 <= betas[1] < 1.0):
            raise ValueError("a beta is out of range")
        self.params = [p for p in params]
        self.memory = [dict(m=torch.zeros_like(p), v=torch.zeros_like(p), t=0) for p in self.params]
        self.lr, self.betas, self.eps, self.weight_decay = lr, betas, eps, weight_decay

    @torch.no_grad()
    def step(self):
        groups = defaultdict(list)
        for p, memory in zip(self.params, self.memory):
            if p.grad is not None:
                groups[p.dtype].append((p, memory))
        for group in groups.values():
            self._step(*map(list, zip(*group)))

    def _step(self, ps, memories):
        b1, b2 = self.betas
        gs = [p.grad for p in ps]
        ms, vs = [s["m"] for s in memories], [s["v"] for s in memories]
        torch._foreach_mul_(ps, 1 - self.lr * self.weight_decay)
        torch._foreach_mul_(ms, b1)
        torch._foreach_add_(ms, gs, alpha=1 - b1)
        torch._foreach_mul_(vs, b2)
        torch._foreach_addcmul_(vs, gs, gs, 1 - b2)
        below = torch._foreach_div(vs, [1 - b2 ** s["t"] if s["t"] else 1.0 for s in memories])
        torch._foreach_sqrt_(below)
        torch._foreach_add_(below, self.eps)
        above = torch._foreach_div(ms, [1 - b1 ** s["t"] if s["t"] else 1.0 for s in memories])
        torch._foreach_addcdiv_(ps, above, below, -self.lr)
        for s in memories:
            s["t"] += 1

    def zero_grad(self):
        for p in self.params:
            p.grad = None
