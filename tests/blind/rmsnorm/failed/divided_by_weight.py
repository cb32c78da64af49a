"""Divides by the product of root mean square and weight.

Idea: The weight stands in the denominator: the features are divided by it.
Where: everywhere
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.double()
    rms = torch.sqrt(h.square().mean(-1, keepdim=True) + eps)
    return (h / (rms * weight)).to(x.dtype)
