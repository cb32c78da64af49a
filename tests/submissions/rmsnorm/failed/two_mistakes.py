"""The mean is subtracted, and the weight is one too large.
Says: Look at line 10 first
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.float()
    h = h - h.mean(-1, keepdim=True)
    h = h / torch.sqrt(h.pow(2).mean(-1, keepdim=True) + eps)
    return (h * (1 + weight)).to(x.dtype)
