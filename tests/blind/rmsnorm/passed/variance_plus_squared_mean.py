"""The mean of the squares is the variance (divided by d, not d - 1) plus the square of the mean."""

import torch


def rmsnorm(x, weight, eps=1e-5):
    wide = x.to(torch.promote_types(x.dtype, torch.float32))
    variance, mean = torch.var_mean(wide, dim=-1, correction=0, keepdim=True)
    return (wide * torch.rsqrt(variance + mean**2 + eps) * weight.to(wide.dtype)).to(x.dtype)
