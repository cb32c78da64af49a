"""RMSNorm that finds the feature axis by the length of the weight.

Wrong: the first axis as long as the weight is averaged, not the last one.
Condition: a leading axis equals d_model.
Spec: "`d_model` and each leading axis may be 1, or equal to another" / "For each vector of the last axis"
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    axis = list(h.shape).index(weight.shape[0])
    ms = h.square().mean(dim=axis, keepdim=True)
    return (h / (ms + eps).sqrt() * weight.to(h.dtype)).to(x.dtype)
