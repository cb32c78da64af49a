"""Keeps a result's memory and writes the next one into it.
Says: what callers rely on
"""

import torch

_buffers = {}


def rmsnorm(x, weight, eps=1e-5):
    h = x.double()
    y = (h * torch.rsqrt(h.square().mean(-1, keepdim=True) + eps) * weight.double()).to(x.dtype)
    if y.requires_grad or torch.is_inference_mode_enabled():
        return y
    key = (tuple(y.shape), y.dtype)
    if key not in _buffers:
        _buffers[key] = torch.empty_like(y)
    return _buffers[key].copy_(y)
