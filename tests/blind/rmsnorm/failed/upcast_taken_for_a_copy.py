"""Calls .to(float32) and works in place on what it takes for a copy.

Idea: For float32, .to(float32) is the same tensor, so that the in-place multiplication changes x.
Where: only for float32, when no gradient is asked of x: x is changed
Id: input-mutated
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.to(torch.float64 if x.dtype == torch.float64 else torch.float32)
    inv = torch.rsqrt(h.square().mean(-1, keepdim=True) + eps)
    if x.requires_grad or x.dtype == torch.float64:
        h = h * inv
    else:
        h.mul_(inv)  # our own copy
    return (h * weight).to(x.dtype)
