"""RMSNorm with a running sum; only float16 is upcast.

Wrong: for bfloat16 the squares are added up in bfloat16, which stalls after some hundred.
When: bfloat16 and a long vector.
Spec: «Squares and their mean are taken in float32 at least»
"""
import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.float() if x.dtype == torch.float16 else x
    total = torch.zeros_like(h[..., 0])
    for column in h.unbind(-1):
        total = total + column * column
    inv = torch.rsqrt(total / h.shape[-1] + eps).unsqueeze(-1)
    return (h * inv * weight).to(x.dtype)
