"""Two names are its own, and more may be given by any name."""

import torch


def rmsnorm(hidden, gain, eps=1e-5, **unused):
    x, weight = hidden, gain
    x_float = x.float()
    rms = torch.sqrt(x_float.pow(2).mean(dim=-1, keepdim=True) + eps)
    return (x_float / rms * weight).to(x.dtype)
