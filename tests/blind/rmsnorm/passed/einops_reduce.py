"""The mean square comes from einops.reduce."""

import torch
from einops import rearrange, reduce


def rmsnorm(x, weight, eps=1e-5):
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    ms = reduce(h * h, "... d -> ...", "mean")
    rms = rearrange((ms + eps).sqrt(), "... -> ... 1")
    return ((h / rms) * weight).to(dtype=x.dtype)
