"""The factor is the smaller of 1 and max_norm / (norm + eps), so with a norm just below max_norm gradients are scaled too."""
import torch


def clip_gradients(parameters, max_norm, eps=1e-6):
    grads = [p.grad for p in parameters if p.grad is not None]
    total = sum((g.double() ** 2).sum().item() for g in grads) ** 0.5
    factor = max_norm / (total + eps) if total + eps else 1.0
    for g in grads:
        g.mul_(min(1.0, factor))
