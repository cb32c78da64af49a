"""einops does the mean over the last axis."""

import torch
from einops import reduce


def rmsnorm(x, weight, eps=1e-5):
    h = x.float()
    ms = reduce(h * h, "... d -> ... 1", "mean")
    return (h / (ms + eps).sqrt()).to(x.dtype) * weight
