"""Wrong: p.grad is replaced by a new, scaled tensor, so whoever holds the old one sees the old numbers."""
import torch


def clip_gradients(parameters, max_norm, eps=1e-6):
    params = [p for p in parameters if p.grad is not None]
    norm = torch.tensor([p.grad.double().norm() for p in params]).norm().item()
    if norm > max_norm:
        for p in params:
            p.grad = p.grad * (max_norm / (norm + eps))
