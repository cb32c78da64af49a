"""A right clipping: the norm of the norms of the gradients, with vector_norm in float64."""
import torch
from torch.linalg import vector_norm


@torch.no_grad()
def clip_gradients(parameters, max_norm, eps=1e-6):
    grads = [p.grad for p in parameters if p.grad is not None]
    if not grads:
        return torch.tensor(0.0)
    total = vector_norm(torch.stack([vector_norm(g, dtype=torch.float64) for g in grads]))
    if total > max_norm:
        factor = max_norm / (total + eps)
        for g in grads:
            g.mul_(factor)
    return total
