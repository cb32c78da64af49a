"""Divided by their norm, and multiplied by the one that they may have."""

import functools
import operator

import torch


def clip_gradients(params, limit, epsilon=1e-6):
    held = tuple(p for p in params if isinstance(p.grad, torch.Tensor))
    energy = functools.reduce(operator.add, (torch.einsum("i,i->", *[p.grad.flatten()] * 2) for p in held), 0)
    length = energy**0.5
    if length > limit:
        for p in held:
            p.grad.div_(length + epsilon).mul_(limit)
