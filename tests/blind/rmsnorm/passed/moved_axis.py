"""Moves the features to the front, where broadcasting needs no keepdim."""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.to(torch.promote_types(x.dtype, torch.float32)).movedim(-1, 0)
    rms = torch.sqrt(h.square().mean(dim=0) + eps)
    return ((h / rms).movedim(0, -1) * weight).to(x.dtype)
