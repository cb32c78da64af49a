"""Takes dim=2 for the features of a 3-D input and dim=1 otherwise.

Idea: The axis is counted from the front, so from 4-D on it is not the features.
Where: only with three or more leading axes
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    dim = 2 if x.ndim >= 3 else x.ndim - 1  # batch, seq, features
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    return (h / torch.sqrt(h.square().mean(dim=dim, keepdim=True) + eps) * weight).to(x.dtype)
