"""A right clipping: adds up the squares of all gradients in float64, and multiplies in place if the root is too large."""
import math


def clip_gradients(parameters, max_norm, eps=1e-6):
    gradients = [p.grad for p in parameters if p.grad is not None]
    norm = math.sqrt(sum(g.double().pow(2).sum().item() for g in gradients))
    if norm > max_norm:
        for g in gradients:
            g *= max_norm / (norm + eps)
