"""Looks for the axis whose size is d_model.

Idea: The feature axis is the first one with the size of weight, which may be the sequence.
Where: only when a leading axis has the same size as d_model
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    axis = tuple(x.shape).index(weight.shape[0])
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    ms = h.square().mean(dim=axis, keepdim=True)
    return (h / torch.sqrt(ms + eps) * weight).to(x.dtype)
