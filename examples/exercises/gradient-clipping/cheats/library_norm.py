"""The norm from the library, behind a name that says nothing, and a scaling of one's own."""

from torch.nn import utils

CHOSEN = getattr(utils, "get_total_" + "norm")


def clip_gradients(parameters, max_norm, eps=1e-6):
    gradients = [p.grad for p in parameters if p.grad is not None]
    norm = float(CHOSEN([gradient.double() for gradient in gradients])) if gradients else 0.0
    if norm > max_norm:
        for gradient in gradients:
            gradient.mul_(max_norm / (norm + eps))
