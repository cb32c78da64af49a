"""All gradients in one vector, which is as long as the model."""

import torch


@torch.no_grad()
def clip_gradients(parameters, max_norm, eps=1e-6):
    owners = [p for p in parameters if p.grad is not None]
    flat = torch.cat([p.grad.reshape(-1).to(torch.float64) for p in owners]) if owners else torch.zeros(0)
    norm = flat.norm(2)
    if norm.item() <= max_norm:
        return norm
    flat = flat * (max_norm / (norm + eps))
    for p, part in zip(owners, flat.split([p.grad.numel() for p in owners])):
        p.grad.copy_(part.view(p.grad.shape))
    return norm
