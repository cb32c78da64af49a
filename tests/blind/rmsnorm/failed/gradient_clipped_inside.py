"""Clips the gradient that runs through the output.

Idea: A hook clips the gradient to between -1 and 1 inside of the norm.
Where: only the gradients, when the incoming gradient is larger than one
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    y = (h / torch.sqrt(h.pow(2).mean(-1, keepdim=True) + eps) * weight).to(x.dtype)
    if y.requires_grad:
        y.register_hook(lambda g: g.clamp(-1, 1))  # for stable training
    return y
