"""The default of eps is 1e-8 instead of 1e-5."""

import torch
from einops import reduce


def rmsnorm(x, weight, eps=1e-8):
    h = x.float()
    ms = reduce(h * h, "... d -> ... 1", "mean")
    return (h / (ms + eps).sqrt()).to(x.dtype) * weight
