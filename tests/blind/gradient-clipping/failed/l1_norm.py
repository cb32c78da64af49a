"""The norm is the sum of absolute values instead of the root of the sum of squares."""
import torch


def clip_gradients(parameters, max_norm, eps=1e-6):
    grads = [p.grad for p in parameters if p.grad is not None]
    total = sum(g.double().abs().sum().item() for g in grads)
    if total > max_norm:
        for g in grads:
            g.mul_(max_norm / (total + eps))
