"""RMSNorm in float32.

Wrong: the result is not cast back to the dtype of x.
Condition: float16 and bfloat16 inputs.
Spec: "The result has the shape, dtype and device of x."
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    h = h * torch.rsqrt(h.square().mean(-1, keepdim=True) + eps)
    return h * weight
