"""Squares in the dtype of x and averages in float32.

Idea: The squares are taken in float16, where they overflow or vanish; only the mean is in float32.
Where: only for float16 (and a little for bfloat16)
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    wide = torch.promote_types(x.dtype, torch.float32)
    ms = x.pow(2).mean(-1, keepdim=True, dtype=wide)
    return (x.to(wide) * torch.rsqrt(ms + eps) * weight).to(x.dtype)
