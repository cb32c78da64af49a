"""einx does the mean and the multiplication with the weight."""

import einx
import torch


def rmsnorm(x, weight, eps=1e-5):
    wide = x.double() if x.dtype == torch.float64 else x.float()
    mean_square = einx.mean("... [d] -> ... 1", wide.square())
    normed = wide * torch.rsqrt(mean_square + eps)
    return einx.multiply("... d, d -> ... d", normed, weight.to(wide.dtype)).to(x.dtype)
