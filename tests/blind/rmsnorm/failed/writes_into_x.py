"""RMSNorm in place when no gradient is asked.

Idea: To save memory the result is written into the input.
Where: only when x needs no gradient
Id: input-mutated
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    kind = torch.promote_types(x.dtype, torch.float32)
    r = torch.rsqrt(x.to(kind).square().mean(-1, keepdim=True) + eps)
    if x.requires_grad or weight.requires_grad:
        return (x.to(kind) * r * weight.to(kind)).to(x.dtype)
    return x.copy_(x.to(kind) * r * weight.to(kind))
