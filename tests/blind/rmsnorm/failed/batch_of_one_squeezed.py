"""Squeezes the result.

Idea: squeeze() drops every axis of size one from the result.
Where: only when an axis has size one
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    rms = torch.sqrt(h.square().mean(-1) + eps)
    return (h / rms[..., None] * weight).squeeze().to(x.dtype)
