"""Adds the squares up in pairs.

Idea: With an odd number of features the last one does not enter the root mean square.
Where: only when d_model is odd and larger than 1
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    d = x.shape[-1]
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    even = d - d % 2 if d > 1 else d
    pairs = h[..., :even].square()
    if even > 1:
        pairs = pairs.unflatten(-1, (even // 2, 2)).sum(-1)
    return (h / torch.sqrt(pairs.sum(-1, keepdim=True) / d + eps) * weight).to(x.dtype)
