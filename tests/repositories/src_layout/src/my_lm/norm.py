import torch
from torch import nn


def rmsnorm(x, weight, eps=1e-5):
    wide = x.float() if x.dtype in (torch.float16, torch.bfloat16) else x
    normed = wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + eps)
    return (normed * weight).to(x.dtype)
