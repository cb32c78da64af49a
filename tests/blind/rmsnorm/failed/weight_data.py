"""Uses weight.data.

Idea: The weight is taken out of the graph, so it gets no gradient.
Where: only the gradient of weight
Id: detached-gradient
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    gain = weight.data.to(h.dtype)
    return (gain * h / (h.pow(2).mean(dim=-1, keepdim=True) + eps).sqrt()).to(x.dtype)
