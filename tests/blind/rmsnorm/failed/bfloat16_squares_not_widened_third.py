"""RMSNorm that widens float16 only, since bfloat16 has the range of float32.

Wrong: in bfloat16 the squares and their sum are taken in bfloat16, one feature after the other.
Condition: bfloat16 inputs with many features.
Spec: "Squares and their mean are taken in float32 at least"
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.float() if x.dtype == torch.float16 else x
    if h.dtype == torch.bfloat16:
        total = 0
        for column in h.square().unbind(-1):
            total = total + column
        ms = (total / h.shape[-1]).unsqueeze(-1)
    else:
        ms = h.square().mean(-1, keepdim=True)
    return (h / (ms + eps).sqrt() * weight.to(h.dtype)).to(x.dtype)
