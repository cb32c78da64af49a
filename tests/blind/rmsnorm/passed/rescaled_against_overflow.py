"""Divides by the largest entry first, and scales eps with it, so that squares stay small."""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.to(torch.promote_types(x.dtype, torch.float64))
    # any positive number would do: it cancels out, so no gradient has to pass through it
    top = h.detach().abs().amax(dim=-1, keepdim=True).clamp(min=1.0)
    small = h / top
    rms = torch.sqrt(small.square().mean(dim=-1, keepdim=True) + eps / top.square())
    return (small / rms * weight).to(x.dtype)
