"""Takes the weight before the input.

Idea: weight and x have changed places in the signature.
Where: everywhere, when the arguments are given by position
"""

import torch


def rmsnorm(weight, x, eps=1e-5):
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    return (h / torch.sqrt(h.square().mean(-1, keepdim=True) + eps) * weight).to(x.dtype)
