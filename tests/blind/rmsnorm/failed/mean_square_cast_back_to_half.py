"""Casts the mean square back before the root.

Idea: The mean square is cast to float16 before the root is taken, where it is infinite for large vectors.
Where: only for float16 with entries above about 256
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    if x.dtype not in (torch.float16, torch.bfloat16):
        return x / torch.sqrt(x.square().mean(-1, keepdim=True) + eps) * weight
    mean_square = (x.float() ** 2).mean(-1, keepdim=True).to(x.dtype)
    rms = torch.sqrt(mean_square.float() + eps)
    return (x.float() / rms * weight.float()).to(x.dtype)
