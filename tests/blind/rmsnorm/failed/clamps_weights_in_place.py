"""RMSNorm that tidies the weight.

Idea: Negative weights are set to zero, in the caller's tensor: a wrong result and a changed argument.
Where: only when a weight is negative
Id: input-mutated
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    weight.data.clamp_(min=0)
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    return (h / torch.sqrt(h.pow(2).mean(-1, keepdim=True) + eps) * weight.to(h.dtype)).to(x.dtype)
