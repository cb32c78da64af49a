"""The weight is multiplied in before the division, which is the same thing."""

import torch


def rmsnorm(x, weight, eps=1e-5):
    t = torch.promote_types(torch.float32, x.dtype)
    a, w = x.to(t), weight.to(t)
    top = a * w
    bottom = torch.sqrt(a.square().mean(dim=-1, keepdim=True) + eps)
    return torch.div(top, bottom).to(x.dtype)
