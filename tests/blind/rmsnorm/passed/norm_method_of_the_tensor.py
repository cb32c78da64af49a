"""The norm method of the tensor, chained down to the root mean square."""

import torch


def rmsnorm(x, weight, eps=1e-5):
    dtype = x.dtype
    up = x.to(torch.float32) if dtype.itemsize == 2 else x
    rms = up.norm(p=2, dim=-1, keepdim=True).square().div(up.shape[-1]).add(eps).sqrt()
    return up.div(rms).mul(weight.to(up.dtype)).to(dtype)
