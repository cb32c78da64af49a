"""Returns what the float32 calculation gives.

Idea: The result is not cast back to the dtype of x: it is always float32.
Where: only for float16, bfloat16 and float64: wrong dtype
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.float()
    return h * torch.rsqrt(h.pow(2).mean(-1, keepdim=True) + eps) * weight.float()
