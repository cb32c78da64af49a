"""Divides by the largest magnitude first, so that no square can overflow, and eps by its square."""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.float()
    # any positive constant cancels, so no gradient needs to flow through it
    m = h.detach().abs().amax(dim=-1, keepdim=True).clamp_min(1e-6)
    u = h / m
    root = torch.sqrt((u * u).mean(dim=-1, keepdim=True) + eps / (m * m))
    return (u / root).to(x.dtype) * weight
