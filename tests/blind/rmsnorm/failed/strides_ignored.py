"""RMSNorm that reads memory in a row.

Idea: The rows are read from memory as if the input were always contiguous.
Where: only for non-contiguous x
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    n, d = x.numel() // x.shape[-1], x.shape[-1]
    rows = torch.as_strided(x, (n, d), (d, 1)).double()
    ms = (rows * rows).sum(1, keepdim=True) / d
    return (rows * (ms + eps).rsqrt() * weight.double()).reshape(x.shape).to(x.dtype)
