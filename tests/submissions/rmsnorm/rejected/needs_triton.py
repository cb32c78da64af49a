"""A library that is not there."""

import triton
import torch


def rmsnorm(x, weight, eps=1e-5):
    assert triton.next_power_of_2(x.shape[-1]) >= x.shape[-1]
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps) * weight
