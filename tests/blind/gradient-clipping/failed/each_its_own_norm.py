"""Each gradient is clipped by its own norm; there is one norm for all of them."""
import torch


def clip_gradients(parameters, max_norm, eps=1e-6):
    for p in parameters:
        if p.grad is None:
            continue
        norm = p.grad.norm()
        if norm > max_norm:
            p.grad.mul_(max_norm / (norm + eps))
