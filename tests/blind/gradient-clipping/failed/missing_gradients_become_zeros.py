"""Wrong: a parameter whose grad is None gets a gradient of zeros instead of keeping None."""
import torch


@torch.no_grad()
def clip_gradients(parameters, max_norm, eps=1e-6):
    params = list(parameters)
    for p in params:
        if p.grad is None:
            p.grad = torch.zeros_like(p)
    norm = sum(p.grad.double().square().sum().item() for p in params) ** 0.5
    if norm > max_norm:
        for p in params:
            p.grad.mul_(max_norm / (norm + eps))
