"""A loop for the norm, and a loop for the scaling."""

import torch


def clip_gradients(parameters, max_norm, eps=1e-6):
    grads = [p.grad for p in parameters if p.grad is not None]
    total = 0.0
    for g in grads:
        total += torch.sum(g * g)
    norm = total**0.5
    if norm > max_norm:
        for g in grads:
            g.mul_(max_norm / (norm + eps))
