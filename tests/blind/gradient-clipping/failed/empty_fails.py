"""Without any gradient torch.stack has nothing to stack and raises an error.

Clip by the global norm, in place."""
from __future__ import annotations

from collections.abc import Iterable

import torch
from torch import Tensor


@torch.no_grad()
def clip_gradients(parameters: Iterable[Tensor], max_norm: float, eps: float = 1e-6) -> float:
    if max_norm < 0 or eps < 0:
        raise ValueError("max_norm and eps must not be negative")
    grads = [p.grad for p in parameters if p.grad is not None]
    norms = torch.stack([torch.linalg.vector_norm(g, dtype=torch.float64) for g in grads])
    norm = torch.linalg.vector_norm(norms).item()
    if norm > max_norm:
        factor = max_norm / (norm + eps)
        for g in grads:
            g *= factor
    return norm
