"""Norms of float32 and float64 gradients are compared group by group: each dtype gets a norm of its own."""
import torch


def clip_gradients(parameters, max_norm, eps=1e-6):
    """All gradients in one go, dtype by dtype."""
    by_dtype = {}
    for p in parameters:
        if p.grad is not None:
            by_dtype.setdefault(p.grad.dtype, []).append(p.grad)
    for grads in by_dtype.values():
        total = sum(n.item() ** 2 for n in torch._foreach_norm([g.double() for g in grads], 2)) ** 0.5
        if total > max_norm:
            torch._foreach_mul_(grads, max_norm / (total + eps))
