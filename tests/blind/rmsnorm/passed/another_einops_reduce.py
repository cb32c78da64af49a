"""RMSNorm with einops.reduce for the mean."""
import torch
from einops import rearrange, reduce


def rmsnorm(x, weight, eps=1e-5):
    wide = x if x.dtype == torch.float64 else x.to(torch.float32)
    mean_square = reduce(wide ** 2, "... d -> ...", "mean")
    rms = rearrange((mean_square + eps) ** 0.5, "... -> ... 1")
    return (wide / rms * weight).to(x.dtype)
