"""A parameter of its own stands between those that are asked for.
Rejected: `dim` comes before `eps`
"""

import torch


def rmsnorm(x, weight, dim=-1, eps=1e-5):
    x_float = x.float()
    rms = torch.sqrt(x_float.pow(2).mean(dim=dim, keepdim=True) + eps)
    return (x_float / rms * weight).to(x.dtype)
