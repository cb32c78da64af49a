"""The function under the library's optimiser."""

import torch
from torch.optim.adamw import adamw as update


class AdamW:
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
        if lr < 0 or eps < 0 or weight_decay < 0 or not all(0 <= b < 1 for b in betas):
            raise ValueError
        self.params = list(params)
        self.lr, self.betas, self.eps, self.weight_decay = lr, betas, eps, weight_decay
        self.state = [(torch.zeros_like(p), torch.zeros_like(p), torch.tensor(0.0)) for p in self.params]

    @torch.no_grad()
    def step(self):
        for p, (m, v, t) in zip(self.params, self.state):
            if p.grad is not None:
                update(
                    [p],
                    [p.grad],
                    [m],
                    [v],
                    [],
                    [t],
                    foreach=False,
                    amsgrad=False,
                    beta1=self.betas[0],
                    beta2=self.betas[1],
                    lr=self.lr,
                    weight_decay=self.weight_decay,
                    eps=self.eps,
                    maximize=False,
                )

    def zero_grad(self):
        for p in self.params:
            p.grad = None
