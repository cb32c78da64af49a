"""p.grad gets a new tensor: whoever holds the old one does not see the change."""
import torch


def clip_gradients(parameters, max_norm, eps=1e-6):
    params = [p for p in parameters if p.grad is not None]
    total = sum((p.grad.double() ** 2).sum().item() for p in params) ** 0.5
    if total > max_norm:
        for p in params:
            p.grad = p.grad * (max_norm / (total + eps))
