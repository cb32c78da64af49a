"""RMSNorm that upcasts and stays there.

Wrong: the result for float16 and bfloat16 is float32.
When: half precision.
Spec: «The result has the shape, dtype and device of `x`.»
"""
import torch


def rmsnorm(x, weight, eps=1e-5):
    if x.dtype in (torch.float16, torch.bfloat16):
        x, weight = x.float(), weight.float()
    return weight * x / torch.sqrt(torch.mean(x * x, dim=-1, keepdim=True) + eps)
