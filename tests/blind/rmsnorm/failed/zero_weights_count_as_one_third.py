"""RMSNorm that takes a zero weight for one that was never set.

Wrong: weights that are 0 are replaced by 1.
Condition: a weight holds a zero.
Spec: "`weight` may hold any numbers, zeros too"
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    acc = torch.promote_types(x.dtype, torch.float32)
    h, w = x.to(acc), weight.to(acc)
    w = torch.where(w == 0, torch.ones_like(w), w)
    return (h * (h.square().mean(-1, keepdim=True) + eps).rsqrt() * w).to(x.dtype)
