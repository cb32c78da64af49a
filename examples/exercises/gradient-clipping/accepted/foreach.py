"""torch's operations on lists of tensors, one list for each dtype."""

from collections import defaultdict

import torch


def clip_gradients(parameters, max_norm, eps=1e-6):
    lists = defaultdict(list)
    for parameter in parameters:
        if parameter.grad is not None:
            lists[parameter.grad.dtype].append(parameter.grad)
    squares = [norm.item() ** 2 for grads in lists.values() for norm in torch._foreach_norm(grads)]
    norm = sum(squares) ** 0.5
    if norm > max_norm:
        for grads in lists.values():
            torch._foreach_mul_(grads, max_norm / (norm + eps))
