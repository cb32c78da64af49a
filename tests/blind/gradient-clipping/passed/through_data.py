"""A right clipping: vdot of each gradient with itself, and subtraction of the part that is too long, through .data."""
import torch


def clip_gradients(parameters, max_norm, eps=1e-6):
    having = list(filter(lambda p: p.grad is not None, parameters))
    square = 0.0
    for p in having:
        flat = p.grad.data.flatten().to(torch.float64)
        square += torch.vdot(flat, flat).item()
    norm = square**0.5
    keep = max_norm / (norm + eps) if norm > max_norm else 1
    if keep != 1:
        for p in having:
            p.grad.data.mul_(keep)
    return norm
