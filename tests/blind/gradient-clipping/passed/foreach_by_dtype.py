"""A right clipping on lists of tensors: torch._foreach norms and products, one list for each dtype."""
import math

import torch


def clip_gradients(parameters, max_norm, eps=1e-6):
    lists = {}
    for parameter in parameters:
        if parameter.grad is not None:
            lists.setdefault(parameter.grad.dtype, []).append(parameter.grad.detach())
    lengths = [float(n) for grads in lists.values() for n in torch._foreach_norm([g.double() for g in grads], 2)]
    length = math.hypot(*lengths)
    if length <= max_norm:
        return
    for grads in lists.values():
        torch._foreach_mul_(grads, max_norm / (length + eps))
