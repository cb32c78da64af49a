"""Wrong: parameters is gone through twice, once for the norm and once for the product, and a generator is empty the second time."""
import torch


@torch.no_grad()
def clip_gradients(parameters, max_norm, eps=1e-6):
    total = 0.0
    for p in parameters:
        if p.grad is not None:
            total += p.grad.double().square().sum().item()
    norm = total**0.5
    if norm > max_norm:
        for p in parameters:
            if p.grad is not None:
                p.grad.mul_(max_norm / (norm + eps))
