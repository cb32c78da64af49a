import math
import torch


class AdamW:
    """The bias corrections are moved into the step size; eps has to be scaled along, or it would count for more in early steps."""

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
        if min(lr, eps, weight_decay, *betas) < 0 or max(betas) >= 1:
            raise ValueError("bad hyperparameters")
        self.slots = [{"p": p, "m": torch.zeros_like(p.data), "v": torch.zeros_like(p.data), "t": 0} for p in params]
        self.lr, self.betas, self.eps, self.weight_decay = lr, betas, eps, weight_decay

    def step(self):
        b1, b2 = self.betas
        for s in self.slots:
            p = s["p"]
            if p.grad is None:
                continue
            g = p.grad.data
            s["t"] += 1
            root = math.sqrt(1 - b2 ** s["t"])
            size = self.lr * root / (1 - b1 ** s["t"])
            s["m"].mul_(b1).add_((1 - b1) * g)
            s["v"].mul_(b2).add_((1 - b2) * g.square())
            p.data.mul_(1 - self.lr * self.weight_decay)
            p.data.add_(-size * s["m"] / (s["v"].sqrt() + self.eps * root))

    def zero_grad(self):
        for s in self.slots:
            s["p"].grad = None
