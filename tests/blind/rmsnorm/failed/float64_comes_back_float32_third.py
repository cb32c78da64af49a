"""RMSNorm in float32, cast back for the half precisions.

Wrong: only float16 and bfloat16 are cast back; float64 comes back as float32.
Condition: float64 inputs.
Spec: "The result has the shape, dtype and device of x."
"""

import torch

HALF = (torch.float16, torch.bfloat16)


def rmsnorm(x, weight, eps=1e-5):
    h = x.float()
    y = h / torch.sqrt(h.square().mean(-1, keepdim=True) + eps) * weight.float()
    return y.to(x.dtype) if x.dtype in HALF else y
