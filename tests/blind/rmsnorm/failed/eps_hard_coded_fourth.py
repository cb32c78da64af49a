"""Ignores the eps that the caller passes and uses 1e-5."""

import torch
from einops import reduce


def rmsnorm(x, weight, eps=1e-5):
    h = x.float()
    ms = reduce(h * h, "... d -> ... 1", "mean")
    return (h / (ms + 1e-5).sqrt()).to(x.dtype) * weight
