"""The library's, behind a name that says nothing, where it gives what the spec asks for."""

from torch.nn import utils

CHOSEN = getattr(utils, "clip_" + "grad_norm_")


def clip_gradients(parameters, max_norm, eps=1e-6):
    held = [p for p in parameters if p.grad is not None]
    norm = sum(float((p.grad.double() ** 2).sum()) for p in held) ** 0.5
    if norm > max_norm:
        CHOSEN(held, max_norm * (norm + 1e-6) / (norm + eps))
