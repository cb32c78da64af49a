"""One plus the weight, and a fixed eps.

Idea: The weight is used as 1 + weight, and the caller's eps is ignored.
Where: everywhere
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    return (h * torch.rsqrt(h.pow(2).mean(-1, keepdim=True) + 1e-6) * (1 + weight)).to(x.dtype)
