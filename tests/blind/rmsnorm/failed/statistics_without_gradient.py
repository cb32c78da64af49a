"""Computes the root mean square under no_grad, so x gets only part of its gradient."""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.float()
    with torch.no_grad():
        inv = torch.rsqrt(h.pow(2).mean(-1, keepdim=True) + eps)
    return (h * inv * weight).to(x.dtype)
