"""RMSNorm with weight.data.

Idea: The weight is read through .data, so it never learns.
Where: only the gradient of the weight
Id: detached-gradient
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    wide = x.double()
    gain = weight.data.double()
    return (gain * wide / torch.sqrt(wide.square().mean(-1, keepdim=True) + eps)).to(x.dtype)
