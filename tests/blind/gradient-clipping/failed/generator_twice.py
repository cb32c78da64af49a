"""The parameters are gone through twice, but a generator can be read only once: nothing is scaled."""
import torch


def clip_gradients(parameters, max_norm, eps=1e-6):
    total = sum((p.grad.double() ** 2).sum().item() for p in parameters if p.grad is not None) ** 0.5
    if total > max_norm:
        for p in parameters:
            if p.grad is not None:
                p.grad.mul_(max_norm / (total + eps))
