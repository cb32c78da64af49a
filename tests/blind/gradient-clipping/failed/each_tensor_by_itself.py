"""Wrong: each gradient is clipped by its own norm instead of the norm of all of them together."""
import torch


@torch.no_grad()
def clip_gradients(parameters, max_norm, eps=1e-6):
    for p in parameters:
        if p.grad is not None:
            norm = p.grad.pow(2).sum().sqrt()
            if norm > max_norm:
                p.grad.mul_(max_norm / (norm + eps))
