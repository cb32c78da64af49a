"""As most would write it. The baseline of efficiency."""

import torch


def rmsnorm(x, weight, eps=1e-5):
    x_float = x.float()
    rms = torch.sqrt(x_float.pow(2).mean(dim=-1, keepdim=True) + eps)
    return (x_float / rms * weight).to(x.dtype)
