"""Adds the weight to the normalised vector.

Idea: The weight is added like a bias and not multiplied.
Where: everywhere
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    normed = h.div(h.pow(2).mean(dim=-1, keepdim=True).add(eps).sqrt())
    return normed.add(weight).to(x.dtype)
