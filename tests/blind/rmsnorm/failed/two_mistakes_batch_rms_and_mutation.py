"""One root mean square for all, divided in place.

Idea: One root mean square is taken for the whole tensor, and x itself is divided by it.
Where: everywhere
Id: input-mutated
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    rms = torch.sqrt(h.square().mean() + eps)
    y = (h / rms * weight).to(x.dtype)
    x.data.copy_((h / rms).detach())
    return y
