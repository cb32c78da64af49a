"""Makes a fresh tensor out of x before it starts.

Idea: The input is copied out of the graph, so x gets no gradient.
Where: only the gradient of x
Id: detached-gradient
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    fresh = x.detach().clone().to(torch.promote_types(x.dtype, torch.float32))
    scale = 1.0 / torch.sqrt(torch.mean(fresh * fresh, -1, keepdim=True) + eps)
    return (fresh * scale * weight).to(x.dtype)
