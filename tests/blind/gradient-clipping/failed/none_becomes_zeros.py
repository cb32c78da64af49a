"""A missing gradient is replaced by zeros instead of being left as None."""
import torch


def clip_gradients(parameters, max_norm, eps=1e-6):
    params = list(parameters)
    for p in params:
        if p.grad is None:
            p.grad = torch.zeros_like(p)
    total = sum((p.grad.double() ** 2).sum().item() for p in params) ** 0.5
    if total > max_norm:
        for p in params:
            p.grad.mul_(max_norm / (total + eps))
