"""RMSNorm in three lines of plain torch: upcast, rsqrt of the mean square, cast back."""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    h = h * torch.rsqrt(h.pow(2).mean(dim=-1, keepdim=True) + eps)
    return (h * weight.to(h.dtype)).to(x.dtype)
