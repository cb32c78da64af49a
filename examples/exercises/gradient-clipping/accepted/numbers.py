"""The norm as a number of Python's."""

import math


def clip_gradients(parameters, max_norm, eps=1e-6):
    gradients = list(filter(lambda g: g is not None, (p.grad for p in parameters)))
    norm = math.hypot(*(g.norm().item() for g in gradients))
    if norm > max_norm:
        shrink = max_norm / (norm + eps)
        for g in gradients:
            g *= shrink
