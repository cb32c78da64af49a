"""No branch: a factor of 1 changes nothing."""

import torch


def clip_gradients(parameters, max_norm, eps=1e-6):
    grads = [p.grad for p in parameters if p.grad is not None]
    norm = torch.sqrt(sum((g.pow(2).sum() for g in grads), torch.tensor(0.0)))
    by = torch.where(norm > max_norm, max_norm / (norm + eps), torch.ones_like(norm))
    for g in grads:
        g.copy_(g * by)
