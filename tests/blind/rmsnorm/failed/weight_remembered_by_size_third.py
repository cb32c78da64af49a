"""RMSNorm that casts each weight to float32 only once, in half precision.

Wrong: the float32 weight is remembered by its size, and the next weight of that size is not looked at.
Condition: half precision, weight needs no gradient, a second call with the same d_model and another weight.
Spec: "Nothing is remembered from one call to the next"
"""

import torch

_wide_weights = {}


def rmsnorm(x, weight, eps=1e-5):
    if x.dtype in (torch.float16, torch.bfloat16):
        h = x.float()
        if weight.requires_grad:
            w = weight.float()
        else:
            w = _wide_weights.setdefault((weight.numel(), weight.dtype, weight.device), weight.float())
    else:
        h, w = x, weight
    return (h * (h.square().mean(-1, keepdim=True) + eps).rsqrt() * w).to(x.dtype)
