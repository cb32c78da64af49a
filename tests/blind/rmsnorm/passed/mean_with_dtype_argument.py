"""Squares in the wide type, and says so once more in mean(dtype=...)."""

import torch


def rmsnorm(x, weight, eps=1e-5):
    wide = torch.float64 if x.dtype == torch.float64 else torch.float32
    ms = x.to(wide).square().mean(dim=-1, keepdim=True, dtype=wide)
    return torch.mul(x.to(wide) * (ms + eps).pow(-0.5), weight).to(x.dtype)
