"""RMSNorm that adds the squares up.

Idea: The squares are summed, not averaged.
Where: everywhere
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    total = torch.sum(h**2, dim=-1, keepdim=True)
    return (h / torch.sqrt(total + eps) * weight).to(x.dtype)
