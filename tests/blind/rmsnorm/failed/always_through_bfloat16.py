"""RMSNorm in 'mixed precision' whatever comes.

Wrong: float32 and float64 inputs are rounded to bfloat16 first.
When: float32 or float64.
Spec: «to float32 accuracy (for float16 and bfloat16: to theirs)»
"""
import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.to(torch.bfloat16).to(torch.float32)
    y = h * torch.rsqrt((h * h).mean(-1, keepdim=True) + eps)
    return (y * weight.float()).to(x.dtype)
