"""RMSNorm that forgets the way back.

Idea: After the upcast the result is never brought back to the dtype of x.
Where: only for float16 and bfloat16
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    r = torch.rsqrt(torch.mean(h.square(), dim=-1, keepdim=True) + eps)
    return h * r * weight.to(h.dtype)
