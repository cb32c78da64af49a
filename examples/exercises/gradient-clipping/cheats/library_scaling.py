"""A norm of one's own, and the scaling from the library."""

from torch.nn.utils import clip_grads_with_norm_


def clip_gradients(parameters, max_norm, eps=1e-6):
    held = [p for p in parameters if p.grad is not None]
    squares = [(p.grad.double() ** 2).sum() for p in held]
    if squares and sum(squares) ** 0.5 > max_norm:
        clip_grads_with_norm_(held, max_norm, sum(squares) ** 0.5 + eps - 1e-6)
