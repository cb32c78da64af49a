"""Falls back to the default with "eps or 1e-5".

Idea: eps = 0 counts as not given and becomes 1e-5.
Where: only when eps is 0
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    eps = eps or 1e-5
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    return (h / torch.sqrt(h.square().mean(-1, keepdim=True) + eps) * weight).to(x.dtype)
