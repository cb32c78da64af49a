"""Saves memory in inference by dividing in place.

Idea: In inference x itself is divided by its root mean square.
Where: only when no gradient is asked for: x is changed
Id: input-mutated
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    rms = torch.sqrt(h.square().mean(-1, keepdim=True) + eps)
    if torch.is_grad_enabled() and (x.requires_grad or weight.requires_grad):
        return (h / rms * weight).to(x.dtype)
    return x.copy_(h / rms) * weight
