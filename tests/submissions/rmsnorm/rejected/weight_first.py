"""The weight stands first, under the exercise's names.
Rejected: `weight` comes before `x`; the order is rmsnorm(x, weight, eps=...).
"""

import torch


def rmsnorm(weight, x, eps=1e-5):
    x_float = x.float()
    rms = torch.sqrt(x_float.pow(2).mean(dim=-1, keepdim=True) + eps)
    return (x_float / rms * weight).to(x.dtype)
