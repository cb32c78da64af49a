"""The averages by lerp, the correction folded into the step's size."""

import math

import torch


class AdamW:
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
        bad = [name for name, value in (("lr", lr), ("eps", eps), ("weight_decay", weight_decay)) if value < 0]
        bad += ["betas"] if min(betas) < 0 or max(betas) >= 1 else []
        if bad:
            raise ValueError(f"out of range: {bad}")
        self.lr, self.betas, self.eps, self.weight_decay = lr, betas, eps, weight_decay
        self.entries = [{"p": p, "t": 0, "m": None, "v": None} for p in params]

    def step(self):
        with torch.no_grad():
            for entry in self.entries:
                if entry["p"].grad is not None:
                    self._train(entry)

    def _train(self, entry):
        p, g = entry["p"], entry["p"].grad
        if entry["m"] is None:
            entry["m"], entry["v"] = torch.zeros_like(p), torch.zeros_like(p)
        entry["t"] += 1
        entry["m"].lerp_(g, 1 - self.betas[0])
        entry["v"].lerp_(g.square(), 1 - self.betas[1])
        size = self.lr / (1 - self.betas[0] ** entry["t"])
        root = math.sqrt(1 - self.betas[1] ** entry["t"])
        p -= self.lr * self.weight_decay * p
        p.addcdiv_(entry["m"], entry["v"].sqrt() / root + self.eps, value=-size)

    def zero_grad(self):
        for entry in self.entries:
            entry["p"].grad = None
