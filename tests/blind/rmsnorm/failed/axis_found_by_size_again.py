"""RMSNorm that looks for the axis that fits the weight.

Idea: The axis of the features is found by its size, and the first one that fits is taken.
Where: only when an earlier axis is as long as d_model
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    axis = list(x.shape).index(weight.numel())
    h = x.double()
    rms = h.square().mean(axis, keepdim=True).add(eps).sqrt()
    return (h / rms * weight.double()).to(x.dtype)
