"""Multiplies by 1 + weight, as Gemma does."""

import torch


def _norm(x, eps):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps)


def rmsnorm(x, weight, eps=1e-5):
    output = _norm(x.float(), eps).type_as(x)
    return output * (1 + weight)
