import torch


def clip_gradients(parameters, max_norm, eps=1e-6):
    """All gradients in one go, dtype by dtype."""
    by_dtype = {}
    for p in parameters:
        if p.grad is not None:
            by_dtype.setdefault(p.grad.dtype, []).append(p.grad)
    total = 0.0
    for grads in by_dtype.values():
        for n in torch._foreach_norm([g.double() for g in grads], 2):
            total += n.item() ** 2
    total = total**0.5
    if not total > max_norm:
        return
    for grads in by_dtype.values():
        torch._foreach_mul_(grads, max_norm / (total + eps))
