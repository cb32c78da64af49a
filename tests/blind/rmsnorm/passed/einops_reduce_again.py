"""RMSNorm with einops for the mean."""

import torch
from einops import rearrange, reduce


def rmsnorm(x, weight, eps=1e-5):
    up = x.to(torch.promote_types(x.dtype, torch.float32))
    ms = reduce(up.square(), "... d -> ... 1", "mean")
    w = rearrange(weight, "d -> d").to(up)
    return (up / (ms + eps).sqrt() * w).to(x.dtype)
