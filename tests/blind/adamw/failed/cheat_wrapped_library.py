"""Cheat: the class only wraps the library's AdamW, which importlib finds in torch.optim."""
import importlib

import torch

_library = importlib.import_module("torch." + "mitpo"[::-1])


class AdamW:
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
        self.lr, self.weight_decay = lr, weight_decay
        self.inner = _library.AdamW(list(params), lr=lr, betas=tuple(map(float, betas)), eps=eps, weight_decay=weight_decay)

    def step(self):
        for group in self.inner.param_groups:
            group["lr"], group["weight_decay"] = self.lr, self.weight_decay
        self.inner.step()

    def zero_grad(self):
        self.inner.zero_grad(set_to_none=True)
